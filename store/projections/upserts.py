"""Writing many rows at once: new ones are inserted, in those that are there some columns change.

SQLAlchemy writes the statements, once; the driver is given the rows. That takes a third of the
time that handing each row through SQLAlchemy does.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from store.projections.tables import key_columns
from store.projections.types import stored

Names = tuple[str, ...]
Rows = Sequence[Sequence[Any]]
Makers = tuple[Callable[[Sequence[Any]], Sequence[Any]], ...]
"""For each column what makes of its values what is stored."""

STAGING = "staging"
"""In a table's ``info``: the table through which rows are copied into it, on PostgreSQL."""


class Upsert(Protocol):
    """Writes rows of the key's columns, then those that change, then those that grow."""

    def run(self, connection: sa.Connection, rows: Rows) -> None:
        """Write them; no key may be among them twice."""
        ...


@lru_cache(maxsize=512)
def upsert(dialect: str, table: sa.Table, values: Names, add: Names) -> Upsert:
    """Insert rows, or change the columns ``values`` and let the columns ``add`` grow."""
    keys = key_columns(table)
    columns = (*keys, *values, *add)
    makers = tuple(stored(table.c[name].type) for name in columns)
    if dialect != "postgresql":
        insert: Any = sqlite.insert(table).values({name: sa.bindparam(name) for name in columns})
        compiled = _changing(insert, table, values, add).compile(dialect=_SQLITE)
        order = tuple(columns.index(name) for name in compiled.positiontup)
        return _RowByRow(str(compiled), makers, order)
    staging = table.info.get(STAGING)
    source = sa.table(staging, *map(sa.column, columns)) if staging else _lists(table, columns)
    insert = postgresql.insert(table).from_select(columns, sa.select(*source.c))
    text = str(_changing(insert, table, values, add).compile(dialect=_POSTGRESQL))
    if staging is None:
        # Lists in the driver's binary form cost half as much as in text.
        return _AllAtOnce(text.replace(")s::", ")b::"), makers, columns)
    kinds = tuple(_KINDS[_plain(table.c[name].type).as_generic().__class__] for name in columns)
    return _Copied(staging, ", ".join(columns), kinds, text, makers)


class _RowByRow(NamedTuple):
    """For SQLite: a statement that is run once a row."""

    text: str
    makers: Makers
    order: tuple[int, ...]
    """Where the statement's parameters stand in a row."""

    def run(self, connection: sa.Connection, rows: Rows) -> None:
        lists = _made(self.makers, rows)
        ordered = (lists[place] for place in self.order)
        connection.exec_driver_sql(self.text, [*zip(*ordered, strict=True)])


class _AllAtOnce(NamedTuple):
    """For PostgreSQL: one statement whatever the number of rows, with a list for each column."""

    text: str
    makers: Makers
    columns: Names

    def run(self, connection: sa.Connection, rows: Rows) -> None:
        lists = map(list, _made(self.makers, rows))
        connection.exec_driver_sql(self.text, dict(zip(self.columns, lists, strict=True)))


class _Copied(NamedTuple):
    """For many rows on PostgreSQL: copied into another table, from where they are merged.

    Takes a third of the time of lists, but needs that table.
    """

    staging: str
    columns: str
    kinds: Names
    merge: str
    makers: Makers

    def run(self, connection: sa.Connection, rows: Rows) -> None:
        driver: Any = connection.connection.dbapi_connection
        into = f"COPY {self.staging} ({self.columns}) FROM STDIN (FORMAT BINARY)"
        with driver.cursor() as cursor, cursor.copy(into) as copy:
            copy.set_types(self.kinds)
            for row in zip(*_made(self.makers, rows), strict=True):
                copy.write_row(row)
        connection.exec_driver_sql(self.merge)
        connection.exec_driver_sql(f"TRUNCATE {self.staging}")


_SQLITE = sqlite.dialect(paramstyle="qmark")
_POSTGRESQL = postgresql.psycopg.dialect()  # type: ignore[no-untyped-call]
_KINDS: dict[type[sa.types.TypeEngine[Any]], str] = {
    sa.Text: "text",
    sa.String: "text",
    sa.BigInteger: "int8",
    sa.Float: "float8",
    sa.Boolean: "bool",
}


def _made(makers: Makers, rows: Rows) -> list[Sequence[Any]]:
    """What is stored, column by column."""
    columns = zip(*rows, strict=True)
    return [make(values) for make, values in zip(makers, columns, strict=True)]


def _changing(insert: Any, table: sa.Table, values: Names, add: Names) -> Any:
    """The statement with what it does to rows that are there."""
    keys = key_columns(table)
    changed = {name: insert.excluded[name] for name in values}
    changed |= {name: table.c[name] + insert.excluded[name] for name in add}
    if not changed:
        return insert.on_conflict_do_nothing(index_elements=keys)
    return insert.on_conflict_do_update(index_elements=keys, set_=changed)


def _lists(table: sa.Table, columns: Names) -> sa.FromClause:
    lists = [
        sa.bindparam(name, type_=postgresql.ARRAY(_plain(table.c[name].type))) for name in columns
    ]
    return sa.func.unnest(*lists).table_valued(*columns).render_derived("rows")


def _plain(type_: sa.types.TypeEngine[Any]) -> sa.types.TypeEngine[Any]:
    """The database's own type, for values that have their stored form already."""
    return type_.impl_instance if isinstance(type_, sa.TypeDecorator) else type_
