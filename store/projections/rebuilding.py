"""Computing projections again from the log."""

from collections.abc import Callable, Sequence

import sqlalchemy as sa
import structlog

from store.engines import begin_writing
from store.log import EventStore
from store.projections.anew import Anew, made_anew
from store.projections.projection import Projection
from store.projections.registry import named
from store.projections.tables import projections
from store.projections.upserts import upsert

Progress = Callable[[int, int], None]
"""Told the position reached, and the one to reach."""

_log = structlog.get_logger(__name__)


def rebuild(
    store: EventStore,
    names: Sequence[str] = (),
    progress: Progress = lambda _reached, _last: None,
) -> dict[str, int]:
    """Fill some projections (all, when none are named) again from position 0.

    One pass over the log fills temporary tables, which then take the place of what was there, in
    one transaction: nobody ever sees a part, and whoever is interrupted has changed nothing.
    Answers the position each has reached. Raises ``UnknownId``.
    """
    chosen = named(names)
    _log.info("projections_rebuilding", projections=[one.name for one in chosen])
    with made_anew(store, chosen) as anew:
        last = store.head()
        for reached in anew.read(last):
            progress(reached, last)
        with begin_writing(anew.connection):
            _replace(store, anew, chosen)
    return {projection.name: anew.position for projection in chosen}


def _replace(store: EventStore, anew: Anew, chosen: Sequence[Projection]) -> None:
    """Put the rows made anew in the place of those that are there; in a transaction."""
    connection = anew.connection
    # The positions first: their rows are the lock that all writers of these tables take. From
    # here on they stay where they are, so that the rest of the log leads past them.
    reached = upsert(connection.dialect.name, projections, (), ("position",))
    reached.run(connection, [(projection.name, 0) for projection in chosen])
    for _ in anew.read(store.head()):
        pass
    for table, made in anew.tables.items():
        connection.execute(table.delete())
        connection.execute(
            table.insert().from_select([column.name for column in table.c], sa.select(made))
        )
    connection.execute(
        projections.update()
        .where(projections.c.name.in_([projection.name for projection in chosen]))
        .values(position=anew.position)
    )
