"""The base of actors whose state is read from a stream."""

import abc
import asyncio
import math
import time
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from actors.runtime.actors.loop_actor import LoopActor
from events.base import Envelope, Event
from events.serialization.codec import event_of
from store.log.event_store import NEW, EventStore

S = TypeVar("S")


class Stateful(LoopActor, Generic[S]):
    """A stream, the state it adds up to, and what a subclass of ``PersistentActor`` supplies."""

    snapshot_schema: ClassVar[str] = ""
    """Name and version of the state's shape; empty: no snapshots."""
    snapshot_every: ClassVar[int] = 100
    """Events between two snapshots."""

    __slots__ = (
        "correlation",
        "fresh",
        "owned_at",
        "state",
        "store",
        "stream",
        "version",
    )

    def __init__(
        self, store: EventStore, stream: str, *, correlation: str = "", fresh: bool = False
    ) -> None:
        """``fresh``: the stream is known not to exist, so nothing is read."""
        super().__init__()
        self.store = store
        self.stream = stream
        self.correlation = correlation
        self.fresh = fresh
        self.version = NEW
        """The last event in ``state``."""
        self.owned_at = time.monotonic() if fresh else -math.inf
        """Who writes to the stream since this moment (of ``time.monotonic``) has read what this
        actor has written, or fails; minus infinity: another may know as much of it."""
        self.state: S = self.initial()

    # ------------------------------------------------------------ for subclasses to supply

    @abc.abstractmethod
    def initial(self) -> S:
        """The state before the first event. Pure."""

    @abc.abstractmethod
    def evolve(self, state: S, event: Event) -> S:
        """The state after an event. Pure; also called in a reader's thread."""

    def evolve_all(self, state: S, events: Sequence[Event]) -> S:
        """The state after events that were appended together. Pure."""
        for event in events:
            state = self.evolve(state, event)
        return state

    @abc.abstractmethod
    def decide(self, state: S, command: Any) -> Sequence[Event]:
        """What a command makes happen; nothing if it has happened already. Pure. May raise
        ``CommandRefused``."""

    def recovered(self) -> None:
        """After the stream was read (not when ``fresh``): say again what may have been lost."""

    def announce(self, envelopes: Sequence[Envelope]) -> None:
        """Tell the world what is durable now. Before ``react``."""

    def react(self, appended: Sequence[tuple[int, Event]], envelopes: Sequence[Envelope]) -> None:
        """Act on what is durable now: version and event of each. ``state`` has evolved already.
        An error here ends the actor, for the facts stand: ``recovered`` makes up for it."""

    def causation(self, command: object) -> str:
        """The id of the event behind a command, stored with each of the events that it makes
        happen; empty: not known. A command that has a field ``causation`` brings it along."""
        return getattr(command, "causation", "")

    def acknowledgement(self, command: object, events: Sequence[Event]) -> object:
        """The reply to the sender of a command, sent once the command's events, if any, are
        durable."""
        return self.version

    def dump(self, state: S) -> bytes:
        """A state as a snapshot of ``snapshot_schema``."""
        raise NotImplementedError(f"{type(self).__name__} has a snapshot_schema but no dump")

    def load(self, data: bytes) -> S:
        """The state of a snapshot."""
        raise NotImplementedError(f"{type(self).__name__} has a snapshot_schema but no load")

    # ------------------------------------------------------------ reading

    async def _read(self) -> None:
        loop = asyncio.get_running_loop()
        self.version, self.state = await loop.run_in_executor(None, self._replay)
        self.owned_at = -math.inf

    def _replay(self) -> tuple[int, S]:
        version, state = NEW, self.initial()
        if self.snapshot_schema:
            snapshot = self.store.load_snapshot(self.stream, self.snapshot_schema)
            if snapshot is not None:
                version, state = snapshot.version, self.load(snapshot.state)
        for envelope in self.store.read(self.stream, version + 1):
            state = self.evolve(state, event_of(envelope))
            version = envelope.version
        return version, state
