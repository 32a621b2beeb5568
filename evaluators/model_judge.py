"""A language model that judges: asked once for all seats and dimensions, then again for what could
not be read."""

import asyncio
from collections.abc import Sequence

from actors.models.asking import ModelQuestion, Unanswered, ask
from actors.models.budget import BudgetKeeper
from actors.models.caller import ModelCaller
from actors.models.port import Msg
from actors.models.recording import CallRecorder
from actors.social.sight import view as view_of
from evaluators.judge_answer import Judgement
from evaluators.judge_form import MakeForm, ScoreForm
from evaluators.judge_prompts import judge_prompt
from evaluators.past import History
from events.base import Event
from events.evaluation import JudgeSpec
from events.minds import ModelSpec


class ModelJudge:
    """``evaluators.judges.Judge`` that asks a model. Raises ``UnknownPrompt`` where the judge was
    made with a prompt that is not here as it was."""

    def __init__(
        self,
        spec: JudgeSpec,
        model: ModelSpec,
        caller: ModelCaller,
        budget: BudgetKeeper | None = None,
        form: MakeForm = ScoreForm,
    ) -> None:
        self.spec = spec
        self._form = form
        self._model = model
        self._prompt = judge_prompt(spec.prompt_version)
        self._caller = caller
        self._budget = budget

    async def evaluate(
        self, history: History, calls: CallRecorder, past: Sequence[History] = ()
    ) -> Sequence[Event]:
        """The model's scores. A score that no answer gave is ``ScoreFailed``.

        Raises ``BudgetSpent``.
        """
        view = view_of([numbered.event for numbered in history], "judge")
        form = await asyncio.to_thread(self._form, self.spec, view, past)
        judgement = Judgement(form.asked, len(view.profiles), form.read)
        question = ModelQuestion(
            messages=(
                Msg("system", self._prompt.system),
                Msg("user", form.question(self._prompt)),
            ),
            read=judgement.read,
            again=self._prompt.again,
            purpose="judge",
            json_schema=judgement.schema(form.schema),
            prompt_version=self.spec.prompt_version,
        )
        answer = await ask(
            question,
            turn=0,
            model=self._model,
            caller=self._caller,
            calls=calls,
            budget=self._budget,
        )
        if isinstance(answer, Unanswered) and not answer.calls:
            judgement.fail(f"the judge's model gave no answer: {answer.detail}")
        return list(form.complete(judgement.found).values())
