"""Leases: the right of one process at a time to do something. A lease has a holder, who renews it;
otherwise it expires. Leases are rows and not part of the log: eight hours of renewals leave nothing
behind.

All times come from the database, so clocks of different machines are never compared. Every change
of a row names the version that was read, and increments it: if two processes take a lease at once,
one of them finds it changed. Blocking.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from events.base import Value
from store.database.engines import redacted, writing
from store.database.tables import leases as t
from store.database.transient_errors import is_full, is_transient, reason
from store.errors import StoreFull, StoreUnavailable
from store.log.event_store import EventStore

MICRO: Final = 1_000_000
_TRIES: Final = 100
_NOW: Final[dict[str, sa.ColumnElement[int]]] = {
    "sqlite": sa.cast((sa.func.julianday("now") - 2440587.5) * 86_400.0 * MICRO, sa.BigInteger),
    "postgresql": sa.cast(sa.extract("epoch", sa.func.clock_timestamp()) * MICRO, sa.BigInteger),
}
"""Microseconds since 1970, UTC, by the database's clock."""


class Holder(Value, frozen=True, kw_only=True):
    """A process that holds leases."""

    process: str
    """No other process, on any machine, ever has this name."""
    host: str
    pid: int
    """On its machine."""
    command: str
    """What it was started as: ``serve``, ``resume``, …"""
    place: str = ""
    """The data folder that has its lock file; empty: none."""
    queue: str = ""
    """Whose job queue it has its jobs in; empty: the fleet's."""


class Lease(Holder, frozen=True, kw_only=True):
    """A lease as it was seen at a moment."""

    name: str
    """What may be done."""
    version: int
    """Raised by each change: taken, renewed."""
    since: int
    """When it was taken. This and what follows: the database's time, in microseconds since 1970."""
    renewed_at: int
    lapses_at: int
    now: int
    """When it was seen."""

    @property
    def lapsed(self) -> bool:
        """Whether anybody may take it."""
        return self.lapses_at <= self.now


class _Changed(Exception):
    """Another was quicker."""


def leases(store: EventStore, names: Collection[str] | None = None) -> list[Lease]:
    """The leases there are, lapsed ones included, by name; only those of some ``names``."""
    with store.engine.connect() as connection:
        return _read(connection, names)


def take(
    store: EventStore,
    names: Collection[str],
    holder: Holder,
    lapse_s: float,
    gone: Callable[[Lease], bool] = lambda _: False,
) -> list[Lease]:
    """Take all of some leases or none; those of others that stand in the way, none when they are
    taken. They lapse unless they are renewed within ``lapse_s`` seconds.

    A lease is free when there is no row of it, when it has lapsed, or when its holder is known to
    be ``gone``.
    """
    wanted = sorted(set(names))
    for _ in range(_TRIES):
        in_the_way = [one for one in leases(store, wanted) if _stands(one, holder, gone)]
        if in_the_way:
            return in_the_way
        try:
            with _changing(store) as connection:
                seen = {one.name: one for one in _read(connection, wanted)}
                if any(_stands(one, holder, gone) for one in seen.values()):
                    raise _Changed
                for name in wanted:
                    _take(connection, name, seen.get(name), holder, lapse_s)
        except (_Changed, IntegrityError):
            continue
        return []
    raise RuntimeError(f"{', '.join(wanted)} changed hands {_TRIES} times while it was taken")


def renew(store: EventStore, process: str, lapse_s: float) -> list[Lease]:
    """Renew all that a process holds; what that is: what is missing is another's."""
    now = _NOW[store.backend]
    with _changing(store) as connection:
        connection.execute(
            sa.update(t)
            .where(t.c.process == process)
            .values(
                version=t.c.version + 1,
                renewed_at=now,
                lapses_at=now + round(lapse_s * MICRO),
            )
        )
        return _rows(connection, t.c.process == process)


def leave(store: EventStore, process: str, names: Iterable[str]) -> None:
    """Give some leases back; harmless for those that are another's by now."""
    with _changing(store) as connection:
        connection.execute(sa.delete(t).where(t.c.process == process, t.c.name.in_(list(names))))


@contextmanager
def _changing(store: EventStore) -> Iterator[sa.Connection]:
    """A transaction. Raises ``StoreFull``, ``StoreUnavailable``."""
    try:
        with writing(store.engine) as connection:
            yield connection
    except sa.exc.DBAPIError as error:
        if not is_transient(error):
            raise
        kind = StoreFull if is_full(error) else StoreUnavailable
        raise kind(redacted(store.url), reason(error)) from error


def _stands(lease: Lease, holder: Holder, gone: Callable[[Lease], bool]) -> bool:
    return lease.process != holder.process and not lease.lapsed and not gone(lease)


def _take(
    connection: sa.Connection, name: str, seen: Lease | None, holder: Holder, lapse_s: float
) -> None:
    now = _NOW[connection.dialect.name]
    values = {
        **msgspec.structs.asdict(holder),
        "since": now,
        "renewed_at": now,
        "lapses_at": now + round(lapse_s * MICRO),
    }
    if seen is None:
        connection.execute(sa.insert(t).values(name=name, version=0, **values))
        return
    if seen.process == holder.process:
        values["since"] = seen.since
    done = connection.execute(
        sa.update(t)
        .where(t.c.name == name, t.c.version == seen.version)
        .values(version=seen.version + 1, **values)
    )
    if done.rowcount != 1:
        raise _Changed


def _read(connection: sa.Connection, names: Collection[str] | None) -> list[Lease]:
    return _rows(connection, sa.true() if names is None else t.c.name.in_(list(names)))


def _rows(connection: sa.Connection, which: sa.ColumnElement[bool]) -> list[Lease]:
    now = _NOW[connection.dialect.name].label("now")
    found = connection.execute(sa.select(t, now).where(which).order_by(t.c.name))
    return [Lease(**row._mapping) for row in found]
