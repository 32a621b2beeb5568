"""Which runs there are and how they stand."""

from collections.abc import Iterator
from typing import Any

from events.base import Envelope, Event
from events.run import (
    RunArchived,
    RunEnded,
    RunPaused,
    RunPlanned,
    RunRestored,
    RunResumed,
)
from events.subjects import split_stream
from store.projections import tables
from store.projections.changes import Change
from store.projections.projection import Past, Projection


def changes(envelope: Envelope, event: Event, past: Past) -> Iterator[Change]:  # noqa: ARG001
    """What an event means for the list of runs."""
    values: dict[str, Any]
    match event:
        case RunPlanned():
            values = {
                "name": event.plan.name,
                "catalog": event.plan.catalog,
                "episodes_planned": len(event.episodes),
                "started_at": envelope.recorded_at,
                "detached": event.detached,
                "imported": event.imported,
            }
        case RunPaused():
            values = {
                "status": "paused",
                "pause_reason": event.reason,
                "pause_detail": event.detail,
            }
        case RunResumed():
            values = {
                "status": "running",
                "pause_reason": "",
                "pause_detail": "",
                "ended_at": None,
                "detached": event.detached,
                "stopped": False,
                "archived": False,
            }
        case RunEnded():
            values = {
                "status": "ended",
                "pause_reason": "",
                "pause_detail": "",
                "ended_at": envelope.recorded_at,
                "stopped": event.stopped,
            }
        case RunArchived() | RunRestored():
            values = {"archived": isinstance(event, RunArchived)}
        case _:
            return
    yield Change(tables.runs, (split_stream(envelope.stream)[1],), values)


RUNS = Projection(
    "runs",
    (tables.runs,),
    tuple(
        kind.__name__
        for kind in (RunPlanned, RunPaused, RunResumed, RunEnded, RunArchived, RunRestored)
    ),
    changes,
)
