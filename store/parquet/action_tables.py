"""The actions of a run as tables."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pyarrow as pa

from events.base import Event
from events.episode import ActionTaken, EpisodeForked, EpisodeStarted
from events.wire.subjects import stream_name
from store.database.id_batches import in_batches
from store.log.event_store import EventStore
from store.parquet.schemas import ACTIONS
from store.read_model.episode_history import read_history
from store.read_model.records import EpisodeRow
from store.read_model.tagged_events import AT_ONCE, own_events

_Rows = list[tuple[Any, ...]]


def actions(store: EventStore, rows: Sequence[EpisodeRow]) -> Iterator[pa.Table]:
    """All actions of some episodes, in their order; of forks those of the past they share, too."""
    begun = [row for row in rows if row.started_at is not None]
    for some in in_batches(begun, AT_ONCE):
        own = _own(store, [row for row in some if row.parent is None])
        found: _Rows = []
        for row in some:
            found += own[row.id] if row.parent is None else _of_fork(store, row)
        if found:
            columns = zip(ACTIONS, zip(*found, strict=True), strict=True)
            arrays = [pa.array(values, field.type) for field, values in columns]
            yield pa.Table.from_arrays(arrays, schema=ACTIONS)


def beginnings(
    store: EventStore, rows: Sequence[EpisodeRow]
) -> Iterator[tuple[str, EpisodeStarted]]:
    """How each of some episodes began that has begun, with its id; a fork began as its first
    ancestor did."""
    begun = [row for row in rows if row.started_at is not None]
    for some in in_batches(begun, AT_ONCE):
        for row, event, _, _ in own_events(
            store, [row for row in some if row.parent is None], _BEGAN
        ):
            if isinstance(event, EpisodeStarted):
                yield row.id, event
        for row in some:
            if row.parent is not None:
                history = (numbered.event for numbered in read_history(store, row.id))
                yield row.id, next(event for event in history if isinstance(event, EpisodeStarted))


_BEGAN, _TAKEN = EpisodeStarted.__name__, ActionTaken.__name__


def _own(store: EventStore, rows: Sequence[EpisodeRow]) -> dict[str, _Rows]:
    """The actions of episodes that are no forks, by episode."""
    own: dict[str, _Rows] = {row.id: [] for row in rows}
    for row, event, number, at in own_events(store, rows, _TAKEN):
        if isinstance(event, ActionTaken):
            cast, minds = row.characters, row.minds
            own[row.id].append(_action(row, number, at, event, cast, minds, inherited=False))
    return own


def _of_fork(store: EventStore, row: EpisodeRow) -> Iterator[tuple[Any, ...]]:
    cast: tuple[str, ...] = ()
    minds: tuple[str, ...] = ()
    for number, envelope, event in read_history(store, row.id):
        cast, minds = _seated(event, cast, minds)
        if isinstance(event, ActionTaken):
            inherited = envelope.stream != stream_name("episode", row.id)
            at = envelope.recorded_at
            yield _action(row, number, at, event, cast, minds, inherited=inherited)


def _seated(
    event: Event, cast: tuple[str, ...], minds: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who is in the seats after an event, and which minds."""
    if isinstance(event, EpisodeStarted):
        return event.characters, tuple(mind.name for mind in event.minds)
    if isinstance(event, EpisodeForked):
        return cast, tuple(mind.name for mind in event.minds)
    return cast, minds


def _action(
    row: EpisodeRow,
    number: int,
    recorded_at: int,
    event: ActionTaken,
    cast: tuple[str, ...],
    minds: tuple[str, ...],
    *,
    inherited: bool,
) -> tuple[Any, ...]:
    """The columns of ``ACTIONS``."""
    action, failure, to = event.action, event.failure, getattr(event.action, "to", None)
    return (
        row.run,
        row.id,
        number,
        event.turn,
        event.seat,
        _of_seat(cast, event.seat),
        _of_seat(minds, event.seat),
        msgspec.json.encode(action).decode(),
        getattr(action, "kind", None),
        getattr(action, "text", None),
        [to] if isinstance(to, int) else to,
        inherited,
        failure.reason if failure else None,
        failure.detail if failure else None,
        recorded_at,
    )


def _of_seat(words: tuple[str, ...], seat: int) -> str | None:
    return words[seat] if 0 <= seat < len(words) else None
