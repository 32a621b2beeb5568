"""What evaluators tell Prometheus."""

from collections import Counter as Counted
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
    for tag, number in Counted(map(type, events)).items():
        if tag in _STATUS:
            SCORES.labels(kind, _STATUS[tag]).inc(number)
