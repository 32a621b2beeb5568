"""Whether the tables of the projections are what the log makes of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import sqlalchemy as sa

from events.codec import UnreadableEvent
from store.log import EventStore
from store.projections.anew import Anew
from store.projections.projection import Projection
from store.projections.projector import catch_up
from store.projections.tables import key_columns, projections
from store.tables import log
from store.verifying.findings import Findings

_EXAMPLES = 3
_TRIES = 5
"""How often projections that somebody else has set back are brought up to date again."""


def compare(store: EventStore, anew: Anew, chosen: Sequence[Projection], findings: Findings) -> int:
    """Compare tables with what was made anew; answers how many.

    Each is compared at the position it has in one moment's view of the database: others may go
    on writing.
    """
    for _ in range(_TRIES):
        try:
            catch_up(store, *chosen)
        except UnreadableEvent as error:
            what = f"they cannot be brought up to date: {error}"
            findings.add("projections", "all tables", what)
            return 0
        with _one_moment(anew.connection):
            reached = _positions(anew.connection)
            behind = [one for one in chosen if _lacks(anew, one, reached.get(one.name, 0))]
            if not behind:
                return sum(
                    _compare(anew, one, reached.get(one.name, 0), findings) for one in chosen
                )
    for one in behind:
        what = "it stays behind the log, however often it is brought up to date"
        findings.add("projections", f"projection {one.name}", what)
    return 0


@contextmanager
def _one_moment(connection: sa.Connection) -> Iterator[None]:
    """A transaction that sees nothing of what others commit meanwhile."""
    with connection.begin():
        if connection.dialect.name == "postgresql":
            # Its usual level shows each statement what was committed by then.
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


def _positions(connection: sa.Connection) -> dict[str, int]:
    return {row.name: row.position for row in connection.execute(sa.select(projections))}


def _lacks(anew: Anew, projection: Projection, position: int) -> bool:
    """Whether events that concern a projection are in what was made anew, but not in its rows."""
    between = sa.select(
        sa.exists().where(
            log.c.position > position,
            log.c.position <= anew.position,
            log.c.tag.in_(projection.tags),
        )
    )
    return position < anew.position and bool(anew.connection.execute(between).scalar())


def _compare(anew: Anew, projection: Projection, position: int, findings: Findings) -> int:
    anew.go_on(projection, position)
    for table in projection.tables:
        _compare_table(anew.connection, table, anew.tables[table], findings)
    return len(projection.tables)


def _compare_table(
    connection: sa.Connection, table: sa.Table, made: sa.Table, findings: Findings
) -> None:
    keys = key_columns(table)
    same_row = sa.and_(*(table.c[key] == made.c[key] for key in keys))
    same_values = [
        table.c[column.name].is_not_distinct_from(made.c[column.name])
        for column in table.c
        if column.name not in keys
    ]
    there, wanted, same = (
        connection.execute(query).scalar_one()
        for query in (
            sa.select(sa.func.count()).select_from(table),
            sa.select(sa.func.count()).select_from(made),
            sa.select(sa.func.count()).select_from(table.join(made, same_row)).where(*same_values),
        )
    )
    if there == wanted == same:
        return
    rows, expected = sa.select(table), sa.select(made)
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
            findings.add(
                "projections",
                f"table {table.name}",
                f"{what}: {number:,}, for example {examples}; "
                "`troupe projections rebuild` mends it",
            )
