"""All NATS servers on which a store's processes are heard, as one: the fleet's, or those that the
living processes bring with them, which come and go."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator

import structlog

from actors.runtime.bus.errors import BusDown, BusError
from actors.runtime.bus.nats_bus import Bus, Handler, Subscribed
from events.untrusted.redacted_urls import without_secrets
from gateway.process.discovery import Address, addresses
from gateway.settings import Settings

log = structlog.get_logger(__name__)

LOOK_S = 1.0
"""How often it is looked for servers that have come or gone, in seconds."""


class _Subscription:
    """One of several servers'."""

    __slots__ = ("_hearing", "handler", "on", "subject")

    def __init__(self, hearing: "EventSubscriptions", subject: str, handler: Handler) -> None:
        self._hearing, self.subject, self.handler = hearing, subject, handler
        self.on: dict[Bus, Subscribed] = {}

    def unsubscribe(self) -> None:
        """The handler is not called again."""
        self._hearing._forget(self)


class EventSubscriptions:
    """Listens and asks wherever somebody may be. Use it as ``async with Hearing(…)``."""

    def __init__(self, settings: Settings, own: Bus | None = None) -> None:
        """``own``: a connection that is there already, and is not closed here."""
        self.space = settings.space
        self._settings = settings
        self._own = own
        self._found: dict[Address, Bus] = {}
        self._subscriptions: set[_Subscription] = set()
        self._callbacks: list[Callable[[], None]] = []
        self._looking: asyncio.Task[None] | None = None
        if own is not None:
            own.on_reconnect(self._again)

    async def __aenter__(self) -> "EventSubscriptions":
        await self._look()
        self._looking = asyncio.get_running_loop().create_task(self._keep_looking())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        for bus in self._found.values():
            await bus.close()
        self._found.clear()

    @property
    def buses(self) -> tuple[Bus, ...]:
        """The connections, also those that are lost at present."""
        own = () if self._own is None else (self._own,)
        return (*own, *self._found.values())

    @property
    def connected(self) -> bool:
        """Whether any is there."""
        return any(bus.connected for bus in self.buses)

    def subscribe_now(self, subject: str, handler: Handler) -> _Subscription:
        """Have ``handler`` called with what comes, from whichever server."""
        subscription = _Subscription(self, subject, handler)
        self._subscriptions.add(subscription)
        for bus in self.buses:
            self._listen(subscription, bus)
        return subscription

    def on_reconnect(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have ``callback`` called whenever a server is there again, or is new."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback)

    async def flush(self) -> None:
        """Wait until those that are there know of all subscriptions."""
        for bus in self.buses:
            if bus.connected:
                # Who is lost just now is told when it is there again.
                with contextlib.suppress(BusDown):
                    await bus.flush()

    def publish(self, subject: str, data: bytes) -> None:
        """Publish a message to all listeners; what cannot be sent at once is lost."""
        for bus in self.buses:
            if bus.connected:
                with contextlib.suppress(BusError):
                    bus.publish(subject, data)

    def _listen(self, subscription: _Subscription, bus: Bus) -> None:
        with contextlib.suppress(BusError):
            subscription.on[bus] = bus.subscribe_now(subscription.subject, subscription.handler)

    def _forget(self, subscription: _Subscription) -> None:
        self._subscriptions.discard(subscription)
        for subscribed in subscription.on.values():
            subscribed.unsubscribe()
        subscription.on.clear()

    def _again(self) -> None:
        for callback in tuple(self._callbacks):
            callback()

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                await self._look()
            except Exception:
                # A file that goes while it is read, say: the next look finds what is there.
                log.exception("nats_not_looked_for")

    async def _look(self) -> None:
        """Connect to those that are new, and leave those that are gone."""
        wanted = set(await asyncio.to_thread(lambda: list(self._wanted())))
        for at in wanted - self._found.keys():
            with contextlib.suppress(BusDown):
                await self._connect(at)
        for at in self._found.keys() - wanted:
            await self._disconnect(at)

    def _wanted(self) -> Iterator[Address]:
        own = "" if self._own is None else self._own.url
        return (at for at in addresses(self._settings) if without_secrets(at.url) != own)

    async def _connect(self, at: Address) -> None:
        bus = await Bus.connect(at.url, token=at.token, space=at.space, name="troupe-watches")
        self._found[at] = bus
        bus.on_reconnect(self._again)
        for subscription in self._subscriptions:
            self._listen(subscription, bus)
        log.info("nats_found", url=bus.url)
        self._again()

    async def _disconnect(self, at: Address) -> None:
        bus = self._found.pop(at)
        for subscription in self._subscriptions:
            subscription.on.pop(bus, None)
        await bus.close()
        log.info("nats_gone", url=bus.url)
