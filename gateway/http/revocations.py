"""What was revoked elsewhere, learned within a second: its sockets are closed, and the next request
looks again."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

import structlog

from events.access import TokenRevoked
from events.wire.subjects import split_stream
from gateway.http.authentication import Access
from store.log.event_store import EventStore

if TYPE_CHECKING:
    from gateway.http.context import Gateway

LOOK_S: Final = 1.0
"""How often the store is asked, in seconds."""
TAGS: Final = (TokenRevoked.__name__,)
CLOSE: Final = 4001
"""The code that sockets are closed with."""

log = structlog.get_logger(__name__)


class Revocations:
    """What was revoked since it was last asked."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._position: int | None = None

    def take(self) -> Sequence[str]:
        """The ids of those tokens. Blocking."""
        # The head first: what is stored meanwhile lies behind it and comes the next time.
        head = self._store.head()
        if self._position is None:
            self._position = head
        found = self._store.read_all(self._position, tags=TAGS)
        self._position = max(head, found[-1].position if found else 0)
        return [split_stream(envelope.stream)[1] for envelope in found]


@asynccontextmanager
async def running(gateway: "Gateway") -> AsyncIterator[None]:
    """Look as long as the gateway serves."""
    task = asyncio.get_running_loop().create_task(_watch(gateway))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _watch(gateway: "Gateway") -> None:
    revocations = Revocations(gateway.store)
    while True:
        try:
            tokens = await asyncio.to_thread(revocations.take)
        except Exception as error:  # noqa: BLE001 - the database is away; requests look themselves
            log.warning("revocations_not_read", error_type=type(error).__name__)
        else:
            if tokens:
                close_all(gateway, gateway.access, frozenset(tokens))
        await asyncio.sleep(LOOK_S)


def close_all(gateway: "Gateway", access: Access, tokens: frozenset[str]) -> None:
    """Nobody goes on with one of these tokens."""
    for token in tokens:
        access.states.forget(token)
    clients = gateway.live.clients if gateway.live is not None else ()
    for client in clients:
        if client.principal.token in tokens:
            client.leave("expired", CLOSE)
    log.info("tokens_revoked", tokens=sorted(tokens))
