"""The implementation of ``store.log.event_store.EventStore`` on a database."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

import sqlalchemy as sa

from events.base import Envelope, Event
from store import metrics
from store.database.engines import redacted
from store.errors import StoreUnavailable
from store.log.event_store import Appended, BackendName, Snapshot
from store.log.read_methods import LogReads
from store.log.reader import Reader
from store.log.subscriptions import Commits, LogSubscription
from store.log.write_session import WriteSession
from store.participants.participant_keys import ParticipantKeys, let_go
from store.writer.committer import Committer
from store.writer.import_streams import import_streams
from store.writer.pending_appends import prepare

Done = TypeVar("Done")


class DatabaseStore(LogReads):
    """See ``store.log.event_store.EventStore``. Made by ``store.open_store.open_store``."""

    def __init__(
        self,
        url: str,
        backend: BackendName,
        engine: sa.Engine,
        reader: Reader,
        session: WriteSession,
        keys: ParticipantKeys,
        most_queued: int,
    ) -> None:
        super().__init__(url, backend, engine, reader)
        self._keys = keys
        self._session = session
        self._commits = Commits()
        self._closed = False
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
        self._committer.commit_then(
            prepare(stream, expected, events, correlation, causation, event_ids), done
        )

    def subscribe(self, after: int = 0, *, tags: Sequence[str] | None = None) -> LogSubscription:
        return LogSubscription(
            self._reader.all, self._reader.head, self._commits, self._is_closed, after, tags
        )

    def save_snapshot(self, stream: str, version: int, schema: str, state: bytes) -> None:
        self._committer.save(Snapshot(stream, version, schema, state))

    def _newest_snapshot(self, stream: str) -> Snapshot | None:
        return self._committer.unsaved(stream) or super()._newest_snapshot(stream)

    def import_envelopes(self, envelopes: Sequence[Envelope]) -> int:
        return self.write_alone(lambda session: import_streams(session, envelopes))

    def write_alone(self, work: Callable[[WriteSession], Done]) -> Done:
        done: list[Done] = []

        def attempt() -> None:
            done.clear()
            with self._session.transaction():
                done.append(work(self._session))

        with self._committer.exclusive() as writer:
            writer.run_with_retries(attempt)
        self._committed(self.head())
        return done[0]

    def close(self) -> None:
        if not self._closed:
            let_go(self._keys)
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
