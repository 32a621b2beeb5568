"""Which runs there are and how they stand."""

from collections.abc import Iterator
from typing import Any

from events.archive import StreamsBroughtBack, StreamsTakenOut
from events.base import Envelope, Event
from events.run import (
    RunArchived,
    RunEnded,
    RunPaused,
    RunPlanned,
    RunRestored,
    RunResumed,
)
from events.wire.subjects import split_stream
from store.projections import tables
from store.projections.changes import Change
from store.projections.projection import Past, Projection

_TAKEN = ("taken_events", "taken_bytes", "taken_ended", "taken_failed")


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
        case StreamsTakenOut():
            values = _taken(envelope, event)
        case StreamsBroughtBack():
            values = {"taken_to": "", "taken_at": None, **dict.fromkeys(_TAKEN, 0)}
        case _:
            return
    yield Change(tables.runs, (split_stream(envelope.stream)[1],), values)


def _taken(envelope: Envelope, event: StreamsTakenOut) -> dict[str, Any]:
    as_it_stood = event.summary
    return {
        "name": as_it_stood.name,
        "catalog": as_it_stood.catalog,
        "status": as_it_stood.status,
        "pause_reason": as_it_stood.pause_reason,
        "stopped": as_it_stood.stopped,
        "imported": as_it_stood.imported,
        "episodes_planned": as_it_stood.episodes_planned,
        "started_at": as_it_stood.started_at,
        "ended_at": as_it_stood.ended_at,
        "taken_to": event.folder,
        "taken_at": envelope.recorded_at,
        "taken_events": event.events,
        "taken_bytes": event.size,
        "taken_ended": as_it_stood.episodes_ended,
        "taken_failed": as_it_stood.episodes_failed,
    }


RUNS = Projection.of_runs(
    "runs",
    (tables.runs,),
    (RunPlanned, RunPaused, RunResumed, RunEnded, RunArchived, RunRestored),
    changes,
    lambda run: (tables.runs.delete().where(tables.runs.c.id == run),),
)
