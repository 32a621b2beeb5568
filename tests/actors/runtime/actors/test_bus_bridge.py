"""Over NATS an actor is reached by its subject, in memory or not."""

from collections.abc import AsyncIterator, Sequence

import pytest
import structlog
from nats.errors import NoRespondersError

from actors.runtime.actors.bus_bridge import Bridge
from actors.runtime.actors.host import ActorHost
from actors.runtime.actors.loop_actor import LoopActor
from actors.runtime.actors.supervision import RestartPolicy
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.errors import CommandRefused
from events.base import Event
from events.serialization.codec import decode_reply, encode
from events.wire import subjects
from events.wire.messages import Accepted, Look, Refused, StopEpisode
from store.log.event_store import EventStore
from tests.actors.runtime.counting import Counter, counted
from tests.support.servers.nats_server import until

pytestmark = pytest.mark.usefixtures("home")


class Looked(Counter):
    """Counts a token for each look by seat 0, refuses seat 1's, and breaks at a stop."""

    def decide(self, state: int, command: object) -> Sequence[Event]:
        match command:
            case Look(seat=0):
                return [counted(1)]
            case StopEpisode():
                raise RuntimeError("broken")
        raise CommandRefused("only seat 0 may look")


class LookedFactory:
    kind = "episode"

    def __init__(self, store: EventStore) -> None:
        self.store = store

    def create(self, id_: str) -> LoopActor:
        return Looked(self.store, f"episode-{id_}")

    async def give_up(self, id_: str, reason: str, attempts: int) -> None:
        raise AssertionError(f"{id_} was given up: {reason}")


@pytest.fixture
async def bridge(bus: Bus, store: EventStore) -> AsyncIterator[Bridge]:
    host = ActorHost([LookedFactory(store)], policy=RestartPolicy(first_s=0.001))
    bridge = Bridge(host, bus)
    await bridge.listen("episode", "e1")
    yield bridge
    await host.stop()


async def ask(bus: Bus, data: bytes) -> Accepted | Refused:
    subject = subjects.command(bus.space, "episode", "e1")
    return decode_reply((await bus.nats.request(subject, data, 60.0)).data)


async def test_a_command_that_is_taken_is_acknowledged_with_the_version(
    bridge: Bridge, bus: Bus
) -> None:
    assert await ask(bus, encode(Look(seat=0))) == Accepted(version=0)
    assert await ask(bus, encode(Look(seat=0))) == Accepted(version=1)


async def test_a_command_that_is_refused_says_why(bridge: Bridge, bus: Bus) -> None:
    assert await ask(bus, encode(Look(seat=1))) == Refused(reason="only seat 0 may look")


@pytest.mark.parametrize(
    "data", [b"", b"\xc1", b"hello", encode(counted(1)), encode(Look(seat=0))[:-1]]
)
async def test_what_is_no_command_is_refused_with_a_sentence_and_harms_nobody(
    bridge: Bridge, bus: Bus, store: EventStore, data: bytes
) -> None:
    reply = await ask(bus, data)
    assert isinstance(reply, Refused)
    assert reply.reason.startswith("the message cannot be read: ")
    assert store.head() == 0
    assert len(bridge.host) == 0


async def test_a_message_revives_an_actor_that_rests(bridge: Bridge, bus: Bus) -> None:
    await ask(bus, encode(Look(seat=0)))
    while not bridge.host.sweep():
        pass
    assert len(bridge.host) == 0
    assert await ask(bus, encode(Look(seat=0))) == Accepted(version=1)


async def test_one_that_lost_its_stream_refuses_and_listens_no_more(
    bridge: Bridge, bus: Bus, store: EventStore
) -> None:
    await ask(bus, encode(Look(seat=0)))
    store.append("episode-e1", 0, [counted(100)])
    reply = await ask(bus, encode(Look(seat=0)))
    assert isinstance(reply, Refused)
    assert "lost its ownership" in reply.reason
    with pytest.raises(NoRespondersError):
        await ask(bus, encode(Look(seat=0)))
    assert store.version("episode-e1") == 1


async def test_an_error_is_logged_and_the_next_command_is_taken(bridge: Bridge, bus: Bus) -> None:
    subject = subjects.command(bus.space, "episode", "e1")
    with structlog.testing.capture_logs() as logs:
        bus.publish(subject, encode(StopEpisode()), reply="nobody.listens")
        assert await ask(bus, encode(Look(seat=0))) == Accepted(version=0)
    assert [line["event"] for line in logs] == ["message_unanswered"]


@pytest.mark.parametrize("detail", ["", "€" * 2000])
async def test_an_error_over_what_nobody_waits_for_restarts_the_actor_whatever_its_size(
    bridge: Bridge, bus: Bus, detail: str
) -> None:
    failures: list[BaseException] = []
    bridge.host.on_failure.append(failures.append)
    subject = subjects.command(bus.space, "episode", "e1")
    bus.publish(subject, encode(StopEpisode(detail=detail)))
    await until(lambda: bool(failures))
    assert await ask(bus, encode(Look(seat=0))) == Accepted(version=0)


async def test_another_subject_and_another_decoder_can_be_given(bridge: Bridge, bus: Bus) -> None:
    await bridge.listen(
        "episode", "e2", subject="troupe.elsewhere", decode=lambda data: Look(seat=int(data))
    )
    reply = decode_reply((await bus.nats.request("troupe.elsewhere", b"0", 60.0)).data)
    assert reply == Accepted(version=0)


async def test_listening_twice_delivers_once(bridge: Bridge, bus: Bus) -> None:
    await bridge.listen("episode", "e1")
    assert await ask(bus, encode(Look(seat=0))) == Accepted(version=0)
    assert await ask(bus, encode(Look(seat=0))) == Accepted(version=1)
