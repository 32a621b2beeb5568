"""The model mind: a language model plays the seat."""

from actors.minds.action_answer import READER, action_of
from actors.minds.mind import Decision, Scene
from actors.models.budget import BudgetKeeper
from actors.models.caller import ModelCaller
from actors.models.errors import CallFailed, Unreadable
from actors.models.metrics import PARSE_FAILURES, label_of
from actors.models.port import Msg, mending, request_of
from actors.models.recording import CallRecorder, recorded_call
from actors.social import prompts
from events.episode import Action, ActionFailure
from events.messages import Background
from events.minds import ModelSpec

REASKS = 2
"""How often an answer that cannot be read is asked for again in one turn."""

RAW_LENGTH = 4000
"""Characters of an unreadable answer that are shown to the model again; all of it is recorded."""


class ModelMind:
    """Asks a model what its seat does. Keeps nothing between turns but the words it has shown."""

    def __init__(
        self, spec: ModelSpec, caller: ModelCaller, budget: BudgetKeeper | None = None
    ) -> None:
        self.spec = spec
        self._caller = caller
        self._budget = budget
        self._prompts: prompts.ActScene | None = None

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """The model's action, or ``none`` with the reason why there is no other.

        Raises ``BudgetSpent``.
        """
        if self._prompts is None or self._prompts.background is not scene.background:
            self._prompts = prompts.ActScene(scene.background)
        prompt = self._prompts.prompt(scene.seen, scene.turn)
        messages: tuple[Msg, ...] = (Msg("system", prompt.system), Msg("user", prompt.user))
        attempt = 0
        while True:
            try:
                answer = await recorded_call(
                    self._caller,
                    calls,
                    turn=scene.turn,
                    attempt=attempt,
                    purpose="act",
                    spec=self.spec,
                    request=request_of(self.spec, messages),
                    prompt_version=prompts.version(self._prompts.template),
                    budget=self._budget,
                )
                return Decision(action=self._read(answer.text, scene.background))
            except CallFailed as failure:
                return _nothing_done(
                    ActionFailure(
                        reason="timeout" if failure.reason == "timeout" else "model_error",
                        detail=failure.detail,
                    )
                )
            except Unreadable as unreadable:
                if attempt == REASKS:
                    PARSE_FAILURES.labels(label_of(self.spec.name), "reask").inc()
                    return _nothing_done(
                        ActionFailure(
                            reason="unreadable", detail=unreadable.detail, raw=unreadable.raw
                        )
                    )
                messages = (*messages, *_correction(unreadable))
                attempt += 1

    def _read(self, text: str, background: Background) -> Action:
        return action_of(READER.read(text, label_of(self.spec.name)), background, text)


def _nothing_done(failure: ActionFailure) -> Decision:
    return Decision(action=Action(kind="none"), failure=failure)


def _correction(unreadable: Unreadable) -> tuple[Msg, ...]:
    """What follows the question when it is asked again."""
    again = (
        f"Your answer could not be used: {unreadable.detail}. Answer again, with the JSON object "
        "asked for and nothing else."
    )
    return mending(unreadable.raw, again, RAW_LENGTH)
