"""What a seat remembers is its own: nobody else is sent a byte of it."""

import asyncio

import pytest

from actors.runtime.bus.nats_bus import Received
from actors.social.actions import Action
from events.chain import ChainAdvanced
from events.episode import ActionTaken, EpisodeEnded, EpisodeForked, TurnOpened
from events.memory import MemoryOpened, MemoryRecalled, MemoryWritten, Note
from events.serialization.codec import encode
from events.wire import subjects
from events.wire.messages import Look, TakeAction
from gateway.services.episodes.episode_details import episode_details, replay_details
from store.log.event_store import NEW, EventStore
from tests.actors.lifelong.chains import Chain, Chains, chain_of, model_mind
from tests.support.builders import mind, opened
from tests.support.runs import events_of
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer

SEATS = 3


def private(seat: int) -> str:
    """What only this seat remembers."""
    return f"«kept by {seat}»"


def remember_something_each(store: EventStore, chain: Chain) -> None:
    """The chain's first episode is over, and every seat has a note of its own on it."""
    first = chain.episodes[0]
    played = [
        chain.beginnings[0],
        opened(1, (0,)),
        ActionTaken(turn=1, seat=0, action=Action(kind="leave")),
        EpisodeEnded(reason="left", turn=1),
    ]
    store.append(f"episode-{first}", NEW, played, correlation="r1")
    advanced = ChainAdvanced(index=0, episode=first, outcome="ended")
    store.append(f"chain-{chain.id}", NEW, [chain.begun, advanced], correlation="r1")
    for seat, character in enumerate(chain.begun.characters):
        kept = [
            MemoryOpened(
                chain=chain.id, seat=seat, character=character, memory=chain.begun.memory, run="r1"
            ),
            MemoryRecalled(index=0, episode=first, recalled=(), tokens=0, limit=1000),
            MemoryWritten(index=0, episode=first, note=Note(overview=private(seat)), tokens=20),
        ]
        store.append(f"memory-{chain.id}.{seat}", NEW, kept, correlation="r1")


class Wire:
    """Every message that passes, by subject."""

    def __init__(self) -> None:
        self.passed: list[tuple[str, bytes]] = []

    def __call__(self, received: Received) -> None:
        self.passed.append((received.subject, received.data))

    def told(self, seat: int) -> set[int]:
        """Whose memories were in what a seat was sent."""
        return found([data for subject, data in self.passed if is_seat(subject, seat)])


def is_seat(subject: str, seat: int | None = None) -> bool:
    parts = subject.split(".")
    return parts[2] == "seat" and seat in (None, int(parts[4]))


def found(texts: list[bytes]) -> set[int]:
    """Whose memories are in some texts."""
    return {seat for seat in range(SEATS) for text in texts if private(seat).encode() in text}


async def test_no_seat_is_sent_what_another_remembers(store, bus, connect):
    stranger, wire = await connect(), Wire()
    await stranger.subscribe(f"troupe.{bus.space}.>", wire)
    await stranger.flush()
    async with StubServer() as one, StubServer() as two:
        minds = (mind("far", kind="remote"), model_mind(one.url), model_mind(two.url, "two"))
        chain = chain_of(2, seats=SEATS, turn_cap=3, minds=minds, order="simultaneous")
        remember_something_each(store, chain)
        episode = chain.episodes[1]
        command = subjects.command(bus.space, "episode", episode)
        async with Chains(store, bus) as chains:
            playing = asyncio.ensure_future(chains.episode(chain, 1))
            for turn in (1, 2, 3):
                await until(
                    lambda turn=turn: any(
                        e.turn == turn
                        for e in events_of(store, f"episode-{episode}")
                        if isinstance(e, TurnOpened)
                    )
                )
                for seat in range(SEATS):
                    await stranger.nats.request(command, encode(Look(seat=seat)), 60.0)
                say = TakeAction(seat=0, turn=turn, action=Action(kind="speak", text="Well."))
                await stranger.nats.request(command, encode(say), 60.0)
            await playing
        for seat in range(SEATS):
            assert wire.told(seat) == {seat}
        others = [
            data
            for subject, data in wire.passed
            if not is_seat(subject) and ".memory." not in subject
        ]
        assert others, "events were announced"
        assert found(others) == set()
        for seat, stub in ((1, one), (2, two)):
            asked = [encode(body["messages"]) for body in stub.bodies]
            assert found(asked) == {seat}


@pytest.mark.parametrize("viewer", ["narrator", "spectator", "1", "2", "3"])
async def test_of_a_shown_episode_only_its_owner_sees_a_memory(store, bus, viewer):
    chain = chain_of(2, seats=SEATS)
    remember_something_each(store, chain)
    async with Chains(store, bus) as chains:
        await chains.episode(chain, 1)
    own = {int(viewer) - 1} if viewer.isdigit() else set()
    episode = chain.episodes[1]
    assert found([encode(episode_details(store, episode, viewer))]) == own
    for at in (0, 2, None):
        assert found([encode(replay_details(store, episode, at, viewer))]) == own


async def test_the_first_episode_has_nothing_to_show_that_is_remembered(store, bus):
    chain = chain_of(1)
    async with Chains(store, bus) as chains:
        await chains.episode(chain, 0)
    assert replay_details(store, chain.episodes[0], None, "1").view.memory == ""


async def test_a_fork_of_an_episode_remembers_what_its_parent_did(store, bus):
    chain = chain_of(2, seats=SEATS)
    remember_something_each(store, chain)
    async with Chains(store, bus) as chains:
        await chains.episode(chain, 1)
        parent = chain.episodes[1]
        forked = EpisodeForked(parent=parent, at=2, minds=chain.begun.minds)
        store.append("episode-efork", NEW, [forked])
        await chains.social.play("efork", "", None)
    told = replay_details(store, "efork", None, "2").view.memory
    assert private(1) in told
    assert told == replay_details(store, parent, None, "2").view.memory
    assert isinstance(events_of(store, "episode-efork")[-1], EpisodeEnded)
