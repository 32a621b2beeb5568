"""Changes to rows: what one event means, many folded into few, and how they are written."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import Insert

from store.projections.tables import key_columns

_NOTHING: Mapping[str, Any] = {}


class Change(NamedTuple):
    """What one event does to one row; the row is made where it is not there yet."""

    table: Table
    key: tuple[Any, ...]
    """Values of the key columns, in order."""
    values: Mapping[str, Any] = _NOTHING
    """Columns that get a new value."""
    add: Mapping[str, int] = _NOTHING
    """Columns that grow, from 0."""


class _Row:
    __slots__ = ("add", "values")

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.add: dict[str, int] = {}


class Changes:
    """The changes of many events, folded so that each row is written once."""

    def __init__(self) -> None:
        self._rows: dict[Table, dict[tuple[Any, ...], _Row]] = {}

    def fold(self, changes: Iterable[Change]) -> None:
        """Take in the changes of the next event."""
        for table, key, values, add in changes:
            rows = self._rows.setdefault(table, {})
            row = rows.get(key)
            if row is None:
                row = rows[key] = _Row()
            row.values.update(values)
            for name, amount in add.items():
                row.add[name] = row.add.get(name, 0) + amount

    def write(self, connection: Connection) -> int:
        """Write them all; answers how many rows that were."""
        written = 0
        for table, rows in self._rows.items():
            keys = key_columns(table)
            alike: dict[tuple[frozenset[str], frozenset[str]], list[dict[str, Any]]] = {}
            for key, row in rows.items():
                shape = (frozenset(row.values), frozenset(row.add))
                parameters = {**dict(zip(keys, key, strict=True)), **row.values, **row.add}
                alike.setdefault(shape, []).append(parameters)
            for (values, add), many in alike.items():
                connection.execute(upsert(connection.dialect.name, table, values, add), many)
            written += len(rows)
        return written


@lru_cache(maxsize=256)
def upsert(dialect: str, table: Table, values: frozenset[str], add: frozenset[str]) -> Insert:
    """Insert a row, or change the columns ``values`` and let the columns ``add`` grow."""
    keys = key_columns(table)
    make: Any = postgresql.insert if dialect == "postgresql" else sqlite.insert
    insert: Any = make(table)
    changed = {name: insert.excluded[name] for name in sorted(values)}
    changed |= {name: table.c[name] + insert.excluded[name] for name in sorted(add)}
    if not changed:
        statement: Insert = insert.on_conflict_do_nothing(index_elements=keys)
    else:
        statement = insert.on_conflict_do_update(index_elements=keys, set_=changed)
    return statement
