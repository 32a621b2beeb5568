"""A judge of kind ``rule``: the checkpoints that fixed rules can decide, and no others."""

from collections.abc import Sequence

from actors.models.recording import CallRecorder
from evaluators.believability.case import Case, Verdict, case_of
from evaluators.believability.rules import DECIDED
from evaluators.past import History
from events.base import Event
from events.evaluation import JudgeSpec, ScoreAbstained, Scored

_BEYOND = Verdict(passed=None, reason="There is no rule that could decide this.")


class RuleJudge:
    """``evaluators.judges.Judge`` by the rules of ``evaluators.believability.rules``."""

    def __init__(self, spec: JudgeSpec) -> None:
        self.spec = spec

    async def evaluate(
        self, history: History, calls: CallRecorder, past: Sequence[History] = ()
    ) -> Sequence[Event]:
        """The verdicts on every seat. Makes no calls and looks at nothing earlier."""
        return judge(case_of(history), self.spec)


def judge(case: Case, spec: JudgeSpec) -> list[Scored | ScoreAbstained]:
    """The verdicts on every seat."""
    scores: list[Scored | ScoreAbstained] = []
    for profile in case.view.profiles:
        for dimension in spec.dimensions:
            rule = DECIDED.get(dimension.name)
            verdict = rule(case, profile.seat) if rule else _BEYOND
            scores.append(verdict.score(profile.seat, dimension.name))
    return scores
