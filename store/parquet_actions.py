"""The actions of a run as tables."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import pyarrow as pa

from events.base import Envelope, Event
from events.codec import event_of
from events.episode import ActionTaken, EpisodeForked, EpisodeStarted
from events.subjects import split_stream, stream_name
from store.history import read_history
from store.log import EventStore
from store.parquet_schemas import ACTIONS
from store.records import EpisodeRow
from store.rows import READ, envelopes
from store.tables import log

_AT_ONCE = 400
"""Episodes read together; databases limit how many a statement may name."""
_TAKEN, _STARTED = ActionTaken.__name__, EpisodeStarted.__name__
_Rows = list[tuple[Any, ...]]


def actions(store: EventStore, rows: Sequence[EpisodeRow]) -> Iterator[pa.Table]:
    """All actions of some episodes, in their order; of forks those of the past they share, too."""
    begun = [row for row in rows if row.started_at is not None]
    for begin in range(0, len(begun), _AT_ONCE):
        some = begun[begin : begin + _AT_ONCE]
        plain = [row.id for row in some if row.parent is None]
        own: dict[str, _Rows] = {id_: [] for id_ in plain}
        places = {row.id: row for row in some}
        for envelope in _events(store, plain, (_TAKEN,)):
            id_ = split_stream(envelope.stream)[1]
            row, event = places[id_], event_of(envelope)
            if isinstance(event, ActionTaken):
                told = _action(row, envelope.version, envelope, event, row.characters, row.minds)
                own[id_].append(told)
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
    """How each episode began that has begun; a fork began as its first ancestor did."""
    begun = [row.id for row in rows if row.started_at is not None and row.parent is None]
    for begin in range(0, len(begun), _AT_ONCE):
        for envelope in _events(store, begun[begin : begin + _AT_ONCE], (_STARTED,)):
            event = event_of(envelope)
            if isinstance(event, EpisodeStarted):
                yield split_stream(envelope.stream)[1], event
    for row in rows:
        if row.parent is not None and row.started_at is not None:
            first = read_history(store, row.id, 0)[0].event
            if isinstance(first, EpisodeStarted):
                yield row.id, first


def _events(store: EventStore, episodes: Iterable[str], tags: Sequence[str]) -> list[Envelope]:
    """Some events of episodes, each episode's in order."""
    streams = [stream_name("episode", id_) for id_ in episodes]
    query = READ.where(log.c.stream.in_(streams), log.c.tag.in_(tags))
    with store.engine.connect() as connection:
        found = connection.execute(query.order_by(log.c.stream, log.c.version))
        return envelopes(found.all())


def _of_fork(store: EventStore, row: EpisodeRow) -> Iterator[tuple[Any, ...]]:
    cast: tuple[str, ...] = ()
    minds: tuple[str, ...] = ()
    for number, envelope, event in read_history(store, row.id):
        cast, minds = _seated(event, cast, minds)
        if isinstance(event, ActionTaken):
            yield _action(row, number, envelope, event, cast, minds)


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
    envelope: Envelope,
    event: ActionTaken,
    cast: tuple[str, ...],
    minds: tuple[str, ...],
) -> tuple[Any, ...]:
    """The columns of ``ACTIONS``."""
    action, failure = event.action, event.failure
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
        getattr(action, "to", None),
        envelope.stream != stream_name("episode", row.id),
        failure.reason if failure else None,
        failure.detail if failure else None,
        envelope.recorded_at,
    )


def _of_seat(words: tuple[str, ...], seat: int) -> str | None:
    return words[seat] if 0 <= seat < len(words) else None
