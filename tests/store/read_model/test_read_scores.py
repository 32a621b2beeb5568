"""Scores are read as columns as the queries tell them, on both databases."""

import math

from events.evaluation import (
    EvaluationEnded,
    EvaluationReopened,
    EvaluationStarted,
    JudgeSpec,
    Scored,
    ScoreFailed,
)
from store.log.event_store import NEW
from store.parquet.score_tables import scores
from store.read_model import queries
from store.read_model.read_scores import read_scores
from store.read_model.score_arrays import STATUSES
from tests.store.histories import planned, play, whole_run

JUDGE = JudgeSpec(name="exact", kind="rule", dimensions=())


def told(store, run):
    """Each score as the columns have it."""
    arrays = read_scores(store, (run,))
    return {
        (
            arrays.evaluations[evaluation].id,
            seat,
            arrays.dimensions[dimension],
            STATUSES[status],
            None if math.isnan(value) else value,
        )
        for evaluation, seat, dimension, status, value in zip(
            arrays.evaluation.tolist(),
            arrays.seat.tolist(),
            arrays.dimension.tolist(),
            arrays.status.tolist(),
            arrays.value.tolist(),
            strict=True,
        )
    }


def test_columns_hold_what_the_queries_tell(store):
    whole_run(store)
    rows = queries.scores(store, run="r1")
    assert rows
    assert told(store, "r1") == {
        (row.evaluation, row.seat, row.dimension, row.status, row.value) for row in rows
    }


def test_episodes_come_in_the_plan_s_order_with_their_casts(store):
    whole_run(store)
    rows = queries.episodes(store, run="r1")
    found = read_scores(store, ("r1",)).episodes
    assert [(one.id, one.minds, one.characters) for one in found] == [
        (row.id, row.minds, row.characters) for row in rows
    ]


def test_a_value_is_read_to_its_last_digit(store):
    values = (1 / 3, 1e300, -0.1, 7.0, 2.0**60, 5e-324)
    store.append("run-r1", NEW, [planned("e1")])
    play(store, "e1", run="r1")
    begun = EvaluationStarted(episode="e1", upto=3, judge=JUDGE, judge_hash="h", run="r1")
    scores = [
        Scored(seat=0, dimension=f"d{place}", value=value, reason="", evidence=())
        for place, value in enumerate(values)
    ]
    ended = EvaluationEnded(scored=len(values), failed=0, abstained=0)
    store.append("evaluation-v1", NEW, [begun, *scores, ended])
    assert {value for _, _, _, _, value in told(store, "r1")} == set(values)


def test_a_run_without_scores_has_none(store):
    store.append("run-r1", NEW, [planned("e1")])
    assert told(store, "r1") == set()


def test_several_runs_are_read_together_in_the_order_they_are_named(store):
    whole_run(store)
    store.append("run-r2", NEW, [planned("z1")])
    play(store, "z1", run="r2")
    begun = EvaluationStarted(episode="z1", upto=3, judge=JUDGE, judge_hash="h", run="")
    score = Scored(seat=0, dimension="goal", value=2.0, reason="", evidence=())
    ended = EvaluationEnded(scored=1, failed=0, abstained=0)
    store.append("evaluation-vz", NEW, [begun, score, ended])
    both = read_scores(store, ("r2", "r1"))
    assert list(dict.fromkeys(one.run for one in both.episodes)) == ["r2", "r1"]
    alone = [read_scores(store, (run,)) for run in ("r1", "r2")]
    assert len(both.value) == sum(len(one.value) for one in alone)
    assert {one.id for one in both.evaluations} == {
        one.id for arrays in alone for one in arrays.evaluations
    }


def test_of_what_an_evaluation_scored_twice_the_later_counts(store):
    store.append("run-r1", NEW, [planned("e1")])
    play(store, "e1", run="r1")
    begun = EvaluationStarted(episode="e1", upto=3, judge=JUDGE, judge_hash="h", run="r1")
    failed = ScoreFailed(seat=1, dimension='a "b", c', error="no\x1eJSON\0", raw="")
    other = Scored(seat=0, dimension="goal", value=3.0, reason="one", evidence=(2,))
    store.append("evaluation-v1", NEW, [begun, failed, other])
    assert {row.reason for row in queries.scores(store)} == {"no\x1eJSON\ufffd", "one"}
    again = Scored(
        seat=1, dimension='a "b", c', value=-0.5, reason='"two",', evidence=(4, 5), quotes=("[", "")
    )
    ended = EvaluationEnded(scored=2, failed=0, abstained=0)
    store.append("evaluation-v1", 2, [EvaluationReopened(), again, ended])
    assert told(store, "r1") == {
        ("v1", 0, "goal", "scored", 3.0),
        ("v1", 1, 'a "b", c', "scored", -0.5),
    }
    first, second = queries.scores(store, run="r1")
    assert (first.seat, first.reason, first.evidence, first.quotes) == (0, "one", (2,), ())
    assert (second.reason, second.evidence, second.quotes) == ('"two",', (4, 5), ("[", ""))
    (evaluation,) = queries.evaluations(store, run="r1")
    assert (evaluation.scored, evaluation.failed, evaluation.abstained) == (2, 0, 0)
    (table,) = scores(store, "r1", read_scores(store, ("r1",)))
    assert table.column("value").to_pylist() == [3.0, -0.5]
    assert table.column("reason").to_pylist() == ["one", '"two",']
    assert table.column("evidence").to_pylist() == [[2], [4, 5]]
    assert table.column("quotes").to_pylist() == [[], ["[", ""]]
