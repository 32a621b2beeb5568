"""A language model that judges by several questions: see ``evaluators.judges.question_series``."""

import asyncio
from collections.abc import Sequence

from actors.models.answers.ask import UnansweredQuestion, reasks_of
from actors.models.recording.call_log import CallRecorder
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.judges.model_questions import JudgeWithModel
from evaluators.judges.question_series import NotAnswered, SeriesQuestion
from events.base import Event


class SeriesJudge(JudgeWithModel):
    """``evaluators.judges.make_judge.Judge`` that asks a model one question after the other; its
    rubric has a series."""

    async def evaluate(
        self, history: History, calls: CallRecorder, past: Sequence[History] = ()
    ) -> Sequence[Event]:
        """What follows from all answers.

        Raises ``BudgetSpent``.
        """
        del past
        assert self._rubric.series is not None, "who made the judge looked"
        series = await asyncio.to_thread(
            self._rubric.series, self.spec, JudgedEpisode(history), self._prompt
        )
        answers: dict[str, object] = {}
        while ready := series.ready(answers):
            for question in ready:
                answers[question.key] = await self._answer(question, calls, len(answers))
        return list(series.outcomes(answers))

    async def _answer(self, question: SeriesQuestion, calls: CallRecorder, place: int) -> object:
        """What the model says; ``place``: how many questions were put before."""
        first = place * (1 + reasks_of(self._model))
        answer = await self._ask(question.text, question.read, question.schema, calls, first=first)
        if isinstance(answer, UnansweredQuestion):
            return NotAnswered(answer.detail, answer.raw)
        return answer.value
