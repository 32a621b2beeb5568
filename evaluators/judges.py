"""From a judge's specification to the judge."""

from collections.abc import Sequence
from typing import Protocol

from actors.models.budget import BudgetKeeper
from actors.models.caller import ModelCaller
from actors.models.recording import CallRecorder
from evaluators.model_judge import ModelJudge
from evaluators.rehearsal_judge import RehearsalJudge
from events.base import Event
from events.evaluation import JudgeSpec
from store.history import Numbered


class Judge(Protocol):
    """What reads an episode and says what each seat was worth."""

    async def evaluate(self, history: Sequence[Numbered], calls: CallRecorder) -> list[Event]:
        """One ``Scored``, ``ScoreFailed`` or ``ScoreAbstained`` for each seat and dimension.

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
        return RehearsalJudge(spec)
    if spec.kind == "imported":
        why = "its scores came in with episodes that were simulated elsewhere"
        raise CannotJudge(spec.name, why)
    if spec.model is None:
        raise CannotJudge(spec.name, "a judge of kind 'model' has to name its model")
    if caller is None:
        raise CannotJudge(spec.name, "this process has no caller for models")
    return ModelJudge(spec, spec.model, caller, budget)
