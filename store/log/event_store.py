"""The event store's interface and its types."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

import msgspec
import sqlalchemy as sa

from events.base import Envelope, Event

if TYPE_CHECKING:
    from store.errors import StoreUnavailable
    from store.log.write_session import WriteSession

Done = TypeVar("Done")

NEW = -1
"""Expected version of a stream that must not exist yet; also what ``version`` says of one."""
ANY = -2
"""No expectation: append behind whatever is there."""

BackendName = Literal["sqlite", "postgresql"]


class Appended(msgspec.Struct, frozen=True, kw_only=True):
    """What an append stored; a repeated append is answered with what the first one stored."""

    stream: str
    first_version: int
    """Of the first event stored."""
    last_version: int
    """Of the last event stored: what the next append expects."""
    last_position: int
    """Of the last event stored."""
    envelopes: tuple[Envelope, ...]
    """The events as they were stored, in order."""


class Snapshot(msgspec.Struct, frozen=True):
    """The state of a stream after one of its events, kept to save replaying all before it."""

    stream: str
    version: int
    """The last event that is in the state."""
    schema: str
    """Name and version of the state's shape, chosen by its owner."""
    state: bytes
    """In whatever encoding its owner chose."""


class Subscription(Protocol):
    """All events after a position: those stored already, then each new one, without end.

    Iterating blocks until there is a next event and ends when the subscription or the store is
    closed. Belongs to one thread; only ``close`` may be called from another.
    """

    position: int
    """The last position looked at."""

    def __iter__(self) -> Iterator[Envelope]: ...

    def __next__(self) -> Envelope: ...

    def take(self, timeout: float | None = None) -> list[Envelope]:
        """The next events, at least one; empty after ``timeout`` seconds or when closed."""
        ...

    def close(self) -> None:
        """Ends the iteration, also one that waits in another thread."""
        ...


class EventStore(Protocol):
    """An append-only log of streams. Safe to use from any thread.

    ``StoreUnavailable`` comes from reads when the database stays away too long, from appends only
    when the store is closed meanwhile: appends wait until the database is back, or has room again.
    """

    url: str
    backend: BackendName

    @property
    def waiting(self) -> int:
        """Events that were handed in and are neither stored nor refused yet."""
        ...

    @property
    def outage(self) -> "StoreUnavailable | None":
        """Why appends wait: the database is away, or has no room (``StoreFull``); None while they
        do not."""
        ...

    engine: sa.Engine
    """For projections and queries. Transactions that write go through
    ``store.database.engines.writing``."""

    def append(
        self,
        stream: str,
        expected: int,
        events: Sequence[Event],
        *,
        correlation: str = "",
        causation: str = "",
        event_ids: Sequence[str] | None = None,
    ) -> Appended:
        """Store the events behind version ``expected`` (or ``NEW``, ``ANY``), all or none.

        Returns when they are durable. With the same ``event_ids`` again it changes nothing and
        answers as the first time. Raises ``Conflict``, ``EventIdTaken``, ``BadAppend``,
        ``AppendFailed``, ``StoreClosed``.
        """
        ...

    def append_soon(
        self,
        stream: str,
        expected: int,
        events: Sequence[Event],
        *,
        correlation: str = "",
        causation: str = "",
        event_ids: Sequence[str] | None = None,
    ) -> asyncio.Future[Appended]:
        """``append`` for the running loop: returns at once, the future answers when durable.

        Appends to one stream are stored in the order of the calls. Cancelling the future does not
        take back the append. Raises ``StoreOverloaded`` at once when too much waits already.
        """
        ...

    def append_then(
        self,
        stream: str,
        expected: int,
        events: Sequence[Event],
        done: Callable[[Appended | Exception], None],
        *,
        correlation: str = "",
        causation: str = "",
        event_ids: Sequence[str] | None = None,
    ) -> None:
        """``append_soon`` without a future: ``done`` is called on the running loop, after this call
        has returned, with the answer or with what kept the events from being stored."""
        ...

    def read(
        self, stream: str, from_version: int = 0, to_version: int | None = None
    ) -> list[Envelope]:
        """The stream's events from one version to another, both included, in order."""
        ...

    def read_all(
        self, after: int = 0, *, tags: Sequence[str] | None = None, limit: int = 1000
    ) -> list[Envelope]:
        """Up to ``limit`` events behind a position, in the store's order; of some tags only."""
        ...

    def version(self, stream: str) -> int:
        """The stream's last version; ``NEW`` where there is no such stream."""
        ...

    def versions(self, *streams: str) -> tuple[int, ...]:
        """The last version of each of these streams, one or more, in one query."""
        ...

    def head(self) -> int:
        """The last position; 0 in an empty store."""
        ...

    def subscribe(self, after: int = 0, *, tags: Sequence[str] | None = None) -> Subscription:
        """Every event behind a position, then every new one as it is stored."""
        ...

    def save_snapshot(self, stream: str, version: int, schema: str, state: bytes) -> None:
        """Keep a state. Returns at once; it is written along with the next events."""
        ...

    def load_snapshot(self, stream: str, schema: str) -> Snapshot | None:
        """The latest state kept in this shape, or none."""
        ...

    def import_envelopes(self, envelopes: Sequence[Envelope]) -> int:
        """Take in streams from another store as they are: ids, versions and times stay.

        All or nothing; positions are new. What is here already is skipped. Returns how many
        events were stored. Raises ``HistoryDiffers``, ``BrokenImport``, ``EventIdTaken``.
        """
        ...

    def write_alone(self, work: "Callable[[WriteSession], Done]") -> "Done":
        """Do ``work`` in one transaction, while nobody else writes, once what was handed in before
        is stored; answers what it does. It is repeated where the database fails transiently, also
        where the answer to its commit was lost: it has to notice what it has done already."""
        ...

    def close(self) -> None:
        """Store what was handed in, then let go of the database. Harmless when repeated."""
        ...
