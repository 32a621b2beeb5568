"""Rows of the log by ranges of positions."""

import json
from collections.abc import Sequence
from typing import Any, cast

import sqlalchemy as sa

from store.log.position_ranges import Range
from store.log.rows import READ
from store.log.write_session import PlacedRow

_COLUMNS = ", ".join(f"log.{column.name}" for column in READ.selected_columns)
_SQLITE = (
    "FROM json_each(?) AS part CROSS JOIN log ON log.position "
    "BETWEEN part.value ->> 0 AND part.value ->> 1"
)
_POSTGRESQL = (
    "FROM unnest(%s::bigint[], %s::bigint[]) AS part (first, last) "
    "JOIN log ON log.position BETWEEN part.first AND part.last"
)


def rows_in(connection: sa.Connection, ranges: Sequence[Range]) -> list[PlacedRow]:
    """What there is at some ranges of positions, in order."""
    found = _select(connection, _COLUMNS, ranges, "ORDER BY log.position")
    return cast("list[PlacedRow]", found)


def payload_bytes(connection: sa.Connection, ranges: Sequence[Range]) -> int:
    """Bytes of all payloads there."""
    ((size,),) = _select(connection, "coalesce(sum(length(log.payload)), 0)", ranges)
    return int(size)


def _select(
    connection: sa.Connection, what: str, ranges: Sequence[Range], order: str = ""
) -> Sequence[tuple[Any, ...]]:
    """Straight from the driver: rows of SQLAlchemy cost as much again."""
    driver: Any = connection.connection.dbapi_connection
    if connection.dialect.name == "sqlite":
        cursor = driver.cursor()
        cursor.execute(f"SELECT {what} {_SQLITE} {order}", (json.dumps(ranges),))
    else:
        cursor = driver.cursor(binary=True)
        ends = [one[0] for one in ranges], [one[1] for one in ranges]
        cursor.execute(f"SELECT {what} {_POSTGRESQL} {order}", ends)
    try:
        return cursor.fetchall()  # type: ignore[no-any-return]
    finally:
        cursor.close()
