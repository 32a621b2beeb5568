"""What Prometheus hears of scores."""

from prometheus_client import REGISTRY

from evaluators.judges.metrics import count_scores
from events.evaluation import ScoreAbstained, Scored, ScoreFailed


def counted(status: str) -> float:
    labels = {"evaluator": "rehearsal", "status": status}
    return REGISTRY.get_sample_value("troupe_scores_total", labels) or 0.0


def test_scores_are_counted_by_what_became_of_them() -> None:
    before = {status: counted(status) for status in ("scored", "failed", "abstained")}
    count_scores(
        "rehearsal",
        [
            Scored(seat=0, dimension="goal", value=0.0),
            Scored(seat=1, dimension="goal", value=7.0),
            ScoreFailed(seat=0, dimension="secret", error="?"),
            ScoreAbstained(seat=1, dimension="secret"),
        ],
    )
    after = {status: counted(status) - before[status] for status in before}
    assert after == {"scored": 2, "failed": 1, "abstained": 1}
