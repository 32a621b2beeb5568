"""The memory of one seat of a chain: the one writer of its stream."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from actors.lifelong.memory.module import Kept, kept_of
from actors.lifelong.memory.recall import choose
from actors.lifelong.memory.remembering import remember
from actors.lifelong.rules import MemoryState, evolve_memory
from actors.models.budget import BudgetKeeper
from actors.models.caller import ModelCaller
from actors.models.errors import BudgetSpent
from actors.models.recording import CallLog
from actors.models.stream_calls import StreamCalls
from actors.runtime.bus import Bus
from actors.runtime.persistent import PersistentActor
from events import subjects
from events.base import Envelope, Event
from events.codec import encode, event_of
from events.episode import EpisodeStarted
from events.memory import MemoryOpened, MemoryRecalled, MemorySpec, MemoryStep, MemoryWritten
from store.log import EventStore

BYTES_A_TOKEN = 8
"""More than a token of any prose has on average."""


class Errand(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat's memory is to do for one episode of its chain."""

    step: MemoryStep
    seat: int
    memory: MemorySpec
    episode: str
    started: EpisodeStarted
    """The episode's beginning; says which chain, and which place in it."""

    @property
    def address(self) -> str:
        """The memory's id: ``<chain>.<seat>``."""
        return f"{self.started.chain}.{self.seat}"


class Leave:
    """To a memory's actor: ask no model anything more. An answer under way is still recorded."""


class Left(Exception):
    """The memory was told to leave; its writer is to ask nothing more."""


class Desk(Protocol):
    """Who sends memories on errands."""

    store: EventStore
    bus: Bus
    caller: ModelCaller
    budget_of: Callable[[str], BudgetKeeper | None]

    def done(self, address: str) -> None:
        """What came of the errand is durable."""
        ...

    def waits(self, address: str, spent: BudgetSpent) -> None:
        """The run may spend no more, so the errand waits."""
        ...


class Progress(msgspec.Struct, frozen=True):
    """How far a memory is, and the answers its writer got last."""

    memory: MemoryState = MemoryState()
    calls: CallLog = CallLog()


class MemoryActor(PersistentActor[Progress]):
    """What one character keeps of the episodes of its chain.

    It lives for one errand, which it begins by reading its stream: between two errands lies an
    episode that another process may have gone on with, and what was asked there is not to be asked
    again. What is kept is read when it is needed, so that a long chain takes no more memory.
    """

    snapshot_schema = "memory-1"

    def __init__(self, desk: Desk, address: str, errand: Errand | None) -> None:
        """``errand``: what is to be done without being sent on it, after a restart."""
        run = errand.started.run if errand is not None else ""
        super().__init__(desk.store, subjects.stream_name("memory", address), correlation=run)
        self.desk = desk
        self.address = address
        self.errand = errand
        self.at_work = False
        self.leaving = False
        self.calls = StreamCalls(self._calls_so_far, self.record_soon, self.verify_ownership)
        self.event_subject = subjects.event(desk.bus.space, "memory", address)

    def initial(self) -> Progress:
        """Nothing is remembered."""
        return Progress()

    def evolve(self, state: Progress, event: Event) -> Progress:
        """What the rules say, and the writer's calls."""
        return Progress(evolve_memory(state.memory, event), state.calls.evolve(event))

    def decide(self, state: Progress, command: object) -> Sequence[Event]:
        """A memory takes no commands; it records what came of its errands."""
        raise TypeError(f"a memory is sent on errands, not {type(command).__name__}")

    def dump(self, state: Progress) -> bytes:
        """The state as a snapshot."""
        return msgspec.msgpack.encode(state)

    def load(self, data: bytes) -> Progress:
        """The state of a snapshot."""
        return msgspec.msgpack.decode(data, type=Progress)

    def announce(self, envelopes: Sequence[Envelope]) -> None:
        """Whoever follows the memory hears of every event."""
        for envelope in envelopes:
            self.desk.bus.publish(self.event_subject, encode(envelope))

    def on_receive(self, message: object) -> object:
        """An errand, unless it is under way; or the wish that there be no more."""
        match message:
            case Errand():
                self.errand = message
                self._set_out()
            case Leave():
                self.leaving = True
                if not self.at_work:
                    self.leave()
            case _:
                return super().on_receive(message)
        return None

    def recovered(self) -> None:
        """Go on with what was under way."""
        self._set_out()

    def _set_out(self) -> None:
        if self.errand is not None and not self.at_work:
            self.at_work = True
            self.spawn(self._carry_out(self.errand))

    async def _carry_out(self, errand: Errand) -> None:
        self.correlation = errand.started.run
        try:
            if errand.step == "recall":
                await self._recall(errand)
            else:
                await self._remember(errand)
        except BudgetSpent as spent:
            self.leave()
            self.desk.waits(self.address, spent)
        except Left:
            self.leave()
        else:
            self.leave()
            self.desk.done(self.address)

    async def _recall(self, errand: Errand) -> None:
        index = errand.started.index
        if self.state.memory.recalled >= index:
            return
        chosen = await choose(
            errand.memory,
            await asyncio.to_thread(self._kept, index),
            errand.started,
            errand.episode,
            errand.seat,
            most=self._most_tokens(),
        )
        recalled = MemoryRecalled(
            index=index,
            episode=errand.episode,
            recalled=chosen.recalled,
            dropped=chosen.dropped,
            tokens=chosen.tokens,
            limit=chosen.limit,
        )
        await self.record((*self._opening(errand), recalled))

    async def _remember(self, errand: Errand) -> None:
        index = errand.started.index
        if self.state.memory.written >= index:
            return
        written = await remember(
            self.store,
            errand.memory,
            errand.started.minds[errand.seat],
            seat=errand.seat,
            index=index,
            episode=errand.episode,
            caller=self.desk.caller,
            calls=self.calls,
            budget=self.desk.budget_of(errand.started.run),
        )
        await self.record((*self._opening(errand), written))

    def _opening(self, errand: Errand) -> tuple[MemoryOpened, ...]:
        if self.state.memory.opened:
            return ()
        started = errand.started
        return (
            MemoryOpened(
                chain=started.chain,
                seat=errand.seat,
                character=started.setup.cast[errand.seat].id,
                memory=errand.memory,
                run=started.run,
            ),
        )

    def _kept(self, index: int) -> list[Kept]:
        """What is kept of the episodes before ``index``, oldest first. Blocking."""
        kept = []
        for envelope in self.store.read(self.stream):
            if envelope.tag == MemoryWritten.__name__:
                written = event_of(envelope)
                assert isinstance(written, MemoryWritten)
                if written.index < index:
                    kept.append(kept_of(written))
        return kept

    def _most_tokens(self) -> int:
        """What of a memory can be sent at all: an observation is one message, and the episode's
        own words have to fit into it, too."""
        return self.desk.bus.nats.max_payload * 3 // 4 // BYTES_A_TOKEN

    def _calls_so_far(self) -> CallLog:
        if self.leaving:
            raise Left
        return self.state.calls
