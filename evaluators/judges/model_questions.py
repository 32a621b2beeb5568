"""What all judges that ask a language model share: the model, the words around a question, the
record of what was asked."""

from collections.abc import Callable
from typing import TypeVar

from actors.models.answers.ask import Answered, ModelQuestion, UnansweredQuestion, ask
from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from actors.models.port import Msg
from actors.models.recording.call_log import CallRecorder
from actors.models.response_formats.schemas import Schema
from evaluators.judges.judge_prompts import JudgePrompt
from evaluators.plugin import Rubric
from events.evaluation import JudgeSpec
from events.minds import ModelSpec

T = TypeVar("T")


class JudgeWithModel:
    """A judge's means to ask. Raises ``UnknownPrompt`` where the judge was made with a prompt that
    is not here as it was."""

    def __init__(
        self,
        spec: JudgeSpec,
        model: ModelSpec,
        rubric: Rubric,
        caller: ModelCaller,
        budget: BudgetKeeper | None = None,
    ) -> None:
        self.spec = spec
        self._rubric, self._model = rubric, model
        self._prompt = JudgePrompt(rubric, spec.prompt_version)
        self._caller, self._budget = caller, budget

    async def _ask(
        self,
        text: str,
        read: Callable[[str, str], T],
        schema: Schema | None,
        calls: CallRecorder,
        *,
        first: int = 0,
        takes_parts: bool = False,
    ) -> Answered[T] | UnansweredQuestion:
        """Put one question about an episode; ``read``, ``first`` and ``takes_parts`` as
        ``ModelQuestion`` has them. Raises ``BudgetSpent``."""
        question = ModelQuestion(
            messages=(Msg("system", self._prompt.system), Msg("user", text)),
            read=read,
            hint=self._prompt.hint,
            purpose="judge",
            json_schema=schema,
            prompt_version=self.spec.prompt_version,
            first=first,
            takes_parts=takes_parts,
        )
        return await ask(
            question,
            turn=0,
            model=self._model,
            caller=self._caller,
            calls=calls,
            budget=self._budget,
        )
