"""The rehearsal of believability extended: no language model, fixed rules for all nine.

Its scores are for rehearsing a run and for testing what comes after; every table and page that
shows them says so. Where a rule cannot tell, it lets the character pass.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from evaluators.judges.earlier_episodes import latest
from evaluators.judges.judge_answer import Outcome, Outcomes
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.social import rehearsal_judge
from evaluators.social.believability import cues, rubric, rules, strict_rubric
from evaluators.social.believability.case import Case, Verdict, case_of
from evaluators.social.believability.checkpoints import Checkpoints
from evaluators.social.believability.cues import Cue
from evaluators.social.believability.derived_scores import with_extended
from evaluators.social.believability.rules import Rule
from evaluators.social.sotopia_eval import BELIEVABILITY
from events.evaluation import JudgeSpec, ScoreAbstained

REMEMBERED = 5
"""It looks back at so many earlier episodes at most."""


class Rehearsal(NamedTuple):
    """What the rehearsal of a rubric goes by."""

    rubric: Checkpoints
    rules: Mapping[str, Rule]
    """Where there is a rule for a checkpoint."""
    cues: Mapping[str, Cue]
    """Where there is none."""


def score(
    spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History], by: Rehearsal
) -> Sequence[Outcome]:
    """``evaluators.plugin.Scorer`` of the rehearsal."""
    earlier = [one.view for _, one in islice(latest(past), REMEMBERED)]
    return judge(case_of(episode, earlier), spec, by)


def judge(case: Case, spec: JudgeSpec, by: Rehearsal) -> Sequence[Outcome]:
    """The scores of every seat. The same episodes and judge, the same scores."""
    believability = tuple(d for d in spec.dimensions if d.name == BELIEVABILITY)
    scorer = msgspec.structs.replace(spec, dimensions=believability)
    found: Outcomes = {
        (score.seat, score.dimension): score for score in rehearsal_judge.judge(case.view, scorer)
    }
    idle = all(line.kind == "none" for line in case.said)
    for profile in case.view.profiles:
        for checkpoint in by.rubric.checkpoints:
            seat, name = profile.seat, checkpoint.name
            found[seat, name] = (
                ScoreAbstained(seat=seat, dimension=name, reason=rehearsal_judge.NOBODY_ACTED)
                if idle
                else _verdict(case, seat, name, by).score(seat, name)
            )
    return list(with_extended(found, by.rubric).values())


def _verdict(case: Case, seat: int, checkpoint: str, by: Rehearsal) -> Verdict:
    rule = by.rules.get(checkpoint)
    if rule is None:
        return by.cues[checkpoint](case, seat)
    verdict = rule(case, seat)
    if verdict.passed is None:
        return Verdict(passed=True, reason=f"In doubt for the character. {verdict.reason}")
    return verdict


PAPER: Final = Rehearsal(rubric.PAPER, rules.PAPER, cues.PAPER)
STRICT: Final = Rehearsal(strict_rubric.STRICT, rules.STRICT, cues.STRICT)
rehearse_paper: Final = partial(score, by=PAPER)
rehearse_strict: Final = partial(score, by=STRICT)
