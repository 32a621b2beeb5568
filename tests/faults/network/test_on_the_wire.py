"""Every byte sent to a seat and every prompt of a whole process: no marker of somebody else's."""

import asyncio
import random
from collections import defaultdict
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actors.episodes.delivery.wire import wire_of
from actors.episodes.rules.decide import INITIAL, EpisodeState, evolve
from actors.runtime.bus.nats_bus import Bus, Received
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.social.actions import Action
from events.base import Event
from events.episode import EpisodeStarted
from events.ids import new_id
from events.minds import MindSpec, ModelSpec
from events.serialization.codec import encode
from events.wire import subjects
from events.wire.messages import Observation, TakeAction
from gateway.process.worker_node import WorkerNode
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.open_store import open_store
from tests.properties.episodes import beginnings, marker
from tests.properties.test_visibility import known_from_the_start, markers_in, may_be_noticed
from tests.support.runs import events_of, settings_of
from tests.support.servers.stub_llm import StubServer


class Players:
    """Plays the remote seats at random, with whispers, and keeps all that any seat is sent."""

    def __init__(self, bus: Bus, seed: int) -> None:
        self.bus = bus
        self.draw = random.Random(seed)
        self.sent: dict[int, list[bytes]] = defaultdict(list)
        self.remote: set[int] = set()
        self.seats = 0
        self.answered: set[tuple[int, int]] = set()

    def heard(self, received: Received) -> None:
        """Keep it; answer if it is for a remote seat."""
        _, episode, seat = subjects.parse_seat(received.subject)
        self.sent[seat].append(received.data)
        shown = wire_of("social").decode_seat_message(received.data)
        if seat not in self.remote or not isinstance(shown, Observation):
            return
        if (seat, shown.turn) in self.answered:
            return
        self.answered.add((seat, shown.turn))
        others = [other for other in range(self.seats) if other != seat]
        action = Action(
            kind=self.draw.choice(["speak", "physical", "leave"]),
            text=marker("act", 1000 * shown.turn + seat),
            to=tuple(sorted(self.draw.sample(others, self.draw.randint(0, len(others))))),
        )
        command = TakeAction(seat=seat, turn=shown.turn, action=action)
        self.bus.publish(subjects.command(self.bus.space, "episode", episode), encode(command))


async def play(
    started: EpisodeStarted, seed: int, where: Settings, store: EventStore, bench: WorkerNode
) -> None:
    """Play an episode of remote players and models, then look at all that was sent."""
    draw = random.Random(seed)
    async with StubServer() as stub:
        model = ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url)
        kinds = [
            MindSpec(name="far", kind="remote"),
            MindSpec(name="model", kind="model", model=model),
        ]
        minds = tuple(draw.choice(kinds) for _ in started.setup.cast)
        started = msgspec.structs.replace(started, minds=minds)
        bus = await Bus.connect(where.nats_url, token=where.nats_token, space=where.space)
        players = Players(bus, seed)
        players.seats = len(minds)
        players.remote = {seat for seat, mind in enumerate(minds) if mind.kind == "remote"}
        episode = new_id("e")
        await bus.subscribe(f"{subjects.seats(where.space, episode)}.*", players.heard)
        await bus.flush()
        await asyncio.wait_for(bench.episodes.play(episode, "", started), 60.0)
        await bus.flush()
        await bus.close()

        history = events_of(store, f"episode-{episode}")
        whole: EpisodeState = INITIAL
        for event in history:
            whole = evolve(whole, event)
        for seat in range(len(minds)):
            found = markers_in(*(data.decode("utf-8", "replace") for data in players.sent[seat]))
            assert players.sent[seat], "every seat was told something"
            assert found <= may_know(history, whole, started, seat)
        for body in stub.bodies:
            prompt = "\n".join(message["content"] for message in body["messages"])
            (seat,) = (s for s in range(len(minds)) if marker("secret", s) in prompt)
            assert markers_in(prompt) <= may_know(history, whole, started, seat)


def may_know(
    history: list[Event], state: EpisodeState, started: EpisodeStarted, seat: int
) -> set[str]:
    """The markers a seat may know at the end."""
    return known_from_the_start(started, seat) | may_be_noticed(history, state, seat)


def test_no_seat_and_no_prompt_gets_what_is_not_for_it(
    tmp_path: Path, nats_server: EmbeddedNats, space: str
):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    where = settings_of(tmp_path, store, nats_server, space)
    with asyncio.Runner() as runner:
        bench = runner.run(WorkerNode(where, store).__aenter__())

        @settings(
            deadline=None,
            database=None,
            suppress_health_check=[HealthCheck.too_slow],
        )
        @given(beginnings(), st.integers(0, 2**32))
        def each(started: EpisodeStarted, seed: int) -> None:
            runner.run(play(started, seed, where, store, bench))

        each()
        runner.run(bench.__aexit__(None, None, None))
    store.close()
