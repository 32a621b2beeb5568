"""A language model that judges: asked once for all seats and dimensions, then again for what could
not be read."""

import asyncio
from collections.abc import Sequence

from actors.models.answers.ask import ModelQuestion, UnansweredQuestion, ask
from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from actors.models.port import Msg
from actors.models.recording.call_log import CallRecorder
from evaluators.judges.judge_answer import Judgement
from evaluators.judges.judge_prompts import JudgePrompt
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.plugin import Rubric
from events.base import Event
from events.evaluation import JudgeSpec
from events.minds import ModelSpec


class ModelJudge:
    """``evaluators.judges.make_judge.Judge`` that asks a model. Raises ``UnknownPrompt`` where the
    judge was made with a prompt that is not here as it was."""

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
        if not form.asked:  # The episode is none that the rubric is about.
            return list(form.complete({}).values())
        seats = form.seats or episode.seats
        judgement = Judgement(form.asked, seats, form.read, self._prompt.phrases)
        question = ModelQuestion(
            messages=(
                Msg("system", self._prompt.system),
                Msg("user", form.question(self._prompt)),
            ),
            read=judgement.read,
            hint=self._prompt.hint,
            purpose="judge",
            json_schema=judgement.schema(form.schema, self._model.max_tokens),
            prompt_version=self.spec.prompt_version,
            takes_parts=True,
        )
        answer = await ask(
            question,
            turn=0,
            model=self._model,
            caller=self._caller,
            calls=calls,
            budget=self._budget,
        )
        if isinstance(answer, UnansweredQuestion) and not judgement.found:
            judgement.fail(f"the judge's model gave no answer: {answer.detail}", answer.raw)
        return list(form.complete(judgement.found).values())
