"""The rehearsal of believability extended: no language model, fixed rules for all nine.

Its scores are for rehearsing a run and for testing what comes after; every table and page that
shows them says so. Where a rule cannot tell, it lets the character pass.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

import msgspec

from evaluators.judge_answer import Outcome, Outcomes
from evaluators.judged_episode import History, JudgedEpisode
from evaluators.past import latest
from evaluators.social import rehearsal_judge
from evaluators.social.believability import cues, rubric, rules
from evaluators.social.believability.case import Case, Verdict, case_of
from evaluators.social.believability.extended import with_extended
from events.evaluation import JudgeSpec, ScoreAbstained

REMEMBERED = 5
"""It looks back at so many earlier episodes at most."""


def score(spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]) -> Sequence[Outcome]:
    """``evaluators.judging.Scorer`` of the rehearsal."""
    earlier = [one.view for _, one in islice(latest(past), REMEMBERED)]
    return judge(case_of(episode, earlier), spec)


def judge(case: Case, spec: JudgeSpec) -> Sequence[Outcome]:
    """The scores of every seat. The same episodes and judge, the same scores."""
    believability = tuple(d for d in spec.dimensions if d.name == rubric.BELIEVABILITY)
    scorer = msgspec.structs.replace(spec, dimensions=believability)
    found: Outcomes = {
        (score.seat, score.dimension): score for score in rehearsal_judge.judge(case.view, scorer)
    }
    idle = all(line.kind == "none" for line in case.said)
    for profile in case.view.profiles:
        for checkpoint in rubric.CHECKPOINTS:
            seat, name = profile.seat, checkpoint.name
            found[seat, name] = (
                ScoreAbstained(seat=seat, dimension=name, reason=rehearsal_judge.NOBODY_ACTED)
                if idle
                else _verdict(case, seat, name).score(seat, name)
            )
    return list(with_extended(found).values())


def _verdict(case: Case, seat: int, checkpoint: str) -> Verdict:
    rule = rules.DECIDED.get(checkpoint)
    if rule is None:
        return _CUES[checkpoint](case, seat)
    verdict = rule(case, seat)
    if verdict.passed is None:
        return Verdict(passed=True, reason=f"In doubt for the character. {verdict.reason}")
    return verdict


_CUES: Mapping[str, Callable[[Case, int], Verdict]] = {
    rubric.IN_CHARACTER: cues.in_character,
    rubric.NO_STALLING: cues.no_stalling,
    rubric.NO_ABRUPT_CHANGE: cues.no_abrupt_change,
    rubric.NO_CONTEXT_CONFUSION: cues.no_context_confusion,
    rubric.NO_CONTRADICTION: cues.no_contradiction,
}
