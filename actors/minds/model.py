"""The model mind: a language model plays the seat."""

from typing import Any

from actors.episodes.environment import Environment, PromptWriter
from actors.episodes.mind import Decision, Scene
from actors.models.budget import BudgetKeeper
from actors.models.caller import ModelCaller
from actors.models.errors import CallFailed, Unreadable
from actors.models.metrics import PARSE_FAILURES, label_of
from actors.models.port import Msg, mending, request_of
from actors.models.recording import CallRecorder, recorded_call
from events.environments import Action
from events.episode import ActionFailure
from events.minds import ModelSpec

REASKS = 2
"""How often an answer that cannot be read is asked for again in one turn."""

RAW_LENGTH = 4000
"""Characters of an unreadable answer that are shown to the model again; all of it is recorded."""


class ModelMind:
    """Asks a model what its seat does. Keeps nothing between turns but the words it has shown."""

    def __init__(
        self,
        spec: ModelSpec,
        environment: Environment[Any],
        caller: ModelCaller,
        budget: BudgetKeeper | None = None,
    ) -> None:
        self.spec = spec
        self._environment = environment
        self._caller = caller
        self._budget = budget
        self._writer: PromptWriter | None = None
        self._background: Any = None
        """Whose prompts ``_writer`` writes."""

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """The model's action, or *nothing* with the reason why there is no other.

        Raises ``BudgetSpent``.
        """
        environment = self._environment
        if self._writer is None or self._background is not scene.background:
            self._background = scene.background
            self._writer = environment.prompt_writer(scene.background)
        prompt = self._writer.prompt(scene.question, scene.seen, scene.turn)
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
                    prompt_version=prompt.version,
                    budget=self._budget,
                )
                return Decision(action=self._read(scene, answer.text))
            except CallFailed as failure:
                return self._nothing_done(
                    scene,
                    ActionFailure(
                        reason="timeout" if failure.reason == "timeout" else "model_error",
                        detail=failure.detail,
                    ),
                )
            except Unreadable as unreadable:
                if attempt == REASKS:
                    PARSE_FAILURES.labels(label_of(self.spec.name), "reask").inc()
                    return self._nothing_done(
                        scene,
                        ActionFailure(
                            reason="unreadable", detail=unreadable.detail, raw=unreadable.raw
                        ),
                    )
                messages = (*messages, *_correction(unreadable))
                attempt += 1

    def _read(self, scene: Scene, text: str) -> Action:
        label = label_of(self.spec.name)
        return self._environment.read_answer(scene.question, scene.background, text, label)

    def _nothing_done(self, scene: Scene, failure: ActionFailure) -> Decision:
        return Decision(action=self._environment.nothing(scene.question), failure=failure)


def _correction(unreadable: Unreadable) -> tuple[Msg, ...]:
    """What follows the question when it is asked again."""
    again = (
        f"Your answer could not be used: {unreadable.detail}. Answer again, with the JSON object "
        "asked for and nothing else."
    )
    return mending(unreadable.raw, again, RAW_LENGTH)
