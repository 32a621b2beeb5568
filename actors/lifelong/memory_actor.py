"""The actor of one seat's memory in a chain: the only writer of the memory's stream."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from actors.episodes.encrypted_words import quotes_sealed
from actors.lifelong.memory.module import Kept, kept_of
from actors.lifelong.memory.recall import choose
from actors.lifelong.memory.remember_episode import remember
from actors.lifelong.rules import MemoryState, evolve_memory
from actors.lifelong.streams import oldest_first
from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from actors.models.limits.halts import HALTS, Halt
from actors.models.recording.call_log import LATE, CallLog
from actors.models.recording.stream_calls import StreamCalls
from actors.runtime.actors.persistent_actor import PersistentActor
from actors.runtime.bus.announcements import announce
from actors.runtime.bus.nats_bus import Bus
from events.base import Envelope, Event
from events.episode import EpisodeStarted
from events.memory import MemoryOpened, MemoryRecalled, MemorySpec, MemoryStep, MemoryWritten
from events.serialization.codec import event_of
from events.serialization.struct_types import decodable
from events.wire import subjects
from store.log.event_store import EventStore

BYTES_A_TOKEN = 8
"""More than a token of any prose has on average."""


class MemoryTask(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat's memory is to do for one episode of its chain."""

    step: MemoryStep
    seat: int
    memory: MemorySpec
    episode: str
    started: EpisodeStarted
    """The episode's beginning; says which chain, and which place in it."""
    character: str
    """The id of the character in the seat."""

    @property
    def address(self) -> str:
        """The memory's id: ``<chain>.<seat>``."""
        return f"{self.started.chain}.{self.seat}"


class Cancel:
    """To a memory's actor: ask no model anything more. An answer under way is still recorded."""


class Cancelled(Exception):
    """The task was cancelled; no model is to be asked anything more."""


class MemoryContext(Protocol):
    """What the memories of a process share, and who hears how their tasks ended."""

    store: EventStore
    bus: Bus
    caller: ModelCaller
    budget_of: Callable[[str], BudgetKeeper | None]

    def finished(self, address: str) -> None:
        """What came of the task is durable."""
        ...

    def halted(self, address: str, why: Halt) -> None:
        """The run may spend no more, or a model cannot be asked, so the task waits."""
        ...


class MemoryProgress(msgspec.Struct, frozen=True):
    """How far a memory is, and the answers its writer got last."""

    memory: MemoryState = MemoryState()
    calls: CallLog = CallLog()


class MemoryActor(PersistentActor[MemoryProgress]):
    """What one character keeps of the episodes of its chain.

    It lives for one task, which it begins by reading its stream: between two tasks lies an
    episode that another process may have gone on with, and what was asked there is not to be asked
    again. What is kept is read when it is needed, so that a long chain takes no more memory.
    """

    snapshot_schema = "memory-1"
    beside = LATE

    def __init__(self, context: MemoryContext, address: str, task: MemoryTask | None) -> None:
        """``task``: what is to be done without being told, after a restart."""
        run = task.started.run if task is not None else ""
        super().__init__(context.store, subjects.stream_name("memory", address), correlation=run)
        self.context = context
        self.address = address
        self.task = task
        self.at_work = False
        self.cancelled = False
        self.event_subject = subjects.event(context.bus.space, "memory", address)

    @property
    def calls(self) -> StreamCalls:
        """Records what the writer is asked; made for each, as in ``AgentActor._decide``."""
        return StreamCalls(self._calls_so_far, self.record_soon, self.claim)

    def initial(self) -> MemoryProgress:
        """A memory of which nothing is stored."""
        return MemoryProgress()

    def evolve(self, state: MemoryProgress, event: Event) -> MemoryProgress:
        """How far the memory is after the event, and the writer's calls."""
        return MemoryProgress(evolve_memory(state.memory, event), state.calls.evolve(event))

    def decide(self, state: MemoryProgress, command: object) -> Sequence[Event]:
        """A memory takes no commands; it records what came of its tasks."""
        raise TypeError(f"a memory takes MemoryTask and Cancel, not {type(command).__name__}")

    def dump(self, state: MemoryProgress) -> bytes:
        """The state as a snapshot."""
        return msgspec.msgpack.encode(state)

    def load(self, data: bytes) -> MemoryProgress:
        """The state of a snapshot."""
        return msgspec.msgpack.decode(data, type=decodable(MemoryProgress))

    def kept(self, events: Sequence[Event]) -> Sequence[Event]:
        """What repeats the words of a participant who can be erased is sealed."""
        return quotes_sealed(self.task.episode, events) if self.task is not None else events

    def announce(self, envelopes: Sequence[Envelope]) -> None:
        """Whoever follows the memory hears of every event."""
        announce(self.context.bus, self.event_subject, envelopes)

    def on_receive(self, message: object) -> object:
        """A task, unless it is under way; or its cancellation."""
        match message:
            case MemoryTask():
                self.task = message
                self._take_up()
            case Cancel():
                self.cancelled = True
                if not self.at_work:
                    self.leave()
            case _:
                return super().on_receive(message)
        return None

    def recovered(self) -> None:
        """Go on with what was under way."""
        self._take_up()

    def _take_up(self) -> None:
        if self.task is not None and not self.at_work:
            self.at_work = True
            self.spawn(self._carry_out(self.task))

    async def _carry_out(self, task: MemoryTask) -> None:
        self.correlation = task.started.run
        try:
            if task.step == "recall":
                await self._recall(task)
            else:
                await self._remember(task)
        except HALTS as why:
            self.leave()
            self.context.halted(self.address, why)
        except Cancelled:
            self.leave()
        else:
            self.leave()
            self.context.finished(self.address)

    async def _recall(self, task: MemoryTask) -> None:
        index = task.started.index
        if self.state.memory.recalled >= index:
            return
        chosen = await choose(
            task.memory,
            await asyncio.to_thread(self._kept, index),
            task.started,
            task.episode,
            task.seat,
            most=self._most_tokens(),
        )
        recalled = MemoryRecalled(
            index=index,
            episode=task.episode,
            recalled=chosen.recalled,
            dropped=chosen.dropped,
            tokens=chosen.tokens,
            limit=chosen.limit,
        )
        await self.record((*self._opening(task), recalled))

    async def _remember(self, task: MemoryTask) -> None:
        index = task.started.index
        if self.state.memory.written >= index:
            return
        written = await remember(
            self.store,
            task.memory,
            task.started.minds[task.seat],
            seat=task.seat,
            index=index,
            episode=task.episode,
            caller=self.context.caller,
            calls=self.calls,
            budget=self.context.budget_of(task.started.run),
        )
        await self.record((*self._opening(task), written))

    def _opening(self, task: MemoryTask) -> tuple[MemoryOpened, ...]:
        if self.state.memory.opened:
            return ()
        started = task.started
        return (
            MemoryOpened(
                chain=started.chain,
                seat=task.seat,
                character=task.character,
                memory=task.memory,
                run=started.run,
            ),
        )

    def _kept(self, index: int) -> list[Kept]:
        """What is kept of the episodes before ``index``, oldest first. Blocking."""
        kept = []
        for envelope in oldest_first(self.store, self.stream):
            if envelope.tag == MemoryWritten.__name__:
                written = event_of(envelope)
                assert isinstance(written, MemoryWritten)
                if written.index < index:
                    kept.append(kept_of(written))
        return kept

    def _most_tokens(self) -> int:
        """What of a memory can be sent at all: an observation is one message, and the episode's
        own words have to fit into it, too."""
        return self.context.bus.max_payload * 3 // 4 // BYTES_A_TOKEN

    def _calls_so_far(self) -> CallLog:
        if self.cancelled:
            raise Cancelled
        return self.state.calls
