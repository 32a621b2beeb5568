"""Reading the log."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import sqlalchemy as sa
import structlog
import tenacity

from events.base import Envelope
from store.database.engines import redacted
from store.database.tables import log, snapshots
from store.database.transient_errors import is_transient, reason
from store.errors import StoreUnavailable
from store.log.event_store import NEW, Snapshot
from store.log.rows import READ, READ_STREAM, envelopes, stream_envelopes

LAST = 2**62
"""No version is above it. A number that an event names may be, and databases take 64 bits."""
READ_TIMEOUT_S = 30
"""How long a read that failed transiently is repeated, in seconds."""

_big = sa.BigInteger()
_of_stream = log.c.stream == sa.bindparam("stream")
_STREAM = READ_STREAM.where(
    _of_stream, log.c.version >= sa.bindparam("first", type_=_big)
).order_by(log.c.version)
_STREAM_PART = _STREAM.where(log.c.version <= sa.bindparam("last", type_=_big))
_ALL = (
    READ.where(log.c.position > sa.bindparam("after", type_=_big))
    .order_by(log.c.position)
    .limit(sa.bindparam("most", type_=_big))
)
_HEAD = sa.select(sa.func.max(log.c.position))
_SNAPSHOT = sa.select(
    snapshots.c.stream, snapshots.c.version, snapshots.c.schema, snapshots.c.state
).where(snapshots.c.stream == sa.bindparam("stream"))

_logger = structlog.get_logger(__name__)


class Reader:
    """The queries of ``store.log.event_store.EventStore``.

    SQLAlchemy writes them once and the driver runs them: for the few events of a usual stream
    that takes an eighth of the time.
    """

    def __init__(self, engine: sa.Engine) -> None:
        """``engine`` is one of ``create_engine(…, reading=True)``."""
        self._engine = engine
        self._options = {"binary": True} if engine.dialect.name == "postgresql" else {}
        self._retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(is_transient),
            wait=tenacity.wait_exponential_jitter(multiplier=0.1, max=1, jitter=0.1),
            stop=tenacity.stop_after_delay(READ_TIMEOUT_S),
            before_sleep=self._log_retry,
        )

    def stream(self, stream: str, first: int, last: int | None) -> list[Envelope]:
        """A part of one stream."""
        if "\0" in stream:  # no such stream, and nothing that PostgreSQL can be asked for
            return []
        first = min(max(first, 0), LAST)
        values = {"stream": stream, "first": first}
        if last is None:
            rows = self._rows(_STREAM, values)
        else:
            rows = self._rows(_STREAM_PART, {**values, "last": min(last, LAST)})
        return stream_envelopes(stream, first, rows)

    def all(self, after: int, tags: Sequence[str] | None, most: int) -> list[Envelope]:
        """A part of the whole log."""
        values: dict[str, Any] = {"after": after, "most": most}
        if tags is None:
            return envelopes(self._rows(_ALL, values))
        if not tags:
            return []
        values |= {f"tag{number}": tag for number, tag in enumerate(tags)}
        return envelopes(self._rows(_tagged(len(tags)), values))

    def versions(self, *streams: str) -> tuple[int, ...]:
        # As a part of a stream: none has a NUL in its name.
        named = {f"stream{n}": one.partition("\0")[0] for n, one in enumerate(streams)}
        found = self._rows(_versions(len(streams)), named)[0]
        return tuple(
            NEW if version is None or "\0" in stream else int(version)
            for stream, version in zip(streams, found, strict=True)
        )

    def head(self) -> int:
        return int(self._rows(_HEAD, {})[0][0] or 0)

    def snapshot(self, stream: str) -> Snapshot | None:
        """The snapshot of a stream, whatever its schema, or None."""
        rows = self._rows(_SNAPSHOT, {"stream": stream})
        return Snapshot(*rows[0]) if rows else None

    def close(self) -> None:
        self._engine.dispose()

    def _rows(self, query: sa.Select[Any], values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """A query's rows; repeated for up to ``READ_TIMEOUT_S`` while it fails transiently."""
        text, defaults = _written(query, self._engine.dialect)
        values = {**defaults, **values}
        try:
            return self._once(text, values)
        except Exception as error:
            if not is_transient(error):
                raise
        try:
            return self._retrying(self._once, text, values)
        except tenacity.RetryError as error:
            last = error.last_attempt.exception()
            raise StoreUnavailable(redacted(self._engine.url), reason(last)) from last

    def _once(self, text: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        pooled = self._engine.raw_connection()
        try:
            cursor = pooled.cursor(**self._options)
            try:
                cursor.execute(text, values)
                return cursor.fetchall()  # type: ignore[return-value]
            finally:
                cursor.close()
        except Exception as error:
            if is_transient(error):
                pooled.invalidate(error)
                self._engine.dispose()  # the others in the pool are no better
            raise
        finally:
            pooled.close()

    def _log_retry(self, state: tenacity.RetryCallState) -> None:
        _logger.warning(
            "store.read_retried",
            url=redacted(self._engine.url),
            reason=reason(state.outcome.exception() if state.outcome else None),
            again_in_s=round(state.upcoming_sleep, 2),
        )


@lru_cache(maxsize=100)
def _written(query: sa.Select[Any], dialect: sa.Dialect) -> tuple[str, dict[str, Any]]:
    """A query in a database's language, and the values that it brings itself."""
    written = query.compile(dialect=dialect)
    return str(written), dict(written.params)


@lru_cache(maxsize=10)
def _versions(streams: int) -> sa.Select[Any]:
    """The last version of each of some streams. One of many events is not read to the end for it,
    as it would be to group by stream."""
    last = sa.select(sa.func.max(log.c.version))
    return sa.select(
        *(
            last.where(log.c.stream == sa.bindparam(f"stream{number}")).scalar_subquery()
            for number in range(streams)
        )
    )


@lru_cache(maxsize=100)
def _tagged(tags: int) -> sa.Select[Any]:
    return _ALL.where(log.c.tag.in_([sa.bindparam(f"tag{number}") for number in range(tags)]))
