"""What a database has to offer for the log to be written to it."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeAlias

from events.base import Envelope
from store.log import Snapshot

LogRow: TypeAlias = tuple[str, str, int, str, int, int, str, str, bytes]
"""Event id, stream, version, tag, schema, recorded at, correlation, causation, payload."""

COLUMNS = (
    "event_id",
    "stream",
    "version",
    "tag",
    "schema",
    "recorded_at",
    "correlation",
    "causation",
    "payload",
)


def save_snapshot(placeholder: str) -> str:
    """The statement that keeps a snapshot in the place of the stream's older one."""
    return (
        "INSERT INTO snapshots (stream, version, schema, state) "  # noqa: S608 - no value in it
        f"VALUES ({', '.join([placeholder] * 4)}) ON CONFLICT (stream) DO UPDATE SET "
        "version = excluded.version, schema = excluded.schema, state = excluded.state"
    )


class WriteSession(Protocol):
    """A held connection that writes the log. Used by one thread at a time.

    Transactions of different sessions on one database never overlap, and positions go on from
    the last one committed: so the order of positions is the order of commits, without holes.
    """

    errors: type[Exception]
    """What the driver raises."""

    def connect(self) -> None:
        """Open the connection, or open it again when it is broken."""
        ...

    def close(self) -> None: ...

    def write(self, rows: Sequence[LogRow], snapshots: Sequence[Snapshot]) -> int:
        """One whole transaction: insert and commit. Returns the first row's position."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """A transaction: committed at the end of the block, rolled back on an exception."""
        ...

    def savepoint(self) -> AbstractContextManager[None]:
        """A part of the transaction that is undone alone on an exception."""
        ...

    def insert(self, rows: Sequence[LogRow]) -> int:
        """Insert inside ``transaction``. Returns the first row's position."""
        ...

    def last_versions(self, streams: Sequence[str]) -> dict[str, int]:
        """The last version of each stream that exists."""
        ...

    def correlations(self, streams: Sequence[str]) -> dict[str, str]:
        """What the first event of each stream that exists is correlated to."""
        ...

    def stored(self, event_ids: Sequence[str]) -> list[Envelope]:
        """The events that have one of these ids, by position."""
        ...
