"""A language model that judges: asked once for all seats and dimensions, then again for what could
not be read."""

import asyncio
from collections.abc import Sequence

from actors.models.budget import BudgetKeeper
from actors.models.caller import ModelCaller
from actors.models.errors import CallFailed
from actors.models.metrics import PARSE_FAILURES, label_of
from actors.models.port import Msg, mending, request_of
from actors.models.recording import CallRecorder, recorded_call
from evaluators import judge_answer
from evaluators.judge_answer import Outcomes
from evaluators.judge_prompts import JudgePrompt
from evaluators.judged_episode import History, JudgedEpisode
from evaluators.judging import Rubric
from events.base import Event
from events.evaluation import JudgeSpec
from events.minds import ModelSpec

REASKS = 2
"""How often the judge is asked to mend what could not be read."""
SHOWN_AGAIN = 16_000
"""Characters of its answer that the judge is shown when it is asked to mend it."""


class ModelJudge:
    """``evaluators.judges.Judge`` that asks a model. Raises ``UnknownPrompt`` where the judge was
    made with a prompt that is not here as it was."""

    def __init__(
        self,
        spec: JudgeSpec,
        model: ModelSpec,
        rubric: Rubric,
        caller: ModelCaller,
        budget: BudgetKeeper | None = None,
    ) -> None:
        """``rubric``: one that has a form."""
        assert rubric.form is not None, "the caller looked"
        self.spec = spec
        self._form = rubric.form
        self._model = model
        self._prompt = JudgePrompt(rubric, spec.prompt_version)
        self._caller = caller
        self._budget = budget

    async def evaluate(
        self, history: History, calls: CallRecorder, past: Sequence[History] = ()
    ) -> Sequence[Event]:
        """The model's scores. A score that no answer gave is ``ScoreFailed``.

        Raises ``BudgetSpent``.
        """
        episode = JudgedEpisode(history)
        form = await asyncio.to_thread(self._form, self.spec, episode, past)
        seats = episode.seats
        label = label_of(self._model.name)
        asked = (
            Msg("system", self._prompt.system),
            Msg("user", form.question(self._prompt)),
        )
        messages: tuple[Msg, ...] = asked
        found: Outcomes | None = None
        for attempt in range(REASKS + 1):
            try:
                text = await self._ask(messages, attempt, calls)
            except CallFailed as failure:
                if found is None:
                    why = f"the judge's model gave no answer: {failure.detail}"
                    found = judge_answer.no_answer(form.asked, seats, why)
                break
            answer = judge_answer.decode(text, form.asked, seats, read=form.read, label=label)
            found = answer if found is None else judge_answer.mended(found, answer)
            problems = judge_answer.problems(found)
            if not problems:
                break
            if attempt == REASKS:
                PARSE_FAILURES.labels(label, "reask").inc()
            messages = (*asked, *mending(text, self._prompt.again(problems), SHOWN_AGAIN))
        assert found is not None
        return list(form.complete(found).values())

    async def _ask(self, messages: tuple[Msg, ...], attempt: int, calls: CallRecorder) -> str:
        """The model's words. Raises ``CallFailed``, ``BudgetSpent``."""
        answer = await recorded_call(
            self._caller,
            calls,
            turn=0,
            attempt=attempt,
            purpose="judge",
            spec=self._model,
            request=request_of(self._model, messages),
            prompt_version=self.spec.prompt_version,
            budget=self._budget,
        )
        return answer.text
