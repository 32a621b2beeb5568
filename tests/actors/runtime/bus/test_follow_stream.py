"""Joining in the middle: no gap and no duplicate, for any interleaving."""

import asyncio
import contextlib
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.runtime.bus.announcements import announce
from actors.runtime.bus.follow_stream import MAX_HELD, InOrder, follow
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from events.base import Envelope
from events.episode import EpisodeEnded, TurnOpened
from events.serialization.codec import encode
from events.wire import subjects
from store.log.event_store import NEW, EventStore
from store.open_store import open_store
from tests.support.builders import numbered, opened
from tests.support.runs import carry_out_here, plan, record, settings_of, state_of

STREAM = "episode-e1"


@pytest.fixture
def store(tmp_path: Path):
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    yield store
    store.close()


def turns(first: int, last: int) -> list[TurnOpened]:
    return [opened(turn, (0,)) for turn in range(first, last + 1)]


class Wire:
    """A stream that is appended to, and messages about it on a wire that may do anything."""

    def __init__(self, events: int) -> None:
        self.all = [n.envelope for n in numbered(turns(1, events))]
        self.stored: list[Envelope] = []
        self.on_the_wire: list[Envelope] = []

    def append(self) -> None:
        if len(self.stored) < len(self.all):
            envelope = self.all[len(self.stored)]
            self.stored.append(envelope)
            self.on_the_wire.append(envelope)


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_any_interleaving_gives_each_event_once_and_in_order(data: st.DataObject):
    wire = Wire(events=data.draw(st.integers(0, 12)))
    for _ in range(data.draw(st.integers(0, 12))):
        wire.append()
    known = data.draw(st.integers(NEW, len(wire.stored) - 1))
    order = InOrder(known)
    given_out: list[Envelope] = []
    steps = st.sampled_from(["append", "deliver", "repeat", "lose", "read", "ready"])
    for step in data.draw(st.lists(steps, max_size=60)):
        place = data.draw(st.integers(0, len(wire.on_the_wire) - 1)) if wire.on_the_wire else None
        match step:
            case "append":
                wire.append()
            case "deliver" if place is not None:
                order.take([wire.on_the_wire.pop(place)])
            case "repeat" if place is not None:
                order.take([wire.on_the_wire[place]])
            case "lose" if place is not None:
                wire.on_the_wire.pop(place)
            case "read":
                order.take(wire.stored[order.version + 1 :])
                given_out += order.ready()
                assert not order.hole, "the store heals every hole"
            case "ready":
                given_out += order.ready()
        assert given_out == wire.all[known + 1 : known + 1 + len(given_out)]
    order.take(wire.stored[order.version + 1 :])
    given_out += order.ready()
    assert given_out == wire.stored[known + 1 :]


def test_what_is_held_is_bounded_and_read_again_later():
    envelopes = [n.envelope for n in numbered(turns(1, MAX_HELD + 20))]
    order = InOrder()
    order.take(envelopes[1:])
    assert order.hole
    order.take(envelopes[:1])
    first = list(order.ready())
    assert first == envelopes[: MAX_HELD + 1]
    order.take(envelopes[order.version + 1 :])
    assert first + list(order.ready()) == envelopes


async def taken(store: EventStore, bus: Bus, stream: str, last: int, **options) -> list[Envelope]:
    """What a follower is given up to a version."""
    found = []
    async with contextlib.aclosing(follow(store, bus, stream, **options)) as following:
        async for envelope in following:
            found.append(envelope)
            if envelope.version == last:
                return found
    raise AssertionError("following does not end by itself")


async def test_over_nats_losses_doubles_and_disorder_are_healed(store: EventStore, bus: Bus):
    draw = random.Random(7)
    subject = subjects.event(bus.space, "episode", "e1")
    store.append(STREAM, NEW, turns(1, 20))
    followers = [
        asyncio.ensure_future(taken(store, bus, STREAM, 219, after=after, poll_s=0.05))
        for after in (NEW, 5, 19)
    ]
    announced: list[Envelope] = []
    for turn in range(21, 221):
        appended = await store.append_soon(STREAM, turn - 2, turns(turn, turn))
        announced += appended.envelopes
        draw.shuffle(announced)
        while len(announced) > 3:
            envelope = announced.pop()
            for _ in range(draw.choice([0, 1, 1, 1, 2])):
                bus.publish(subject, encode(envelope))
        if turn % 50 == 0:
            bus.publish(subject, b"\xff not an envelope")
            late = taken(store, bus, STREAM, 219, after=draw.randrange(turn - 1), poll_s=0.05)
            followers.append(asyncio.ensure_future(late))
    whole = store.read(STREAM)
    for found in await asyncio.wait_for(asyncio.gather(*followers), 60.0):
        assert found == whole[found[0].version :]
    assert len(whole) == 220


async def test_an_event_that_is_larger_than_a_message_is_announced_and_read_from_the_store(
    store: EventStore, bus: Bus, monkeypatch: pytest.MonkeyPatch
):
    following = asyncio.ensure_future(taken(store, bus, STREAM, 1, poll_s=1000.0))
    appended = await store.append_soon(STREAM, NEW, turns(1, 1))
    announce(bus, subjects.event(bus.space, "episode", "e1"), appended.envelopes)
    appended = await store.append_soon(STREAM, 0, turns(2, 2))
    size = len(encode(appended.envelopes[0]))
    monkeypatch.setattr(type(bus.nats), "max_payload", size - 1)
    announce(bus, subjects.event(bus.space, "episode", "e1"), appended.envelopes)
    assert await asyncio.wait_for(following, 60.0) == store.read(STREAM)


async def test_episodes_are_followed_from_before_their_beginning_and_from_their_middle(
    tmp_path: Path, store: EventStore, nats_server: EmbeddedNats, bus: Bus, space: str
):
    run = record(store, tmp_path, plan(tasks=8))
    episodes = [planned.id for planned in state_of(store, run).episodes]
    followers: dict[str, list[asyncio.Task[list[Envelope]]]] = {}

    async def to_the_end(stream: str, after: int) -> list[Envelope]:
        found = []
        async with contextlib.aclosing(follow(store, bus, stream, after=after)) as following:
            async for envelope in following:
                found.append(envelope)
                if envelope.tag == EpisodeEnded.__name__:
                    return found
        raise AssertionError("following does not end by itself")

    def join(episode: str, after: int) -> None:
        task = asyncio.ensure_future(to_the_end(f"episode-{episode}", after))
        followers.setdefault(episode, []).append(task)

    def witness(episode: str, state) -> None:
        # The event of this state is stored, and not announced yet: the worst moment to join.
        if state.number in (0, 3, 8):
            join(episode, max(NEW, state.number - 2))

    for episode in episodes[::2]:
        join(episode, NEW)
    await carry_out_here(
        settings_of(tmp_path, store, nats_server, space), store, run, witness=witness
    )
    for episode, tasks in followers.items():
        whole = store.read(f"episode-{episode}")
        for found in await asyncio.wait_for(asyncio.gather(*tasks), 60.0):
            assert found == whole[found[0].version :]
    assert len(followers) == len(episodes)
