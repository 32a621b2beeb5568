"""The model mind: a language model plays the seat."""

from collections.abc import Sequence

from actors.minds.action_answer import READER, action_of
from actors.minds.mind import Decision, Scene
from actors.models.asking import Answered, ModelQuestion, ask
from actors.models.budget import BudgetKeeper
from actors.models.caller import ModelCaller
from actors.models.port import Msg
from actors.models.recording import CallRecorder
from actors.social import prompts
from events.episode import Action, ActionFailure
from events.minds import ModelSpec

SHOWN_AGAIN = 4000
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

        def read(text: str, label: str) -> Action:
            return action_of(READER.read(text, label), scene.background, text)

        question = ModelQuestion(
            messages=(Msg("system", prompt.system), Msg("user", prompt.user)),
            read=read,
            again=_again,
            purpose="act",
            json_schema=READER.schema,
            prompt_version=prompts.version(self._prompts.template),
            shown_again=SHOWN_AGAIN,
            cumulative=True,
        )
        answer = await ask(
            question,
            turn=scene.turn,
            model=self.spec,
            caller=self._caller,
            calls=calls,
            budget=self._budget,
        )
        if isinstance(answer, Answered):
            return Decision(action=answer.value)
        failure = ActionFailure(reason=answer.reason, detail=answer.detail, raw=answer.raw)
        return Decision(action=Action(kind="none"), failure=failure)


def _again(problems: Sequence[str]) -> str:
    """The request to answer again."""
    return (
        f"Your answer could not be used: {'; '.join(problems)}. Answer again, with the JSON object "
        "asked for and nothing else."
    )
