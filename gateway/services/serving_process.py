"""The process that a use case runs in, as far as services need to know it."""

from typing import Any, Protocol

from actors.runtime.bus.nats_bus import Bus
from gateway.process.worker_node import WorkerNode
from gateway.settings import Settings
from store.log.event_store import EventStore


class ServingProcess(Protocol):
    """A process that serves people and programs; to handlers it is a
    ``gateway.http.context.Gateway``, which has more."""

    settings: Settings
    store: EventStore
    bus: Bus
    node: WorkerNode | None
    """What plays in this process; None: it only serves."""
    live: Any
    """Episodes as they are watched live, and what hears of their events; None: not begun yet."""
    studies: Any
    """Studies as they are looked after."""
