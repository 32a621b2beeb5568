"""Who took and left seats in the middle of episodes."""

from collections.abc import Iterator

from events.base import Envelope, Event
from events.episode import SeatReleased, SeatTaken
from events.wire.subjects import split_stream
from store.projections import tables
from store.projections.changes import Change
from store.projections.projection import Past, Projection


def changes(envelope: Envelope, event: Event, past: Past) -> Iterator[Change]:  # noqa: ARG001
    """What an event means for the list of seat changes."""
    if isinstance(event, SeatTaken | SeatReleased):
        yield Change(
            tables.seat_changes,
            (split_stream(envelope.stream)[1], envelope.version),
            {"run": envelope.correlation, "seat": event.seat, "mind": event.mind.name},
        )


SEATS = Projection.of_runs(
    "seats",
    (tables.seat_changes,),
    (SeatTaken, SeatReleased),
    changes,
)
