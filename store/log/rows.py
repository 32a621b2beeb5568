"""Rows of the log and the envelopes they hold."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from events.base import Envelope
from store.database.tables import log

READ = sa.select(
    log.c.position,
    log.c.event_id,
    log.c.stream,
    log.c.version,
    log.c.tag,
    log.c.schema,
    log.c.recorded_at,
    log.c.correlation,
    log.c.causation,
    log.c.payload,
)
"""Every column that ``envelopes`` needs, in its order."""

READ_STREAM = sa.select(
    *(column for column in READ.selected_columns if column.name not in ("stream", "version"))
)
"""What ``stream_envelopes`` needs."""

SELECT = f"SELECT {', '.join(column.name for column in READ.selected_columns)} FROM log"  # noqa: S608
"""``READ`` for a driver's own connection."""


_AT_ONCE = 1000
"""Rows fetched together."""


def fetched(connection: sa.Connection, query: sa.Select[Any]) -> Iterator[tuple[Any, ...]]:
    """Rows straight from the driver: those of SQLAlchemy cost as much again."""
    for rows in fetched_together(connection, query):
        yield from rows


def fetched_together(
    connection: sa.Connection, query: sa.Select[Any]
) -> Iterator[Sequence[tuple[Any, ...]]]:
    """The same, many at once."""
    cursor = connection.execute(query).cursor
    assert cursor is not None, "a query answers rows"
    while rows := cursor.fetchmany(_AT_ONCE):
        yield rows


def streamed(connection: sa.Connection, query: sa.Select[Any]) -> Iterator[tuple[Any, ...]]:
    """The same as ``fetched``, of rows so large that PostgreSQL is to keep those that were not
    asked for yet. It takes more round trips, and nothing else may end the transaction meanwhile."""
    with connection.execute(query, execution_options={"stream_results": True}) as result:
        while rows := result.cursor_strategy.fetchmany(result, result.cursor, _AT_ONCE):
            yield from rows


def is_sqlite(connection: sa.Connection) -> bool:
    """Whether this is SQLite, not PostgreSQL."""
    return connection.dialect.name == "sqlite"


def look_up_by_index(connection: sa.Connection) -> None:
    """Have PostgreSQL use indexes for the rest of this transaction. While it has no statistics, as
    after a large import, it goes through the whole log for a few hundred streams."""
    if not is_sqlite(connection):
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")


def listed(connection: sa.Connection, words: sa.ColumnElement[Any]) -> sa.ColumnElement[str]:
    """Words that may be any, of all rows in one: the text of a JSON array. Of very many, rows cost
    more than what is in them."""
    text = sa.type_coerce(words, sa.Text)
    if is_sqlite(connection):
        return sa.func.json_group_array(text)
    return sa.cast(sa.func.json_agg(text), sa.Text)


def envelopes(rows: Iterable[Sequence[Any]]) -> list[Envelope]:
    """The envelopes in rows of ``READ``."""
    raw = msgspec.Raw
    return [
        Envelope(id_, stream, version, position, tag, schema, at, run, cause, raw(payload))
        for position, id_, stream, version, tag, schema, at, run, cause, payload in rows
    ]


def placed_envelopes(rows: Iterable[Sequence[Any]], first: int) -> list[Envelope]:
    """The envelopes in rows of ``store.log.write_session.LogRow``, which are at the positions from
    ``first`` on."""
    raw = msgspec.Raw
    return [
        Envelope(id_, stream, version, position, tag, schema, at, run, cause, raw(payload))
        for position, (id_, stream, version, tag, schema, at, run, cause, payload) in enumerate(
            rows, first
        )
    ]


def stream_envelopes(stream: str, first: int, rows: Iterable[Sequence[Any]]) -> list[Envelope]:
    """The envelopes of one stream from version ``first`` on, in rows of ``READ_STREAM``.

    Columns cost more than anything else in reading: the two that are known are not fetched.
    """
    raw = msgspec.Raw
    return [
        Envelope(id_, stream, version, position, tag, schema, at, run, cause, raw(payload))
        for version, (position, id_, tag, schema, at, run, cause, payload) in enumerate(rows, first)
    ]
