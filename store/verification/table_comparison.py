"""Comparing the tables of projections with shadow tables filled from the log."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import sqlalchemy as sa

from events.serialization.codec import UnreadableEvent
from store.database.tables import log
from store.log.event_store import EventStore
from store.projections.maintenance.projector import catch_up
from store.projections.maintenance.shadow_tables import ShadowTables
from store.projections.projection import Projection
from store.projections.tables import projections
from store.projections.upserts import key_columns
from store.verification.defects import Defects

_EXAMPLES = 3
_TRIES = 5
"""How often projections are brought up to date again while another process sets them back."""


def compare(
    store: EventStore, shadows: ShadowTables, chosen: Sequence[Projection], defects: Defects
) -> int:
    """Compare the tables of some projections with their shadow tables; answers how many.

    Both at the position that the projection has in one snapshot of the database, so that others
    may go on writing.
    """
    for _ in range(_TRIES):
        try:
            catch_up(store, *chosen)
        except UnreadableEvent as error:
            what = f"they cannot be brought up to date: {error}"
            defects.add("projections", "all tables", what)
            return 0
        with _one_snapshot(shadows.connection):
            reached = _positions(shadows.connection)
            behind = [one for one in chosen if _lacks(shadows, one, reached.get(one.name, 0))]
            if not behind:
                return sum(
                    _compare(shadows, one, reached.get(one.name, 0), defects) for one in chosen
                )
    for one in behind:
        what = "it stays behind the log, however often it is brought up to date"
        defects.add("projections", f"projection {one.name}", what)
    return 0


@contextmanager
def _one_snapshot(connection: sa.Connection) -> Iterator[None]:
    """A transaction that sees nothing of what others commit meanwhile."""
    with connection.begin():
        if connection.dialect.name == "postgresql":
            # Its usual level shows each statement what was committed by then.
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def _positions(connection: sa.Connection) -> dict[str, int]:
    return {row.name: row.position for row in connection.execute(sa.select(projections))}


def _lacks(shadows: ShadowTables, projection: Projection, position: int) -> bool:
    """Whether the shadow tables hold events of a projection behind its position."""
    between = sa.select(
        sa.exists().where(
            log.c.position > position,
            log.c.position <= shadows.position,
            log.c.tag.in_(projection.tags),
        )
    )
    return position < shadows.position and bool(shadows.connection.execute(between).scalar())


def _compare(shadows: ShadowTables, projection: Projection, position: int, defects: Defects) -> int:
    shadows.fill_one(projection, position)
    for table in projection.tables:
        _compare_table(shadows.connection, table, shadows.tables[table], defects)
    return len(projection.tables)


def _compare_table(
    connection: sa.Connection, table: sa.Table, shadow: sa.Table, defects: Defects
) -> None:
    keys = key_columns(table)
    same_row = sa.and_(*(table.c[key] == shadow.c[key] for key in keys))
    same_values = [
        table.c[column.name].is_not_distinct_from(shadow.c[column.name])
        for column in table.c
        if column.name not in keys
    ]
    there, wanted, same = (
        connection.execute(query).scalar_one()
        for query in (
            sa.select(sa.func.count()).select_from(table),
            sa.select(sa.func.count()).select_from(shadow),
            sa.select(sa.func.count())
            .select_from(table.join(shadow, same_row))
            .where(*same_values),
        )
    )
    if there == wanted == same:
        return
    rows, expected = sa.select(table), sa.select(shadow)
    for few, what in (
        (sa.except_(rows, expected), "it has rows that the log does not lead to"),
        (sa.except_(expected, rows), "it lacks rows that the log leads to"),
    ):
        found = few.subquery()
        number = connection.execute(sa.select(sa.func.count()).select_from(found)).scalar_one()
        if number:
            of_keys = sa.select(*(found.c[key] for key in keys)).limit(_EXAMPLES)
            examples = "; ".join(
                ", ".join(
                    f"{key.rstrip('_')} {value}" for key, value in zip(keys, row, strict=True)
                )
                for row in connection.execute(of_keys)
            )
            defects.add(
                "projections",
                f"table {table.name}",
                f"{what}: {number:,}, for example {examples}; "
                "`troupe projections rebuild` mends it",
            )
