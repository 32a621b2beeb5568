"""Tables that a rebuild fills beside the real ones: temporary, of the same columns.

Only the connection that made them sees them, and they end with it: a rebuild that is interrupted
leaves nothing behind.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache, partial
from typing import Any

import sqlalchemy as sa

from events.base import Envelope, Event
from events.serialization.codec import reader_of
from store.garbage_collection import without_collector
from store.log.event_store import EventStore
from store.log.read_ahead import read_ahead
from store.projections.changes import Changes
from store.projections.maintenance.shared_history import shared_past
from store.projections.projection import Projection
from store.projections.registry import by_tag
from store.projections.upserts import STAGING

BATCH = 5_000
"""Events in memory at once."""
ROWS = 20_000
"""Changed rows in memory before they are written. A statement has its price whatever the number of
its rows, and a row that changes again meanwhile is written once."""
_CACHE_KIB = 65_536
"""Of SQLite, for the temporary tables."""


class ShadowTables:
    """The tables of some projections, filled from the log up to ``position``."""

    def __init__(
        self, store: EventStore, connection: sa.Connection, projections: Sequence[Projection]
    ) -> None:
        self.connection = connection
        self.position = 0
        """The last position that was applied; its rows are there after ``flush``."""
        self.tables = {
            table: shadow_of(table) for projection in projections for table in projection.tables
        }
        """By the table whose columns they have."""
        self._store = store
        self._mappings = by_tag(projections)
        self._event_of = reader_of(list(self._mappings))
        self._changes = Changes()
        self._past = partial(shared_past, store)
        if connection.dialect.name == "sqlite":
            _relax(connection)
        with connection.begin():
            for table in self.tables.values():
                table.create(connection)
                if connection.dialect.name == "postgresql":
                    empty = sa.select(table).limit(0)
                    connection.execute(sa.CreateTableAs(empty, table.info[STAGING], temporary=True))

    def fill(self, upto: int) -> Iterator[int]:
        """Apply the log from ``position`` to ``upto``; yields the position after each batch, and
        flushes at the end."""
        read = self._event_of
        for envelopes in read_ahead(
            self._store, self.position, upto, BATCH, tags=list(self._mappings)
        ):
            self.apply(
                ((envelope, read(envelope)) for envelope in envelopes),
                envelopes[-1].position if len(envelopes) == BATCH else upto,
            )
            yield self.position
        self.flush()

    def apply(self, events: Iterable[tuple[Envelope, Event]], position: int) -> None:
        """Apply the next events, up to and including ``position``."""
        mappings, past, nothing = self._mappings, self._past, ()
        changes = self._changes
        for envelope, event in events:
            for mapping in mappings.get(envelope.tag, nothing):
                changes.fold(mapping(envelope, event, past))
        self.position = position
        if len(changes) >= ROWS:
            self.flush()

    def flush(self) -> None:
        """Write the rows changed since the last time: in the connection's transaction, or, where it
        has none, in one of its own."""
        with self._transaction():
            self._changes.write(self.connection, into=self.tables)
        self._changes = Changes()

    def fill_one(self, projection: Projection, upto: int) -> None:
        """Apply the log to one projection's tables alone, from ``position`` to ``upto``; inside a
        transaction. ``position`` stays."""
        self.flush()
        reached, full = self.position, True
        while full and reached < upto:
            envelopes = self._store.read_all(reached, tags=projection.tags, limit=BATCH)
            full = len(envelopes) == BATCH
            for envelope in envelopes:
                if envelope.position <= upto:
                    self._changes.fold(
                        projection.changes(envelope, self._event_of(envelope), self._past)
                    )
                reached = envelope.position
            self.flush()

    def _transaction(self) -> AbstractContextManager[object]:
        return nullcontext() if self.connection.in_transaction() else self.connection.begin()


@contextmanager
def open_shadow_tables(
    store: EventStore, projections: Sequence[Projection]
) -> Iterator[ShadowTables]:
    """Empty shadow tables of some projections; dropped at the end of the block."""
    with store.engine.connect() as connection, without_collector():
        connection.detach()
        yield ShadowTables(store, connection, projections)


@lru_cache(maxsize=100)
def shadow_of(table: sa.Table) -> sa.Table:
    """A temporary table with a table's columns and key."""
    return sa.Table(
        f"shadow_{table.name}",
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
    """Let SQLite keep temporary tables without a journal and without waiting for the disk: they
    end with the connection anyway."""
    driver = connection.connection.cursor()
    for pragma in (f"cache_size = -{_CACHE_KIB}", "journal_mode = OFF", "synchronous = OFF"):
        driver.execute(f"PRAGMA temp.{pragma}")
    driver.close()
