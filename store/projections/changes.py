"""Changes to rows: those of one event, and those of many folded into one a row."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table

from store.projections.types import KEY_LENGTH, as_key, as_whole
from store.projections.upserts import Names, upsert

Key = tuple[Any, ...]


class Change(NamedTuple):
    """What one event changes in one row; the row is inserted where there is none.

    ``Changes.fold`` keeps ``values`` and ``add`` and changes them: give each event its own.
    """

    table: Table
    key: Key
    """Values of the key columns, in order."""
    values: dict[str, Any] | None = None
    """Columns that get a new value."""
    add: dict[str, Any] | None = None
    """Columns to which a number or a text is added; they begin at 0 or empty. None that any event
    sets."""


class Changes:
    """The changes of many events, folded so that each row is written once."""

    def __init__(self) -> None:
        self._rows: dict[Table, dict[Key, tuple[dict[str, Any], dict[str, Any]]]] = {}

    def __len__(self) -> int:
        """How many rows change."""
        return sum(map(len, self._rows.values()))

    def fold(self, changes: Iterable[Change]) -> None:
        """Take in the changes of the next event."""
        for table, key, values, add in changes:
            rows = self._rows.get(table)
            if rows is None:
                rows = self._rows[table] = {}
            row = rows.get(key)
            if row is None:
                key = _stored(key)
                row = rows.get(key)
                if row is None:
                    rows[key] = values or {}, add or {}
                    continue
            if values:
                row[0].update(values)
            if add:
                sums = row[1]
                if sums.keys().isdisjoint(add):
                    sums.update(add)
                    continue
                for name, amount in add.items():
                    sums[name] = sums[name] + amount if name in sums else amount

    def write(self, connection: Connection, into: Mapping[Table, Table] | None = None) -> None:
        """Write them all, to each table or to the one that stands for it in ``into``."""
        dialect = connection.dialect.name
        for table, rows in self._rows.items():
            alike: dict[tuple[Names, Names], list[Key]] = {}
            for key, (values, add) in rows.items():
                shape = tuple(values), tuple(add)
                row = (*key, *values.values(), *add.values())
                if shape in alike:
                    alike[shape].append(row)
                else:
                    alike[shape] = [row]
            target = table if into is None else into[table]
            for (changed, grown), many in alike.items():
                upsert(dialect, target, changed, grown).run(connection, many)


def _stored(key: Key) -> Key:
    """The key as the databases store it: cut and clamped, two keys may be one row."""
    for part in key:
        if isinstance(part, str):
            if len(part) > KEY_LENGTH or "\0" in part:
                break
        elif as_whole(part) != part:
            break
    else:
        return key
    return tuple(as_key(part) if isinstance(part, str) else as_whole(part) for part in key)
