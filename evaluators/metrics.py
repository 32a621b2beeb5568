"""What evaluators tell Prometheus."""

from collections.abc import Iterable

from prometheus_client import Counter

from events.base import Event
from events.evaluation import JudgeKind, ScoreAbstained, Scored, ScoreFailed

SCORES = Counter(
    "troupe_scores_total",
    "Scores by what became of them: one for each seat and dimension a judge was asked for.",
    ["evaluator", "status"],
)
"""``evaluator`` is the judge's kind, ``status`` one of scored, failed, abstained."""

_STATUS: dict[type[Event], str] = {
    Scored: "scored",
    ScoreFailed: "failed",
    ScoreAbstained: "abstained",
}


def count_scores(kind: JudgeKind, events: Iterable[Event]) -> None:
    """Count the scores among some events that a judge of this kind has had stored."""
    for event in events:
        status = _STATUS.get(type(event))
        if status:
            SCORES.labels(kind, status).inc()
