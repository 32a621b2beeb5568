"""What operators and researchers did: who, what, to what, when."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

import structlog

from events.access import DeedDone
from events.base import Value
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from gateway.services.access.roles import Principal
from store.log.event_store import ANY, EventStore
from store.log.stream_ids import ids_of

KIND: Final = "audit"
"""Of the streams, one a day."""

log = structlog.get_logger(__name__)


class AuditRow(Value, frozen=True, kw_only=True):
    """One deed."""

    at: int
    """When, in microseconds since 1970-01-01 UTC."""
    done: DeedDone
    """What."""


async def audit(
    store: EventStore, principal: Principal, deed: str, subject: str = "", *, address: str = ""
) -> None:
    """Record what somebody is about to do, or has just done; returns when it is stored."""
    await asyncio.to_thread(record_deed, store, principal, deed, subject, address=address)


def record_deed(
    store: EventStore,
    principal: Principal | None,
    deed: str,
    subject: str = "",
    *,
    address: str = "",
) -> None:
    """The same, blocking; without a principal: somebody at a terminal."""
    done = DeedDone(
        by=principal.name if principal else "",
        role=principal.role if principal else "operator",
        token=principal.token if principal else "",
        deed=deed,
        subject=subject,
        address=address,
    )
    store.append(stream_name(KIND, f"{datetime.now(UTC):%Y%m%d}"), ANY, [done])
    log.info("audit", by=done.by, role=done.role, deed=deed, subject=subject)


def deeds(store: EventStore, *, most: int = 1_000) -> Iterator[AuditRow]:
    """The latest deeds, the newest first. Blocking."""
    left = most
    for day in sorted(ids_of(store, KIND), reverse=True):
        stream = stream_name(KIND, day)
        last = store.version(stream)
        for envelope in reversed(store.read(stream, max(0, last - left + 1))):
            done = event_of(envelope)
            assert isinstance(done, DeedDone)
            yield AuditRow(at=envelope.recorded_at, done=done)
            left -= 1
        if left <= 0:
            return
