"""A language model that judges: asked once for all seats and dimensions, then again for what could
not be read."""

import asyncio
from collections.abc import Sequence
from typing import Final

from actors.models.answers.ask import UnansweredQuestion
from actors.models.recording.call_log import CallRecorder
from evaluators.judges.judge_answer import Judgement
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.judges.model_questions import JudgeWithModel
from events.base import Event

SHORT: Final = 100
"""Events of an episode whose form is made on the loop: 0.14 ms with 45 of them."""


class ModelJudge(JudgeWithModel):
    """``evaluators.judges.make_judge.Judge`` that asks a model; its rubric has a form."""

    async def evaluate(
        self, history: History, calls: CallRecorder, past: Sequence[History] = ()
    ) -> Sequence[Event]:
        """The model's scores. A score that no answer gave is ``ScoreFailed``.

        Raises ``BudgetSpent``.
        """
        episode = JudgedEpisode(history)
        assert self._rubric.form is not None, "who made the judge looked"
        if past or len(history) > SHORT:
            form = await asyncio.to_thread(self._rubric.form, self.spec, episode, past)
        else:  # A change of threads costs more than the form.
            form = self._rubric.form(self.spec, episode, past)
        if not form.asked:  # The episode is none that the rubric is about.
            return list(form.complete({}).values())
        seats = form.seats or episode.seats
        judgement = Judgement(form.asked, seats, form.read, self._prompt.phrases)
        answer = await self._ask(
            form.question(self._prompt),
            judgement.read,
            judgement.schema(form.schema, self._model.max_tokens),
            calls,
            takes_parts=True,
        )
        if isinstance(answer, UnansweredQuestion) and not judgement.found:
            judgement.fail(f"the judge's model gave no answer: {answer.detail}", answer.raw)
        return list(form.complete(judgement.found).values())
