"""A language model that judges by several questions: see ``evaluators.judges.question_series``."""

import asyncio
from collections.abc import Sequence

from actors.models.answers.ask import ModelQuestion, UnansweredQuestion, ask, reasks_of
from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from actors.models.port import Msg
from actors.models.recording.call_log import CallRecorder
from evaluators.judges.judge_prompts import JudgePrompt
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.judges.question_series import NotAnswered, SeriesQuestion
from evaluators.plugin import Rubric
from events.base import Event
from events.evaluation import JudgeSpec
from events.minds import ModelSpec


class SeriesJudge:
    """``evaluators.judges.make_judge.Judge`` that asks a model one question after the other.
    Raises ``UnknownPrompt`` where the judge was made with a prompt that is not here as it was."""

    def __init__(
        self,
        spec: JudgeSpec,
        model: ModelSpec,
        rubric: Rubric,
        caller: ModelCaller,
        budget: BudgetKeeper | None = None,
    ) -> None:
        """``rubric``: one that has a series."""
        assert rubric.series is not None, "the caller looked"
        self.spec = spec
        self._series = rubric.series
        self._model = model
        self._prompt = JudgePrompt(rubric, spec.prompt_version)
        self._caller = caller
        self._budget = budget

    async def evaluate(
        self, history: History, calls: CallRecorder, past: Sequence[History] = ()
    ) -> Sequence[Event]:
        """What follows from all answers.

        Raises ``BudgetSpent``.
        """
        del past
        series = await asyncio.to_thread(
            self._series, self.spec, JudgedEpisode(history), self._prompt
        )
        answers: dict[str, object] = {}
        while ready := series.ready(answers):
            for question in ready:
                answers[question.key] = await self._answer(question, calls, len(answers))
        return list(series.outcomes(answers))

    async def _answer(self, question: SeriesQuestion, calls: CallRecorder, place: int) -> object:
        """What the model says; ``place``: how many questions were put before."""
        answer = await ask(
            ModelQuestion(
                messages=(Msg("system", self._prompt.system), Msg("user", question.text)),
                read=question.read,
                hint=self._prompt.hint,
                purpose="judge",
                json_schema=question.schema,
                prompt_version=self.spec.prompt_version,
                first=place * (1 + reasks_of(self._model)),
            ),
            turn=0,
            model=self._model,
            caller=self._caller,
            calls=calls,
            budget=self._budget,
        )
        if isinstance(answer, UnansweredQuestion):
            return NotAnswered(answer.detail, answer.raw)
        return answer.value
