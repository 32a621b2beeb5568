"""Computing projections again from the log."""

from collections.abc import Sequence

import sqlalchemy as sa
import structlog

from store.database.engines import begin_writing
from store.log.event_store import EventStore
from store.progress import ReportProgress, no_report
from store.projections.maintenance.shadow_tables import ShadowTables, open_shadow_tables
from store.projections.projection import MOVES, Projection
from store.projections.registry import named
from store.projections.tables import projections
from store.projections.upserts import upsert

_log = structlog.get_logger(__name__)


def rebuild(
    store: EventStore, names: Sequence[str] = (), progress: ReportProgress = no_report
) -> dict[str, int]:
    """Fill some projections (all, when none are named) again from position 0.

    One pass over the log fills shadow tables, whose rows then replace those that were there, in
    one transaction: nobody ever sees a part, and a rebuild that is interrupted changes nothing.
    ``progress`` counts positions. Answers the position each has reached. Raises ``UnknownId``.
    """
    chosen = named(names)
    _log.info("projections_rebuilding", projections=[one.name for one in chosen])
    with open_shadow_tables(store, chosen) as shadows:
        last = store.head()
        for reached in shadows.fill(last):
            progress(reached, last)
        with begin_writing(shadows.connection):
            _replace(store, shadows, chosen)
    return {projection.name: shadows.position for projection in chosen}


def _replace(store: EventStore, shadows: ShadowTables, chosen: Sequence[Projection]) -> None:
    """Put the shadow tables' rows in the place of the real ones; inside a transaction."""
    connection = shadows.connection
    # The positions first: their rows are the lock that all writers of these tables take. From
    # here on nobody else moves them, so the rest of the log is applied here.
    reached = upsert(connection.dialect.name, projections, (), ("position",))
    reached.run(connection, [(projection.name, 0) for projection in chosen])
    # Of a run that left the log or came back since, a part was seen: whoever catches up next goes
    # on there, and makes its rows anew.
    head = store.head()
    moved = store.read_all(shadows.position, tags=MOVES, limit=1)
    for _ in shadows.fill(moved[0].position - 1 if moved else head):
        pass
    for table, shadow in shadows.tables.items():
        connection.execute(table.delete())
        connection.execute(
            table.insert().from_select([column.name for column in table.c], sa.select(shadow))
        )
    connection.execute(
        projections.update()
        .where(projections.c.name.in_([projection.name for projection in chosen]))
        .values(position=shadows.position)
    )
