"""Rows of the log by ranges of positions."""

import json
from collections.abc import Sequence
from typing import cast

import sqlalchemy as sa

from store.archiving.ranges import Range
from store.rows import READ
from store.writing.session import PlacedRow

_COLUMNS = ", ".join(f"log.{column.name}" for column in READ.selected_columns)
_SQLITE = (
    f"SELECT {_COLUMNS} FROM json_each(?) AS part CROSS JOIN log ON log.position "  # noqa: S608
    "BETWEEN part.value ->> 0 AND part.value ->> 1 ORDER BY part.key, log.position"
)
_POSTGRESQL = (
    f"SELECT {_COLUMNS} FROM unnest(%s::bigint[], %s::bigint[]) AS part (first, last) "  # noqa: S608
    "JOIN log ON log.position BETWEEN part.first AND part.last ORDER BY log.position"
)


def rows_in(connection: sa.Connection, ranges: Sequence[Range]) -> list[PlacedRow]:
    """What there is at some ranges of positions, in order. Straight from the driver: rows of
    SQLAlchemy cost as much again."""
    driver = connection.connection.dbapi_connection
    assert driver is not None, "the connection is open"
    if connection.dialect.name == "sqlite":
        cursor = driver.cursor()
        cursor.execute(_SQLITE, (json.dumps(ranges),))
    else:
        cursor = driver.cursor(binary=True)
        cursor.execute(_POSTGRESQL, ([one[0] for one in ranges], [one[1] for one in ranges]))
    found = cast("list[PlacedRow]", cursor.fetchall())
    cursor.close()
    return found
