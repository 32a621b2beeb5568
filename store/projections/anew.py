"""Projections made anew from the log, in temporary tables beside those that everybody reads.

Only the connection that made them sees them, and they go with it: whoever is interrupted leaves
nothing half-filled behind.
"""

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache, partial
from typing import Any

import sqlalchemy as sa

from events.base import Envelope, Event
from events.codec import event_of
from store.log import EventStore
from store.projections.changes import Changes
from store.projections.projection import Projection
from store.projections.registry import by_tag
from store.projections.shared_past import shared_past
from store.projections.upserts import STAGING

BATCH = 5_000
"""Events in memory at once."""
_CACHE_KIB = 65_536
"""Of SQLite, for the temporary tables."""


class Anew:
    """Some projections as the log makes them, up to ``position``."""

    def __init__(
        self, store: EventStore, connection: sa.Connection, projections: Sequence[Projection]
    ) -> None:
        self.connection = connection
        self.position = 0
        self.tables = {
            table: temporary(table) for projection in projections for table in projection.tables
        }
        self._store = store
        self._mappings = by_tag(projections)
        self._past = partial(shared_past, store)
        if connection.dialect.name == "sqlite":
            _relax(connection)
        with connection.begin():
            for table in self.tables.values():
                table.create(connection)
                if connection.dialect.name == "postgresql":
                    empty = sa.select(table).limit(0)
                    connection.execute(sa.CreateTableAs(empty, table.info[STAGING], temporary=True))

    def read(self, upto: int) -> Iterator[int]:
        """Take in the log from ``position`` to ``upto``; tells the position after each batch.

        In the transaction the connection is in, or in one a batch.
        """
        tags = list(self._mappings)
        while self.position < upto:
            envelopes = self._store.read_all(self.position, tags=tags, limit=BATCH)
            known = [envelope for envelope in envelopes if envelope.position <= upto]
            more = len(known) == BATCH
            with self._transaction():
                self.take(
                    ((envelope, event_of(envelope)) for envelope in known),
                    known[-1].position if more else upto,
                )
            yield self.position

    def take(self, happened: Iterable[tuple[Envelope, Event]], reached: int) -> None:
        """Take in the next events, of which ``reached`` is the last position; in a transaction."""
        mappings, past, nothing = self._mappings, self._past, ()
        changes = Changes()
        for envelope, event in happened:
            for mapping in mappings.get(envelope.tag, nothing):
                changes.fold(mapping(envelope, event, past))
        changes.write(self.connection, into=self.tables)
        self.position = reached

    def go_on(self, projection: Projection, upto: int) -> None:
        """Take one projection alone further, to ``upto``; in a transaction."""
        reached, full = self.position, True
        while full and reached < upto:
            envelopes = self._store.read_all(reached, tags=projection.tags, limit=BATCH)
            full = len(envelopes) == BATCH
            changes = Changes()
            for envelope in envelopes:
                if envelope.position <= upto:
                    changes.fold(projection.changes(envelope, event_of(envelope), self._past))
                reached = envelope.position
            changes.write(self.connection, into=self.tables)

    def _transaction(self) -> AbstractContextManager[object]:
        return nullcontext() if self.connection.in_transaction() else self.connection.begin()


@contextmanager
def made_anew(store: EventStore, projections: Sequence[Projection]) -> Iterator[Anew]:
    """Empty temporary tables for some projections; gone at the end of the block."""
    with store.engine.connect() as connection, _without_collector():
        connection.detach()
        yield Anew(store, connection, projections)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Events and rows go when nobody holds them; looking for cycles among so many of them, again
    and again, takes a sixth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@lru_cache(maxsize=100)
def temporary(table: sa.Table) -> sa.Table:
    """A table of the same columns that only its connection sees."""
    return sa.Table(
        f"anew_{table.name}",
        sa.MetaData(),
        *(
            sa.Column(
                column.name,
                column.type,
                primary_key=column.primary_key,
                nullable=column.nullable,
                autoincrement=False,
                server_default=_default(column),
            )
            for column in table.c
        ),
        prefixes=["TEMPORARY"],
        sqlite_with_rowid=False,
        info={STAGING: f"staged_{table.name}"},
    )


def _default(column: sa.Column[Any]) -> Any:
    default = column.server_default
    return default.arg if isinstance(default, sa.DefaultClause) else None


def _relax(connection: sa.Connection) -> None:
    """Nothing is lost with temporary tables: no journal, no waiting for the disk."""
    driver = connection.connection.cursor()
    for pragma in (f"cache_size = -{_CACHE_KIB}", "journal_mode = OFF", "synchronous = OFF"):
        driver.execute(f"PRAGMA temp.{pragma}")
    driver.close()
