"""A judge of kind ``rule``: the checkpoints that fixed rules can decide, and no others."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.social.believability.case import Case, Verdict, case_of
from evaluators.social.believability.rules import PAPER, STRICT, Rule
from events.evaluation import JudgeSpec, ScoreAbstained, Scored

_BEYOND = Verdict(passed=None, reason="There is no rule that could decide this.")


def score(
    spec: JudgeSpec, episode: JudgedEpisode, _past: Sequence[History], rules: Mapping[str, Rule]
) -> list[Scored | ScoreAbstained]:
    """``evaluators.plugin.Scorer`` of the rules, which are by checkpoint. Looks at nothing
    earlier."""
    return judge(case_of(episode), spec, rules)


score_paper: Final = partial(score, rules=PAPER)
score_strict: Final = partial(score, rules=STRICT)


def judge(case: Case, spec: JudgeSpec, rules: Mapping[str, Rule]) -> list[Scored | ScoreAbstained]:
    """The verdicts on every seat."""
    scores: list[Scored | ScoreAbstained] = []
    for profile in case.view.profiles:
        for dimension in spec.dimensions:
            rule = rules.get(dimension.name)
            verdict = rule(case, profile.seat) if rule else _BEYOND
            scores.append(verdict.score(profile.seat, dimension.name))
    return scores
