"""What judging a talk comes to: what needs no judge, and the rates that follow from the rest."""

from collections.abc import Sequence
from typing import Final

from evaluators.judges.judge_answer import Outcome, Outcomes
from evaluators.sandbox.language.conditions import PARTS, Condition, conditions_of
from evaluators.sandbox.language.dimensions import VARIANTS, edition_of, gcsr, sr
from evaluators.sandbox.language.success_rates import share, success
from evaluators.sandbox.language.talks import PERFORMER, CaseTalk
from events.evaluation import JudgeSpec, ScoreAbstained, Scored, ScoreFailed

SUBJECT: Final = PERFORMER
"""The seat that all scores are of."""


def asked_of(spec: JudgeSpec, talk: CaseTalk) -> tuple[Condition, ...]:
    """All that a judge is to say of a talk."""
    variant, edition = VARIANTS[spec.rubric], edition_of(spec)
    return tuple(one for part in PARTS for one in conditions_of(talk.case, part, variant, edition))


def settled(conditions: Sequence[Condition], talk: CaseTalk) -> Outcomes:
    """What no judge is needed for: of at most one utterance all conditions are unmet, unless
    somebody's answer failed; where the target told nothing, those of its summary are missing."""
    found: Outcomes = {}
    for one in conditions:
        if talk.too_short and talk.failed:
            who = ", ".join(dict.fromkeys(talk.failed))
            why = f"there is no talk, for no answer came that could be used from {who}"
            found[_key(one)] = _failed(one, why)
        elif talk.too_short:
            said = "one utterance" if talk.lines else "no utterance"
            found[_key(one)] = scored(one, met=False, reason=f"There is {said}: no talk.")
        elif one.part == "summary" and talk.summary is None:
            found[_key(one)] = _failed(one, f"{talk.names[1]} told nothing of the talk")
    return found


def with_rates(conditions: Sequence[Condition], found: Outcomes) -> Outcomes:
    """The outcomes and, of each part, SR and GCSR: missing where a condition is."""
    whole = dict(found)
    for part in PARTS:
        of_part = [found.get(_key(one)) for one in conditions if one.part == part]
        if not of_part:
            continue
        met = [one.value for one in of_part if isinstance(one, Scored)]
        for name, rate in ((sr(part), success), (gcsr(part), share)):
            outcome: Outcome
            if len(met) == len(of_part):
                told = f"{sum(met):g} of {len(met)} conditions met"
                outcome = Scored(seat=SUBJECT, dimension=name, value=rate(met), reason=told)
            elif any(isinstance(one, ScoreFailed) for one in of_part):
                why = f"{len(of_part) - len(met)} of {len(of_part)} conditions are not judged"
                outcome = ScoreFailed(seat=SUBJECT, dimension=name, error=why)
            else:
                why = "a condition was not judged"
                outcome = ScoreAbstained(seat=SUBJECT, dimension=name, reason=why)
            whole[SUBJECT, name] = outcome
    return whole


def scored(
    condition: Condition,
    *,
    met: bool,
    reason: str,
    evidence: tuple[int, ...] = (),
    quotes: tuple[str, ...] = (),
) -> Scored:
    """That a condition is met or not."""
    return Scored(
        seat=SUBJECT,
        dimension=condition.dimension,
        value=float(met),
        reason=reason,
        evidence=evidence,
        quotes=quotes,
    )


def _failed(condition: Condition, why: str) -> ScoreFailed:
    return ScoreFailed(seat=SUBJECT, dimension=condition.dimension, error=why)


def _key(condition: Condition) -> tuple[int, str]:
    return SUBJECT, condition.dimension
