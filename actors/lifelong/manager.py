"""Carries out the chains of one process: before each episode memories are recalled, after it notes
are written."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import msgspec
import structlog
from pykka import ActorDeadError

from actors.episodes.process.factories import ENDING_TAGS, EpisodeFactory
from actors.episodes.process.manager import LOOK_S, EpisodeManager
from actors.episodes.process.outcome import OVER, OWNERSHIP_LOST, STOPPING, Outcome, halted
from actors.lifelong.actor import ChainActor
from actors.lifelong.memory_actor import Cancel, MemoryActor, MemoryTask
from actors.lifelong.rules import Advance, Begin, ChainCommand
from actors.lifelong.streams import due_in, last_event
from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from actors.models.limits.halts import Halt
from actors.runtime.actors.failure_event import record_failure
from actors.runtime.actors.host import ActorHost
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.errors import OwnershipLost
from events.base import Event
from events.chain import ChainFailed, ChainStarted, EpisodeOutcome
from events.episode import EpisodeFailed, EpisodeStarted
from events.memory import MemoryFailed, MemoryStep
from events.wire import subjects
from store.log.event_store import EventStore

log = structlog.get_logger(__name__)


class Pending(msgspec.Struct):
    """A memory has a task, and somebody waits for it."""

    task: MemoryTask
    future: asyncio.Future[Outcome]


class Playing(msgspec.Struct):
    """An episode of a chain under way."""

    begun: ChainStarted
    chain: str
    task: asyncio.Task[Outcome]


class ChainManager:
    """The chains of one process, their memories, and what is done with each episode.

    Everything is done in steps of which each is durable before the next begins and does nothing
    when it was done before. So whoever plays an episode after a crash does again what is not in
    the store, and nothing else.

    ``on_halt`` is called with a run and why something of it cannot go on; whoever carries it out
    pauses it.
    """

    def __init__(
        self,
        store: EventStore,
        bus: Bus,
        host: ActorHost,
        episodes: EpisodeManager,
        caller: ModelCaller,
        budget_of: Callable[[str], BudgetKeeper | None],
        on_halt: Callable[[str, Halt], None],
    ) -> None:
        self.store, self.bus, self.host, self.episode_manager = store, bus, host, episodes
        self.caller, self.budget_of, self.on_halt = caller, budget_of, on_halt
        self.playing: dict[str, Playing] = {}
        """By episode."""
        self.pending: dict[str, Pending] = {}
        """By memory."""
        self.leaving = False
        host.register(ChainFactory(self))
        host.register(MemoryFactory(self))
        host.on_ownership_lost.append(self._taken_over)

    async def play(self, begun: ChainStarted, episode: str, started: EpisodeStarted) -> Outcome:
        """Play the episode of a chain that ``started`` begins, have every seat remember it, and
        advance the chain; what of that was done before is not done again."""
        playing = self.playing.get(episode)
        if playing is None:
            task = asyncio.get_running_loop().create_task(self._play(begun, episode, started))
            playing = self.playing[episode] = Playing(begun, started.chain, task)
            task.add_done_callback(lambda task: self._played(episode, task))
        return await asyncio.shield(playing.task)

    async def give_up(
        self, chain: str, episodes: Sequence[str], reason: str, attempts: int
    ) -> None:
        """Record that the chain cannot go on, and so none of those episodes of it that are not
        over. Harmless when the chain is over, and when repeated."""
        if await asyncio.to_thread(due_in, self.store, chain) is None:
            return
        factory = EpisodeFactory(self.episode_manager)
        for episode in episodes:
            await factory.give_up(episode, f"its chain was given up: {reason}", attempts)
        failed = ChainFailed(reason=reason, attempts=attempts)
        stream = subjects.stream_name("chain", chain)
        await asyncio.to_thread(record_failure, self.store, stream, failed)

    async def suspend_all(self, grace_s: float) -> None:
        """Suspend every chain. Models that are writing a note may still answer within ``grace_s``
        seconds; their answers are recorded, since they are paid for."""
        self.leaving = True
        addresses = list(self.pending)
        for address in addresses:
            if ("memory", address) in self.host:
                self.host.tell("memory", address, Cancel())
        try:
            async with asyncio.timeout(grace_s):
                # Rare and short: not worth an event in every actor.
                while any(("memory", address) in self.host for address in addresses):  # noqa: ASYNC110
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            log.warning("notes_not_awaited", grace_s=grace_s)
        # Only now: who takes the episodes up sooner asks the same models again.
        for address in addresses:
            self._end(address, STOPPING)

    # ------------------------------------------------------------ what memories say

    def finished(self, address: str) -> None:
        """What came of a memory's task is durable."""
        self._end(address, OVER)

    def halted(self, address: str, why: Halt) -> None:
        """A memory cannot go on: its chain stays where it is."""
        pending = self.pending.get(address)
        self._end(address, halted(why))
        if pending is not None:
            self.on_halt(pending.task.started.run, why)

    def _taken_over(self, kind: str, id_: str) -> None:
        if kind == "memory":
            self._end(id_, OWNERSHIP_LOST)

    # ------------------------------------------------------------ one episode, step by step

    async def _play(self, begun: ChainStarted, episode: str, started: EpisodeStarted) -> Outcome:
        chain, index = started.chain, started.index
        due = await asyncio.to_thread(due_in, self.store, chain)
        if due is None or index < due:
            return OVER
        if index > due:
            why = (
                f"episode {index} of chain {chain} cannot be played yet: episode {due} is not over"
            )
            return Outcome("not_yet", why)
        steps: tuple[Callable[[], Awaitable[Outcome]], ...] = (
            partial(self._begin, chain, begun, index),
            partial(self._send, "recall", begun, episode, started),
            partial(self._play_episode, episode, started),
            partial(self._send, "remember", begun, episode, started),
            partial(self._advance, chain, index, episode),
        )
        for step in steps:
            outcome = await step()
            if not outcome.is_over:
                return outcome
        return OVER

    async def _begin(self, chain: str, begun: ChainStarted, index: int) -> Outcome:
        return OVER if index else await self._tell_chain(chain, Begin(started=begun))

    async def _play_episode(self, episode: str, started: EpisodeStarted) -> Outcome:
        """The episode is played to its end, from where it is."""
        last = await self._last(episode)
        if type(last).__name__ in ENDING_TAGS:
            return OVER
        if self.leaving:
            return STOPPING
        first = started if last is None else None
        return await self.episode_manager.play(episode, started.run, first)

    async def _advance(self, chain: str, index: int, episode: str) -> Outcome:
        failed = isinstance(await self._last(episode), EpisodeFailed)
        result: EpisodeOutcome = "failed" if failed else "ended"
        return await self._tell_chain(chain, Advance(index=index, episode=episode, outcome=result))

    async def _last(self, episode: str) -> Event | None:
        stream = subjects.stream_name("episode", episode)
        return await asyncio.to_thread(last_event, self.store, stream)

    async def _tell_chain(self, chain: str, command: ChainCommand) -> Outcome:
        try:
            try:
                await self.host.ask("chain", chain, command)
            except ActorDeadError:
                # It was about to stop, having carried out another command; the next one will not.
                await self.host.ask("chain", chain, command)
        except OwnershipLost:
            return OWNERSHIP_LOST
        return OVER

    async def _send(
        self, step: MemoryStep, begun: ChainStarted, episode: str, started: EpisodeStarted
    ) -> Outcome:
        """Have the memories of all seats do something; one that cannot does not stop the others:
        what they ask of a model is paid for."""
        tasks = [
            MemoryTask(
                step=step,
                seat=seat,
                memory=begun.memory,
                episode=episode,
                started=started,
                character=character,
            )
            for seat, character in enumerate(begun.characters)
        ]
        outcomes = await asyncio.gather(*map(self._do, tasks), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        return next((one for one in outcomes if isinstance(one, Outcome) and not one.is_over), OVER)

    async def _do(self, task: MemoryTask) -> Outcome:
        address = task.address
        while (before := self.pending.get(address)) is not None:
            # Of an episode that another process has played meanwhile.
            await asyncio.wait({before.future})
        if self.leaving:
            return STOPPING
        pending = Pending(task, asyncio.get_running_loop().create_future())
        self.pending[address] = pending
        self.host.tell("memory", address, task)
        return await pending.future

    def _end(self, address: str, outcome: Outcome) -> None:
        pending = self.pending.pop(address, None)
        if pending is not None and not pending.future.done():
            pending.future.set_result(outcome)

    def _played(self, episode: str, task: asyncio.Task[Outcome]) -> None:
        del self.playing[episode]
        if not task.cancelled():
            task.exception()  # the caller may be gone by now


class ChainFactory:
    """Makes the actors of chains."""

    kind = "chain"

    def __init__(self, manager: ChainManager) -> None:
        self.manager = manager

    def create(self, chain: str, /) -> ChainActor:
        playing = self._playing(chain)
        run = playing.begun.run if playing is not None else ""
        return ChainActor(self.manager.store, self.manager.bus, chain, run)

    async def give_up(self, chain: str, reason: str, attempts: int, /) -> None:
        """Record that the chain cannot go on."""
        playing = self._playing(chain)
        episodes = playing.begun.episodes if playing is not None else ()
        await self.manager.give_up(chain, episodes, reason, attempts)

    def _playing(self, chain: str) -> Playing | None:
        under_way = self.manager.playing.values()
        return next((playing for playing in under_way if playing.chain == chain), None)


class MemoryFactory:
    """Makes the actors of memories."""

    kind = "memory"

    def __init__(self, manager: ChainManager) -> None:
        self.manager = manager

    def create(self, address: str, /) -> MemoryActor:
        """The memory at an address."""
        pending = self.manager.pending.get(address)
        return MemoryActor(self.manager, address, pending.task if pending is not None else None)

    async def give_up(self, address: str, reason: str, attempts: int, /) -> None:
        """Record what the seat goes without; the chain goes on."""
        pending = self.manager.pending.get(address)
        if pending is None:
            return
        task = pending.task
        log.error("memory_given_up", address=address, step=task.step, reason=reason)
        failed = MemoryFailed(
            index=task.started.index, during=task.step, reason=reason, attempts=attempts
        )
        stream = subjects.memory_stream(task.started.chain, task.seat)
        await asyncio.to_thread(record_failure, self.manager.store, stream, failed)
        self.manager.finished(address)
