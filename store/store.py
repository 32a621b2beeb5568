"""The implementation of ``store.log.EventStore`` on a database."""

import asyncio
from collections.abc import Sequence

import sqlalchemy as sa

from events.base import Envelope, Event
from store import metrics
from store.engines import redacted
from store.errors import StoreUnavailable
from store.importing import import_streams
from store.log import Appended, BackendName, Snapshot
from store.reading import Reader
from store.subscribing import Commits, LogSubscription
from store.writing.committer import Committer
from store.writing.pending import prepare
from store.writing.session import WriteSession


class DatabaseStore:
    """See ``store.log.EventStore``. Made by ``store.opening.open_store``."""

    def __init__(
        self,
        url: str,
        backend: BackendName,
        engine: sa.Engine,
        reader: Reader,
        session: WriteSession,
        most_queued: int,
    ) -> None:
        self.url = url
        self.backend = backend
        self.engine = engine
        self._session = session
        self._commits = Commits()
        self._closed = False
        self._reader = reader
        self._committer = Committer(session, backend, redacted(url), self._committed, most_queued)

    @property
    def waiting(self) -> int:
        return self._committer.waiting

    @property
    def outage(self) -> StoreUnavailable | None:
        return self._committer.outage

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
        return self._committer.commit(
            prepare(stream, expected, events, correlation, causation, event_ids)
        )

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
        return self._committer.commit_soon(
            prepare(stream, expected, events, correlation, causation, event_ids)
        )

    def read(
        self, stream: str, from_version: int = 0, to_version: int | None = None
    ) -> list[Envelope]:
        return self._reader.stream(stream, from_version, to_version)

    def read_all(
        self, after: int = 0, *, tags: Sequence[str] | None = None, limit: int = 1000
    ) -> list[Envelope]:
        return self._reader.all(after, tags, limit)

    def version(self, stream: str) -> int:
        return self._reader.version(stream)

    def head(self) -> int:
        return self._reader.head()

    def subscribe(self, after: int = 0, *, tags: Sequence[str] | None = None) -> LogSubscription:
        return LogSubscription(
            self._reader.all, self._reader.head, self._commits, self._is_closed, after, tags
        )

    def save_snapshot(self, stream: str, version: int, schema: str, state: bytes) -> None:
        self._committer.save(Snapshot(stream, version, schema, state))

    def load_snapshot(self, stream: str, schema: str) -> Snapshot | None:
        snapshot = self._committer.unsaved(stream) or self._reader.snapshot(stream)
        return snapshot if snapshot is not None and snapshot.schema == schema else None

    def import_envelopes(self, envelopes: Sequence[Envelope]) -> int:
        stored = 0

        def work() -> None:
            nonlocal stored
            with self._session.transaction():
                stored = import_streams(self._session, envelopes)

        with self._committer.exclusive() as writer:
            writer.run_with_retries(work)
        if stored:
            self._committed(self.head())
        return stored

    def close(self) -> None:
        self._closed = True
        self._committer.close()
        self._commits.announce()
        self._reader.close()
        self.engine.dispose()

    def _committed(self, head: int) -> None:
        metrics.head_position.set(head)
        self._commits.announce()

    def _is_closed(self) -> bool:
        return self._closed
