"""Scores are read as columns as the queries tell them, on both databases."""

import math

from events.evaluation import EvaluationEnded, EvaluationStarted, JudgeSpec, Scored
from store import queries
from store.log import NEW
from store.score_arrays import STATUSES
from store.score_reading import read_scores
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
