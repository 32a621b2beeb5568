"""The interface that a database must implement so that the log can be written to it."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeAlias

from events.base import Envelope
from store.log.event_store import Snapshot

LogRow: TypeAlias = tuple[str, str, int, str, int, int, str, str, bytes]
"""Event id, stream, version, tag, schema, recorded at, correlation, causation, payload."""

PlacedRow: TypeAlias = tuple[int, str, str, int, str, int, int, str, str, bytes]
"""A position, then what is in a ``LogRow``."""

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
    the last one committed: so the order of positions is the order of commits. There are holes only
    where something was taken out; something behind them says so.
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

    def archive(self, run: str, streams: Iterable[tuple[str, int, int]]) -> None:
        """Inside ``transaction``: let the log give away the streams of a run (each with its first
        and last version), and take nothing more of the run. Drops their snapshots."""
        ...

    def take_out(self, ranges: Sequence[tuple[int, int]]) -> int:
        """Inside ``transaction``: delete the events at some ranges of positions, first and last;
        answers how many there were. All of archived streams; the log's last one must stay."""
        ...

    def unarchive(self, run: str) -> None:
        """Inside ``transaction``: the streams of a run may be put back, and grow again."""
        ...

    def put_back(self, rows: Sequence[PlacedRow]) -> None:
        """Inside ``transaction``: insert events at the positions where they were."""
        ...

    def archived_run(self, stream: str, correlation: str) -> str:
        """The archived run for whose sake nothing is taken of a stream; empty: there is none."""
        ...


ARCHIVED_RUN = "SELECT run FROM archived_streams WHERE stream IN ({0}, {0}) LIMIT 1"
"""Of a stream and of its run's."""
UNARCHIVE = "DELETE FROM archived_streams WHERE run = {0}"
DROP_SNAPSHOTS = (
    "DELETE FROM snapshots WHERE stream IN (SELECT stream FROM archived_streams WHERE run = {0})"
)
