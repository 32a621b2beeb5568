"""A judge of kind ``rule``: the checkpoints that fixed rules can decide, and no others."""

from collections.abc import Sequence

from evaluators.judged_episode import History, JudgedEpisode
from evaluators.social.believability.case import Case, Verdict, case_of
from evaluators.social.believability.rules import DECIDED
from events.evaluation import JudgeSpec, ScoreAbstained, Scored

_BEYOND = Verdict(passed=None, reason="There is no rule that could decide this.")


def score(
    spec: JudgeSpec, episode: JudgedEpisode, _past: Sequence[History]
) -> list[Scored | ScoreAbstained]:
    """``evaluators.judging.Scorer`` of the rules. Looks at nothing earlier."""
    return judge(case_of(episode), spec)


def judge(case: Case, spec: JudgeSpec) -> list[Scored | ScoreAbstained]:
    """The verdicts on every seat."""
    scores: list[Scored | ScoreAbstained] = []
    for profile in case.view.profiles:
        for dimension in spec.dimensions:
            rule = DECIDED.get(dimension.name)
            verdict = rule(case, profile.seat) if rule else _BEYOND
            scores.append(verdict.score(profile.seat, dimension.name))
    return scores
