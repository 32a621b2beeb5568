"""The small runs that a server is fed with."""

import asyncio
import random
from collections.abc import Callable, Mapping
from functools import partial

from actors.runs.execution.coordinator import Work, carry_out
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.jobs.queue import JobQueue
from evaluators.judges.judge_file import judge_named
from events.run import RunEnded
from events.wire.subjects import split_stream
from gateway.process.discovery import nats_for
from gateway.services.episodes.fork_episode import fork_episode, prepare_fork, repeated
from gateway.services.results.score_run import scoring_of
from gateway.services.runs.plan_run import prepare, record_run
from store.read_model import queries
from tests.faults.plain_client import Player
from tests.soak.processes import Place
from tests.soak.rest import Gate
from tests.support.runs import REHEARSAL_MINDS, REMOTE_MINDS, chain_plan, model_minds, plan

LOOK_S = 0.1
LOOKS = 5
"""How often a seat's program looks at an episode before it plays."""

JUDGE = """
name = "stub"
kind = "model"
model = "openai/stub"
adapter = "direct"
base_url = "{url}"
"""


def plans(url: str) -> Mapping[str, Callable[[], str]]:
    """Plans by name, as text; the model server is at ``url``."""
    short = "turn_cap = 6"
    rehearsed = '["rehearsal-strict"]'
    judged = '["rehearsal-strict", "judge.toml"]'
    return {
        "rehearsal": partial(plan, tasks=6, repeats=2, judges=rehearsed),
        "model": partial(plan, model_minds(url), tasks=4, rules=short, judges=judged),
        "litellm": partial(plan, model_minds(url, "litellm"), tasks=1, rules=short),
        "chains": partial(chain_plan, length=4, judges=rehearsed),
        "remote": partial(
            plan,
            REHEARSAL_MINDS + REMOTE_MINDS,
            tasks=1,
            pairings='[["far", "generous"], ["far", "generous", "generous"]]',
            rules=short,
        ),
    }


WEIGHTS: Mapping[str, int] = {"rehearsal": 6, "model": 3, "litellm": 1, "chains": 2, "remote": 2}


class Feeder:
    """Keeps a server busy with small runs, forks and scores."""

    def __init__(self, place: Place, url: str, seed: int, at_once: int) -> None:
        """``url``: of a model server."""
        self.place, self.at_once = place, at_once
        self.gate = Gate()
        self._plans = plans(url)
        self._draw = random.Random(seed)
        self._first = list(WEIGHTS)
        """Kinds that are still to come once: what only some need is loaded early."""
        self._ended: dict[str, asyncio.Event] = {}
        self._remote: set[str] = set()
        """Runs of which nobody would play a fork's remote seats."""
        (place.folder / "judge.toml").write_text(JUDGE.format(url=url))

    async def feed(self) -> None:
        """For ever."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch())
            group.create_task(self._afterwards())
            for _ in range(self.at_once):
                group.create_task(self._run_after_run())

    async def _run_after_run(self) -> None:
        while True:
            async with self.gate.work():
                kind = self._first.pop() if self._first else self._drawn()
                ended = asyncio.Event()
                run = await asyncio.to_thread(self._begin, kind, ended)
                if kind == "remote":
                    await self._play(run)
                await ended.wait()
                del self._ended[run]

    def _drawn(self) -> str:
        return self._draw.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]

    def _begin(self, kind: str, ended: asyncio.Event) -> str:
        path = self.place.folder / f"plan-{random.randrange(10**9)}.toml"
        path.write_text(self._plans[kind]())
        try:
            prepared = prepare(self.place.store, path)
        finally:
            path.unlink()
        self._ended[prepared.run] = ended
        if kind == "remote":
            self._remote.add(prepared.run)
        return record_run(self.place.store, prepared, detached=True)

    async def _watch(self) -> None:
        """Notice which runs have ended."""
        store = self.place.store
        position = await asyncio.to_thread(store.head)
        while True:
            await asyncio.sleep(LOOK_S)
            found = await asyncio.to_thread(store.read_all, position, tags=[RunEnded.__name__])
            for envelope in found:
                position = envelope.position
                if (ended := self._ended.get(split_stream(envelope.stream)[1])) is not None:
                    ended.set()

    async def _play(self, run: str) -> None:
        """Play the remote seats of a run as a program does that looks often."""
        store = self.place.store
        (row,) = await asyncio.to_thread(queries.episodes, store, run=run)
        at = await asyncio.to_thread(nats_for, self.place.settings, self.place.store)
        player = await Player.join(at.url, at.token, at.space, row.id, 0)
        try:
            while not (await self._begun(row.id)):
                await asyncio.sleep(LOOK_S)
            for _ in range(LOOKS):
                await player.look()
            seen = await player.asked()
            while seen["type"] == "Observation":
                await player.act(seen["turn"], "I could take the seat by the window.")
                seen = await player.asked(seen["turn"])
        finally:
            await player.leave()

    async def _begun(self, episode: str) -> bool:
        return await asyncio.to_thread(self.place.store.version, f"episode-{episode}") >= 1

    async def _afterwards(self) -> None:
        """Fork what has ended, and have it scored by another judge."""
        at = await asyncio.to_thread(nats_for, self.place.settings, self.place.store)
        bus = await Bus.connect(at.url, token=at.token, space=at.space, name="soak")
        try:
            jobs = JobQueue(bus)
            while True:
                await asyncio.sleep(LOOK_S)
                async with self.gate.work():
                    for work in await asyncio.to_thread(self._again):
                        await carry_out(
                            self.place.store,
                            jobs,
                            work,
                            stop=asyncio.Event(),
                            on_progress=lambda _: None,
                        )
        finally:
            await bus.close()

    def _again(self) -> list[Work]:
        """Two forks of the last episode that has ended, and its run scored once more."""
        store = self.place.store
        ended = [
            row
            for row in queries.runs(store)
            if row.status == "ended" and row.id not in self._remote
        ]
        if not ended:
            return []
        run = self._draw.choice(ended[-20:])
        episode = self._draw.choice(queries.episodes(store, run=run.id))
        if episode.status != "ended":
            return []
        prepared = prepare_fork(store, episode.id, 2, ["1=rehearsal:candid"])
        forks = [fork_episode(store, one) for one in repeated(store, prepared, 2)]
        scoring = scoring_of(store, run.id, judge_named("rehearsal-lenient"))
        return [Work.continuing(forks), scoring.work]
