"""The model mind: a language model plays the seat."""

from functools import partial

from actors.episodes.mind import Decision, Scene
from actors.episodes.port.game import AnyGame
from actors.episodes.port.prompts import PromptWriter
from actors.episodes.port.sight import Notice
from actors.models.answers.ask import Answered, ModelQuestion, ask, reasks_of
from actors.models.caller import ModelCaller
from actors.models.errors import Unreadable
from actors.models.limits.budget import BudgetKeeper
from actors.models.port import Msg
from actors.models.recording.call_log import CallRecorder
from actors.models.replies.faults import Language
from actors.models.response_formats.schemas import says_something
from events.environments import Action, Question
from events.episode import ActionFailure
from events.minds import ModelSpec
from events.untrusted.safe_text import shortened


class ModelMind:
    """Asks a model what its seat does. Keeps nothing between turns but the words it has shown."""

    at_once = True

    def __init__(
        self,
        spec: ModelSpec,
        game: AnyGame,
        caller: ModelCaller,
        budget: BudgetKeeper | None = None,
    ) -> None:
        self.spec = spec
        self._game = game
        self._caller = caller
        self._budget = budget
        self._writer: PromptWriter[Question, Notice] | None = None
        self._background: object = None
        """Whose prompts ``_writer`` writes."""

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """The model's action, or *nothing* with the reason why there is no other.

        Raises ``BudgetSpent``.
        """
        background = scene.background
        if self._writer is None or self._background is not background:
            self._background = background
            self._writer = self._game.prompts.writer(background)
        answer = await ask(
            question_for(self._game, self._writer, scene, self.spec),
            turn=scene.turn,
            model=self.spec,
            caller=self._caller,
            calls=calls,
            budget=self._budget,
        )
        if isinstance(answer, Answered):
            return Decision(action=answer.value)
        failure = ActionFailure(reason=answer.reason, detail=answer.detail, raw=answer.raw)
        return Decision(action=self._game.rules.nothing(scene.question), failure=failure)


def question_for(
    game: AnyGame, writer: PromptWriter[Question, Notice], scene: Scene, model: ModelSpec
) -> ModelQuestion[Action]:
    """What ``model`` is asked in a scene. The same scene and a writer that has shown the same make
    the same question, whoever asks for it."""
    asked, background = scene.question, scene.background
    prompt = writer.prompt(asked, scene.seen, scene.turn)
    reasks = reasks_of(model, game.limits.reasks(background))
    return ModelQuestion(
        messages=(Msg("system", prompt.system), Msg("user", prompt.user)),
        read=partial(_read, game, scene, prompt.language),
        purpose="act",
        json_schema=prompt.schema or game.prompts.schema(asked, background),
        prompt_version=prompt.version,
        max_tokens=prompt.room if prompt.room > model.max_tokens else None,
        language=prompt.language,
        first=scene.question_id * (reasks + 1),
        reasks=reasks,
    )


def _read(game: AnyGame, scene: Scene, language: Language, text: str, label: str) -> Action:
    """The action in an answer. What the rules would refuse is as unreadable as what is no
    action: its reason is put to the model. So is a form that was copied with its dots."""
    action = game.prompts.read(scene.question, scene.background, text, label)
    for field in (*action.said, "why"):
        words = getattr(action, field, "")
        if isinstance(words, str) and words.strip() and not says_something(words):
            only = shortened(words)
            told = f"里面没有文字，只有 {only!r}" if language == "zh" else ""
            detail = f"{field} holds no word, only {only!r}"
            raise Unreadable(told or detail, text, detail)
    fault = game.rules.action_fault(scene.question, action, scene.seat, scene.seats)
    if fault is not None:
        raise Unreadable(fault, text, kind="against_rules")
    return action
