"""The actor of a chain: the only writer of the chain's stream."""

from collections.abc import Sequence

from actors.lifelong.rules import (
    SNAPSHOT_SCHEMA,
    Advance,
    Begin,
    ChainCommand,
    ChainState,
    decide,
    dump_state,
    evolve,
    load_state,
)
from actors.runtime.actors.persistent_actor import PersistentActor
from actors.runtime.bus.announcements import announce
from actors.runtime.bus.nats_bus import Bus
from events.base import Envelope, Event
from events.wire import subjects
from store.log.event_store import EventStore


class ChainActor(PersistentActor[ChainState]):
    """Owns one chain's truth. It lives for one command: between two of them lies an episode, which
    another process may have gone on with, so that what this one knew would be out of date."""

    snapshot_schema = SNAPSHOT_SCHEMA

    def __init__(self, store: EventStore, bus: Bus, chain: str, run: str) -> None:
        super().__init__(store, subjects.stream_name("chain", chain), correlation=run)
        self.bus = bus
        self.event_subject = subjects.event(bus.space, "chain", chain)

    def initial(self) -> ChainState:
        """Nothing has happened."""
        return ChainState()

    def evolve(self, state: ChainState, event: Event) -> ChainState:
        """What the rules say."""
        return evolve(state, event)

    def decide(self, state: ChainState, command: ChainCommand) -> Sequence[Event]:
        """What the rules say."""
        return decide(state, command)

    def dump(self, state: ChainState) -> bytes:
        """The state as a snapshot."""
        return dump_state(state)

    def load(self, data: bytes) -> ChainState:
        """The state of a snapshot."""
        return load_state(data)

    def on_receive(self, message: object) -> object:
        """Handle a command; the reply is the stream's version after it."""
        if not isinstance(message, Begin | Advance):
            raise TypeError(f"a chain takes Begin and Advance, not {type(message).__name__}")
        # Taken after the command: what is under way is finished first.
        self.stop()
        return super().on_receive(message)

    def announce(self, envelopes: Sequence[Envelope]) -> None:
        """Whoever follows the chain hears of every event."""
        announce(self.bus, self.event_subject, envelopes)
