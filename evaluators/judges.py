"""From a judge's specification to the judge."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from actors.models.budget import BudgetKeeper
from actors.models.caller import ModelCaller
from actors.models.recording import CallRecorder
from evaluators.believability.form import BelievabilityForm
from evaluators.believability.rehearsal import RehearsalBelievability
from evaluators.believability.rule_judge import RuleJudge
from evaluators.facts import FactsJudge
from evaluators.judge_form import MakeForm, ScoreForm
from evaluators.model_judge import ModelJudge
from evaluators.past import History
from evaluators.rehearsal_judge import RehearsalJudge
from events.base import Event
from events.evaluation import JudgeSpec, Rubric


class Judge(Protocol):
    """What reads an episode and says what each seat was worth."""

    async def evaluate(
        self, history: History, calls: CallRecorder, past: Sequence[History] = ()
    ) -> Sequence[Event]:
        """One ``Scored``, ``ScoreFailed`` or ``ScoreAbstained`` for each seat and dimension.

        ``past`` holds the earlier episodes of the chain, the first first; reading them blocks.
        Model calls go through ``calls``, so that what was paid for once is never asked again.
        Raises ``BudgetSpent`` where the run may spend no more, and nothing else for what a model
        may do wrong: that comes back as ``ScoreFailed``.
        """
        ...


class CannotJudge(ValueError):
    """A specification of which no judge can be made here."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"judge {name!r} cannot score anything: {why}")
        self.name, self.why = name, why


def judge_for(
    spec: JudgeSpec, caller: ModelCaller | None = None, budget: BudgetKeeper | None = None
) -> Judge:
    """The judge that ``spec`` describes; one that asks a model needs ``caller``.

    Raises ``CannotJudge``, ``judge_prompts.UnknownPrompt``, ``rehearsal_judge.UnknownTemper``.
    """
    if spec.kind == "rehearsal":
        return _of_rubric(_REHEARSALS, spec)
    if spec.kind == "rule":
        return _of_rubric(_RULES, spec)
    if spec.kind == "imported":
        why = "its scores came in with episodes that were simulated elsewhere"
        raise CannotJudge(spec.name, why)
    if spec.model is None:
        raise CannotJudge(spec.name, "a judge of kind 'model' has to name its model")
    if caller is None:
        raise CannotJudge(spec.name, "this process has no caller for models")
    form = _FORMS.get(spec.rubric)
    if form is None:
        raise _no_such(spec)
    return ModelJudge(spec, spec.model, caller, budget, form)


def _of_rubric(judges: Mapping[Rubric, Callable[[JudgeSpec], Judge]], spec: JudgeSpec) -> Judge:
    judge = judges.get(spec.rubric)
    if judge is None:
        raise _no_such(spec)
    return judge(spec)


def _no_such(spec: JudgeSpec) -> CannotJudge:
    return CannotJudge(spec.name, f"the rubric {spec.rubric!r} has no judge of kind {spec.kind!r}")


_REHEARSALS: Mapping[Rubric, Callable[[JudgeSpec], Judge]] = {
    "sotopia": RehearsalJudge,
    "believability": RehearsalBelievability,
}
_RULES: Mapping[Rubric, Callable[[JudgeSpec], Judge]] = {
    "believability": RuleJudge,
    "facts": FactsJudge,
}
_FORMS: Mapping[Rubric, MakeForm] = {"sotopia": ScoreForm, "believability": BelievabilityForm}
