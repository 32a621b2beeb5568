"""Which evaluations there are, and their scores."""

import math
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Delete, select

from events.base import Envelope, Event
from events.evaluation import (
    EvaluationEnded,
    EvaluationFailed,
    EvaluationReopened,
    EvaluationStarted,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.wire.subjects import split_stream
from store.projections import tables
from store.projections.changes import Change
from store.projections.projection import Past, Projection
from store.projections.score_texts import parts


def changes(envelope: Envelope, event: Event, past: Past) -> Iterator[Change]:  # noqa: ARG001
    """What an event means for evaluations and scores."""
    id_ = split_stream(envelope.stream)[1]
    values: dict[str, Any]
    match event:
        case EvaluationStarted():
            values = {
                "episode": event.episode,
                "run": event.run or envelope.correlation,
                "judge": event.judge.name,
                "judge_kind": event.judge.offline or event.judge.kind,
                "judge_hash": event.judge_hash,
                "upto": event.upto,
                # Until it turns out to be better.
                "superseded_by": event.again_of,
                "started_at": envelope.recorded_at,
            }
        case EvaluationEnded():
            values = {"status": "ended", "reason": "", "ended_at": envelope.recorded_at}
            if event.supersedes:
                values["superseded_by"] = ""
                yield Change(tables.evaluations, (event.supersedes,), {"superseded_by": id_})
        case EvaluationFailed():
            values = {
                "status": "failed",
                "reason": event.reason,
                "ended_at": envelope.recorded_at,
            }
        case EvaluationReopened():
            values = {"status": "running", "reason": "", "ended_at": None}
        case Scored() | ScoreFailed() | ScoreAbstained():
            yield Change(tables.scores, (id_,), add=_score(event))
            return
        case _:
            return
    yield Change(tables.evaluations, (id_,), values)


def _score(event: Scored | ScoreFailed | ScoreAbstained) -> dict[str, str]:
    seat, name, nothing = event.seat, event.dimension, ((), ())
    if isinstance(event, ScoreFailed):
        return parts(seat, name, "failed", None, (event.error, *nothing))
    if isinstance(event, ScoreAbstained):
        return parts(seat, name, "abstained", None, (event.reason, *nothing))
    if not math.isfinite(event.value):
        # It can be in the log, but it is no number, and no mean may ever be taken over it.
        why = f"{event.value} is not a number"
        return parts(seat, name, "failed", None, (why, *nothing))
    reason = event.reason + " [evidence = missing]" * event.evidence_missing
    return parts(seat, name, "scored", event.value, (reason, event.evidence, event.quotes))


def _rows_of(run: str) -> tuple[Delete, ...]:
    evaluations, scores = tables.evaluations, tables.scores
    own = select(evaluations.c.id).where(evaluations.c.run == run)
    return (
        scores.delete().where(scores.c.evaluation.in_(own)),
        evaluations.delete().where(evaluations.c.run == run),
    )


SCORES = Projection.of_runs(
    "scores",
    (tables.evaluations, tables.scores),
    (
        EvaluationStarted,
        Scored,
        ScoreFailed,
        ScoreAbstained,
        EvaluationEnded,
        EvaluationFailed,
        EvaluationReopened,
    ),
    changes,
    _rows_of,
)
