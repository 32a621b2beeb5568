"""The process that a use case runs in, as far as services need to know it."""

from typing import Protocol

from actors.runtime.bus.nats_bus import Bus
from gateway.process.subscription import EventSubscriptions
from gateway.process.worker_node import WorkerNode
from gateway.settings import Settings
from store.log.event_store import EventStore


class LiveEvents(Protocol):
    """What is watched live in a process."""

    hearing: EventSubscriptions
    """What hears of the events of episodes, and reaches those who play them."""


class ServingProcess(Protocol):
    """A process that serves people and programs; to handlers it is a
    ``gateway.http.context.Gateway``, which has more."""

    settings: Settings
    store: EventStore
    bus: Bus
    node: WorkerNode | None
    """What plays in this process; None: it only serves."""
    live: LiveEvents | None
    """None: not begun yet."""
    studies: object
    """Studies as they are looked after; a ``StudySupervisor``, once it is begun."""
