"""What judges say of a seat, read from their evaluations."""

import msgspec

from evaluators.plugin import OVERALL
from evaluators.scores.dimensions import in_order, overall_of
from events.evaluation import (
    EvaluationEnded,
    EvaluationFailed,
    JudgeSpec,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from store.log.event_store import EventStore


class SeatScores(msgspec.Struct, kw_only=True):
    """One seat, as one judge scored it. A score that failed is missing, never a number."""

    judge: JudgeSpec
    values: dict[str, float] = {}
    """By dimension, ``overall`` last where there is one."""
    missing: dict[str, str] = {}
    """Dimensions that have no value, and why."""
    reasons: dict[str, str] = {}
    """In the judge's words, by dimension."""

    @property
    def dimensions(self) -> list[str]:
        """All that could be scored, in the order of tables."""
        return in_order([*self.values, *self.missing])


def dimensions_of(judge: JudgeSpec) -> list[str]:
    """All that a judge scores, ``overall`` last where it follows from them."""
    names = [dimension.name for dimension in judge.dimensions]
    return in_order([*names, *([OVERALL] if overall_of(names) else [])])


def read_scores(
    store: EventStore, evaluation: str, judge: JudgeSpec, seat: int
) -> SeatScores | None:
    """What an evaluation says of a seat; None: it is not over. Blocking."""
    found, over = SeatScores(judge=judge), False
    for envelope in store.read(stream_name("evaluation", evaluation)):
        match event_of(envelope):
            case Scored(seat=whose, dimension=name) as scored if whose == seat:
                found.values[name], found.reasons[name] = scored.value, scored.reason
            case ScoreFailed(seat=whose, dimension=name, error=why) if whose == seat:
                found.missing[name] = why
            case ScoreAbstained(seat=whose, dimension=name, reason=why) if whose == seat:
                found.missing[name] = why or "the judge declined to score it"
            case EvaluationFailed(reason=why):
                found.missing.update(
                    {one: why for one in dimensions_of(judge) if one not in found.values}
                )
                over = True
            case EvaluationEnded():
                over = True
    if not over:
        return None
    return _with_overall(found)


def _with_overall(found: SeatScores) -> SeatScores:
    overall = overall_of({*found.values, *found.missing})
    if overall is not None and OVERALL not in found.missing:
        value = overall.value(found.values)
        if value is None:
            lacking = [one.name for one in overall.dimensions if one.name not in found.values]
            found.missing[OVERALL] = f"{', '.join(lacking)} missing"
        else:
            found.values[OVERALL] = value
    return found
