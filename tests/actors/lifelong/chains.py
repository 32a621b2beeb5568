"""Chains to play: small, seeded, in this process."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

from aiohttp import web

from actors.episodes.process.manager import EpisodeManager
from actors.episodes.process.outcome import OVER, Outcome
from actors.lifelong.manager import ChainManager
from actors.lifelong.memory.modules import BUILT_IN
from actors.lifelong.memory.recall import memory_text
from actors.minds.make_mind import MindMaker
from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from actors.models.limits.halts import Halt
from actors.models.registry import Models
from actors.runtime.actors.host import ActorHost
from actors.runtime.actors.supervision import RestartPolicy
from actors.runtime.bus.nats_bus import Bus
from actors.social.catalog_items import RelationshipKind
from actors.social.setup import EpisodeRules, SeatRelationship
from events.base import Event
from events.chain import ChainStarted
from events.episode import EpisodeStarted
from events.memory import MemorySpec
from events.minds import MindSpec, ModelSpec
from store.log.event_store import EventStore
from tests.support.builders import character, mind, scenario, started
from tests.support.runs import events_of
from tests.support.servers.stub_llm import StubServer, StubSettings

NAMES = ("Ada Reyes", "Ben Okafor", "Cyd Lund", "Dov Amir", "Eve Moss")


class Chain(NamedTuple):
    """A chain's beginning and those of its episodes."""

    id: str
    begun: ChainStarted
    beginnings: tuple[EpisodeStarted, ...]

    @property
    def episodes(self) -> tuple[str, ...]:
        """Their ids."""
        return self.begun.episodes

    def streams(self) -> list[str]:
        """Every stream it can write to."""
        seats = range(len(self.begun.characters))
        return [
            f"chain-{self.id}",
            *(f"memory-{self.id}.{seat}" for seat in seats),
            *(f"episode-{episode}" for episode in self.episodes),
            *(f"agent-{episode}.{seat}" for episode in self.episodes for seat in seats),
        ]

    def history(self, store: EventStore) -> dict[str, list[Event]]:
        """What is stored of it, by stream."""
        return {stream: events_of(store, stream) for stream in self.streams()}


def chain_of(
    length: int,
    *,
    id_: str = "h1",
    run: str = "r1",
    seats: int = 2,
    memory: MemorySpec | str = "summary",
    minds: Sequence[MindSpec] = (),
    turn_cap: int = 4,
    **rules: Any,
) -> Chain:
    """Friends who meet so many times, each time over something else."""
    spec = BUILT_IN[memory] if isinstance(memory, str) else memory
    cast = tuple(character(name) for name in NAMES[:seats])
    seated = tuple(minds) or tuple(
        mind(f"mind{seat}", temper=("generous", "stubborn")[seat % 2]) for seat in range(seats)
    )
    ties = tuple(
        SeatRelationship(seats=(one, other), kind=RelationshipKind.FRIEND)
        for one in range(seats)
        for other in range(one + 1, seats)
    )
    episodes = tuple(f"e{id_}x{index}" for index in range(length))
    beginnings = tuple(
        started(
            run=run,
            scenario=scenario(
                id=f"s{index}",
                context=f"A flea market, day {index + 1}.",
                goals=tuple(
                    f"Sell lamp {index + 1} for {100 + 10 * seat} dollars." for seat in range(seats)
                ),
            ),
            cast=cast,
            relationships=ties,
            minds=seated,
            rules=EpisodeRules(seed=index, turn_cap=turn_cap, **rules),
            chain=id_,
            index=index,
        )
        for index in range(length)
    )
    begun = ChainStarted(
        run=run,
        catalog="test",
        characters=tuple(one.id for one in cast),
        minds=seated,
        memory=spec,
        episodes=episodes,
        scenarios=tuple(first.setup.scenario.id for first in beginnings),
    )
    return Chain(id_, begun, beginnings)


def model_mind(url: str, name: str = "stub", **settings: Any) -> MindSpec:
    """A mind that asks the stub server."""
    given = {"adapter": "direct", "base_url": url, "api_key_env": "", "retries": 0, **settings}
    return MindSpec(name=name, kind="model", model=ModelSpec(name="openai/stub", **given))


class HeldStub(StubServer):
    """Answers nothing before ``answering`` is set."""

    def __init__(self, settings: StubSettings | None = None) -> None:
        super().__init__(settings)
        self.answering = asyncio.Event()

    async def _respond(self, *question: Any) -> web.Response:
        await self.answering.wait()
        return await super()._respond(*question)


class Chains:
    """Chains in this process. ``async with Chains(store, bus) as chains``."""

    def __init__(
        self,
        store: EventStore,
        bus: Bus,
        *,
        minds: MindMaker | None = None,
        budget_of: Callable[[str], BudgetKeeper | None] = lambda _: None,
        grace_s: float = 1.0,
    ) -> None:
        self.store, self.bus, self.grace_s = store, bus, grace_s
        self.halts: list[tuple[str, Halt]] = []
        """Runs with why something of them was halted."""
        self.caller = ModelCaller(Models())
        self.host = ActorHost(policy=RestartPolicy(attempts=3, first_s=0.01, longest_s=0.02))
        self.social = EpisodeManager(
            store,
            bus,
            self.host,
            (minds or MindMaker(store, self.caller, budget_of)).make,
            self.halted,
            None,
            lambda *which: memory_text(store, *which),
        )
        self.lifelong = ChainManager(
            store, bus, self.host, self.social, self.caller, budget_of, self.halted
        )

    def halted(self, run: str, why: Halt) -> None:
        """Something of a run cannot go on."""
        self.halts.append((run, why))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.suspend_all()
        await self.host.stop(5.0)
        await self.caller.close()

    async def suspend_all(self) -> None:
        """Leave everything where it is, as a process does that is told to stop."""
        await self.social.suspend_all(self.grace_s)
        await self.lifelong.suspend_all(self.grace_s)

    async def episode(self, chain: Chain, index: int) -> Outcome:
        """Play one episode of a chain."""
        return await self.lifelong.play(chain.begun, chain.episodes[index], chain.beginnings[index])

    async def play(self, chain: Chain) -> Outcome:
        """Play a chain to its end, from its beginning or where it is, unless it is left there."""
        for index in range(len(chain.episodes)):
            outcome = await self.episode(chain, index)
            if not outcome.is_over:
                return outcome
        return OVER
