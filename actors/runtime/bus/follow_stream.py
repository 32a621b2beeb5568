"""Follows a stream from any version: first the stored events, then new ones, each exactly once.

Joining in the middle of a busy stream: listen first and hold what arrives, then read the store from
the last version known, then go on with what was held. NATS may lose, duplicate or reorder messages;
the versions reveal it, and missing events are read from the store.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Protocol

import msgspec
import structlog

from actors.runtime.bus.nats_bus import Handler, Received
from actors.runtime.log_throttle import seldom
from events.base import Envelope
from events.serialization.codec import LEFT_OUT, decode_envelope
from events.untrusted.safe_text import shortened
from events.wire import subjects
from store.log.event_store import NEW, EventStore

log = structlog.get_logger(__name__)

POLL_S = 5.0
"""How often the store is read though nothing was heard, in seconds: nothing else tells that the
latest event was lost on its way."""
MAX_HELD = 1000
"""The most events that are held while a hole before them is open; others are read again."""


class Subscription(Protocol):
    """What can be ended."""

    def unsubscribe(self) -> None:
        """The handler is not called again."""
        ...


class Announcements(Protocol):
    """Where appended events are heard of: a bus, or several as one."""

    space: str

    def subscribe_now(self, subject: str, handler: Handler) -> Subscription:
        """Have ``handler`` called with what comes to a subject."""
        ...

    def on_reconnect(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have ``callback`` called where something may have been missed; returns what takes it
        back."""
        ...

    async def flush(self) -> None:
        """Wait until subscriptions are known."""
        ...


class InOrder:
    """Puts one stream's envelopes in order, whatever way and however often they come."""

    def __init__(self, after: int = NEW) -> None:
        """``after``: the last version that is known already."""
        self.version = max(after, NEW)
        """The last version given out."""
        self._held: dict[int, Envelope] = {}

    def take(self, envelopes: Iterable[Envelope]) -> None:
        """Envelopes from the store or from NATS."""
        for envelope in envelopes:
            wanted = envelope.version > self.version
            if wanted and (len(self._held) < MAX_HELD or envelope.version == self.version + 1):
                self._held[envelope.version] = envelope

    def ready(self) -> Iterator[Envelope]:
        """Give out the envelopes that follow the last one given out."""
        while (envelope := self._held.pop(self.version + 1, None)) is not None:
            self.version = envelope.version
            yield envelope

    @property
    def hole(self) -> bool:
        """Whether something is missing before what is held."""
        return bool(self._held) and self.version + 1 not in self._held


async def follow(
    store: EventStore, bus: Announcements, stream: str, *, after: int = NEW, poll_s: float = POLL_S
) -> AsyncIterator[Envelope]:
    """Every event of a stream behind version ``after``, in order, without end.

    A stream that does not exist yet is waited for. Close the iterator (``contextlib.aclosing``) to
    stop listening. Raises ``StoreUnavailable`` when the database stays away.
    """
    order = InOrder(after)
    news = asyncio.Event()
    behind = True

    def heard(received: Received) -> None:
        try:
            envelope = decode_envelope(received.data)
        except (msgspec.MsgspecError, ValueError) as error:
            seldom.warning(
                log, "event_unreadable", subject=received.subject, error=shortened(str(error))
            )
            return
        if envelope.stream != stream:
            return
        if envelope.payload == LEFT_OUT:
            if envelope.version > order.version:
                reconnected()  # it is too large to be told: the store has it
            return
        order.take([envelope])
        news.set()

    def reconnected() -> None:
        nonlocal behind
        behind = True
        news.set()

    subscribed = bus.subscribe_now(subjects.event(bus.space, *subjects.split_stream(stream)), heard)
    forget = bus.on_reconnect(reconnected)
    try:
        # Only once the server knows of us nothing can slip between what is read and what is heard.
        await bus.flush()
        while True:
            if behind:
                behind = False
                order.take(await asyncio.to_thread(store.read, stream, order.version + 1))
            for envelope in order.ready():
                yield envelope
            if order.hole:
                # Events are stored before they are announced, so the store has what is missing.
                behind = True
                continue
            news.clear()
            try:
                await asyncio.wait_for(news.wait(), poll_s)
            except TimeoutError:
                behind = True
    finally:
        forget()
        subscribed.unsubscribe()
