"""What every store on a database reads of its log, whether it may write or not."""

from collections.abc import Sequence

import sqlalchemy as sa

from events.base import Envelope
from store.log.event_store import BackendName, Snapshot
from store.log.reader import Reader


class LogReads:
    """The reads of ``store.log.event_store.EventStore``."""

    def __init__(self, url: str, backend: BackendName, engine: sa.Engine, reader: Reader) -> None:
        self.url = url
        self.backend: BackendName = backend
        self.engine = engine
        self._reader = reader

    def read(
        self, stream: str, from_version: int = 0, to_version: int | None = None
    ) -> list[Envelope]:
        return self._reader.stream(stream, from_version, to_version)

    def read_all(
        self, after: int = 0, *, tags: Sequence[str] | None = None, limit: int = 1000
    ) -> list[Envelope]:
        return self._reader.all(after, tags, limit)

    def version(self, stream: str) -> int:
        return self._reader.versions(stream)[0]

    def versions(self, *streams: str) -> tuple[int, ...]:
        return self._reader.versions(*streams)

    def head(self) -> int:
        return self._reader.head()

    def load_snapshot(self, stream: str, schema: str) -> Snapshot | None:
        snapshot = self._newest_snapshot(stream)
        return snapshot if snapshot is not None and snapshot.schema == schema else None

    def _newest_snapshot(self, stream: str) -> Snapshot | None:
        return self._reader.snapshot(stream)
