"""A company of episodes in this process, its model replaced by what a test says."""

import asyncio
from pathlib import Path
from typing import Self

from actors.episodes.mind import Decision, Mind, Scene
from actors.episodes.process.manager import EpisodeManager
from actors.minds.make_mind import MindMaker
from actors.models.caller import ModelCaller
from actors.models.limits.halts import Halt
from actors.models.recording.call_log import CallRecorder
from actors.models.registry import Models
from actors.runtime.actors.host import ActorHost
from actors.runtime.actors.supervision import RestartPolicy
from actors.runtime.bus.nats_bus import Bus
from actors.social.actions import Action
from events.base import Event
from events.episode import EpisodeStarted
from events.ids import new_id
from events.minds import MindSpec
from store.log.event_store import EventStore
from store.open_store import open_store
from tests.support.builders import started
from tests.support.runs import events_of


class ScriptedMinds(MindMaker):
    """Makes minds that do what the test's function says."""

    def __init__(self, store: EventStore, caller: ModelCaller, mind: Mind) -> None:
        super().__init__(store, caller, lambda _: None)
        self.mind = mind

    def make(self, spec: MindSpec, environment: str, seat: int, run: str) -> Mind:
        """The one mind there is."""
        return self.mind


class Speaker:
    """A mind that says in which turn it speaks."""

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """Speak."""
        return Decision(action=Action(kind="speak", text=f"This is turn {scene.turn}."))


class Company:
    """A social company with a host of its own. ``async with Company(...)``."""

    def __init__(self, store: EventStore, bus: Bus, mind: Mind | None = None) -> None:
        self.store, self.bus = store, bus
        self.halts: list[tuple[str, Halt]] = []
        """Runs with why something of them was halted."""
        self.caller = ModelCaller(Models())
        self.host = ActorHost(policy=RestartPolicy(attempts=3, first_s=0.01, longest_s=0.02))
        minds = ScriptedMinds(store, self.caller, mind or Speaker())
        self.social = EpisodeManager(store, bus, self.host, minds.make, self.halted)

    async def __aenter__(self) -> Self:
        await self.bus.flush()  # the server knows that commands are heard here
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.social.suspend_all(1.0)
        await self.host.stop(5.0)
        await self.caller.close()

    def halted(self, run: str, why: Halt) -> None:
        """Something of a run cannot go on."""
        self.halts.append((run, why))

    def begin(self, first: EpisodeStarted | None = None, episode: str = "") -> "Playing":
        """Begin an episode."""
        return Playing(self, episode or new_id("e"), first or started())

    def go_on(self, episode: str) -> "Playing":
        """Go on with one."""
        return Playing(self, episode, None)


class Playing:
    """An episode under way."""

    def __init__(self, company: Company, id_: str, first: EpisodeStarted | None) -> None:
        self.id, self.company = id_, company
        run = first.run if first is not None else ""
        self.task = asyncio.ensure_future(company.social.play(id_, run, first))

    @property
    def events(self) -> list[Event]:
        """Its stream."""
        return events_of(self.company.store, f"episode-{self.id}")

    async def ended(self, within: float = 60.0) -> list[Event]:
        """Its events once it has ended."""
        await asyncio.wait_for(self.task, within)
        return self.events


def open_at(folder: Path) -> EventStore:
    """A new store."""
    return open_store(f"sqlite:///{folder}/troupe.db")
