"""A host starts actors by name, passivates idle ones, and restarts those that fail."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

import pytest
from pykka import ActorDeadError

from actors.runtime.actors.host import ActorHost
from actors.runtime.actors.loop_actor import LoopActor
from actors.runtime.actors.supervision import RestartPolicy
from actors.runtime.errors import HostStopped, InboxFull, OwnershipLost, UnknownKind
from events.base import Event
from events.serialization.codec import NewerEvent
from store.errors import StoreUnavailable
from store.log.event_store import EventStore
from tests.actors.runtime.counting import Add, Counter, counted
from tests.actors.runtime.eventually import eventually

pytestmark = pytest.mark.usefixtures("home")
SOON = RestartPolicy(attempts=3, first_s=0.001, longest_s=0.01)


class Crash:
    """A message that a Moody counter cannot bear."""

    def happen(self) -> None:
        raise RuntimeError("crashed")


class Moody(Counter):
    """A counter that crashes when told to."""

    inbox_limit = 100

    def decide(self, state: int, command: object) -> Sequence[Event]:
        if isinstance(command, Crash):
            command.happen()
        return super().decide(state, command)


class Counters:
    """Makes counters, and remembers which it made and gave up."""

    kind = "agent"

    def __init__(self, store: EventStore, made: Callable[..., LoopActor] = Moody) -> None:
        self.store = store
        self.make = made
        self.made: list[str] = []
        self.given_up: list[tuple[str, str, int]] = []
        self.give_up_failures = 0

    def create(self, id_: str) -> LoopActor:
        self.made.append(id_)
        return self.make(self.store, f"agent-{id_}")

    async def give_up(self, id_: str, reason: str, attempts: int) -> None:
        if self.give_up_failures:
            self.give_up_failures -= 1
            raise StoreUnavailable("sqlite://", "away")
        self.given_up.append((id_, reason, attempts))


@pytest.fixture
def counters(store: EventStore) -> Counters:
    return Counters(store)


@pytest.fixture
async def host(counters: Counters) -> AsyncIterator[ActorHost]:
    host = ActorHost([counters], policy=SOON, hold_limit=10)
    yield host
    await host.stop()


async def test_a_message_starts_the_actor_and_the_next_finds_it(
    host: ActorHost, counters: Counters
) -> None:
    assert await host.ask("agent", "a.0", Add(1)) == 0
    assert await host.ask("agent", "a.0", Add(2)) == 1
    host.tell("agent", "a.1", Add(3))
    assert counters.made == ["a.0", "a.1"]
    assert len(host) == 2


async def test_an_unknown_kind_is_named_with_the_known_ones(host: ActorHost) -> None:
    with pytest.raises(UnknownKind, match="'agnet'; there are agent"):
        host.tell("agnet", "a.0", Add(1))


async def test_an_idle_actor_leaves_memory_and_comes_back_with_its_state(
    host: ActorHost, counters: Counters, store: EventStore
) -> None:
    await host.ask("agent", "a.0", Add(1))
    assert host.sweep() == 0  # it had a turn since the last look
    assert host.sweep() == 1
    assert len(host) == 0

    assert await host.ask("agent", "a.0", Add(2)) == 1
    assert counters.made == ["a.0", "a.0"]
    assert [envelope.version for envelope in store.read("agent-a.0")] == [0, 1]


async def test_idle_actors_are_looked_for_by_themselves(counters: Counters) -> None:
    host = ActorHost([counters], idle_s=0.01)
    await host.ask("agent", "a.0", Add(1))
    await eventually(lambda: len(host) == 0)
    await host.stop()


async def test_an_actor_with_work_under_way_stays(store: EventStore) -> None:
    done = asyncio.Event()

    class Working(Counter):
        def on_receive(self, message: object) -> object:
            if message == "work":
                self.spawn(self.work())
                return None
            return super().on_receive(message)

        async def work(self) -> None:
            await done.wait()

    host = ActorHost([Counters(store, Working)])
    await host.ask("agent", "a.0", "work")
    assert [host.sweep() for _ in range(3)] == [0, 0, 0]
    done.set()
    await eventually(lambda: host.sweep() == 1)
    await host.stop()


async def test_an_actor_that_may_not_rest_stays(store: EventStore) -> None:
    class Awake(Counter):
        def may_passivate(self) -> bool:
            return False

    host = ActorHost([Counters(store, Awake)])
    await host.ask("agent", "a.0", Add(1))
    assert [host.sweep() for _ in range(3)] == [0, 0, 0]
    await host.stop()


async def test_a_failed_actor_is_restarted_and_handles_what_waited(
    host: ActorHost, counters: Counters, store: EventStore
) -> None:
    await host.ask("agent", "a.0", Add(1))
    first = host._cells["agent", "a.0"].actor
    host.tell("agent", "a.0", Crash())
    behind = host.ask("agent", "a.0", Add(2))
    await eventually(lambda: host._cells["agent", "a.0"].actor is not first)
    meanwhile = host.ask("agent", "a.0", Add(3))
    assert (await behind, await meanwhile) == (1, 2)
    assert counters.made == ["a.0", "a.0"]


async def test_an_actor_that_was_to_stop_is_not_restarted_after_a_failure(
    host: ActorHost, counters: Counters
) -> None:
    await host.ask("agent", "a.0", Add(1))
    actor = host._cells["agent", "a.0"].actor
    assert actor is not None
    host.tell("agent", "a.0", Crash())
    behind = host.ask("agent", "a.0", Add(2))
    assert await actor.actor_ref.stop(block=False)
    with pytest.raises(ActorDeadError):
        await behind
    assert len(host) == 0
    assert counters.made == ["a.0"]


async def test_only_so_many_messages_are_held_for_a_restart(counters: Counters) -> None:
    slow = RestartPolicy(attempts=3, first_s=1000, longest_s=1000)
    host = ActorHost([counters], policy=slow, hold_limit=2)
    host.tell("agent", "a.0", Crash())
    await eventually(lambda: host._cells["agent", "a.0"].actor is None)
    held = host.ask("agent", "a.0", Add(1))
    host.tell("agent", "a.0", Add(2))
    with pytest.raises(InboxFull, match=r"agent a\.0 has 2 messages waiting"):
        host.tell("agent", "a.0", Add(3))
    await host.stop()
    with pytest.raises(ActorDeadError):
        await held


async def test_after_some_failures_in_a_row_an_actor_is_given_up(
    host: ActorHost, counters: Counters
) -> None:
    for _ in range(3):
        host.tell("agent", "a.0", Crash())
    held = host.ask("agent", "a.0", Add(1))
    await eventually(lambda: len(counters.given_up) == 1)
    assert counters.given_up == [("a.0", "RuntimeError: crashed", 3)]
    with pytest.raises(ActorDeadError):
        await held
    await eventually(lambda: len(host) == 0)


async def test_giving_up_is_repeated_until_it_is_noted(host: ActorHost, counters: Counters) -> None:
    counters.give_up_failures = 2
    for _ in range(3):
        host.tell("agent", "a.0", Crash())
    await eventually(lambda: len(counters.given_up) == 1)


async def test_an_actor_that_cannot_even_be_made_is_given_up_too(store: EventStore) -> None:
    def impossible(*_: object) -> LoopActor:
        raise ValueError("no such mind")

    counters = Counters(store, impossible)
    host = ActorHost([counters], policy=SOON)
    host.tell("agent", "a.0", Add(1))
    await eventually(lambda: counters.given_up == [("a.0", "ValueError: no such mind", 3)])
    await host.stop()


@pytest.mark.parametrize(
    "error", [StoreUnavailable("sqlite://", "away"), NewerEvent("Imagined", 1, "unknown")], ids=repr
)
async def test_what_is_nobodys_fault_is_waited_out_however_long(
    store: EventStore, error: Exception
) -> None:
    class Unreadable(Counter):
        outages = 8

        def initial(self) -> int:
            if type(self).outages:
                type(self).outages -= 1
                raise error
            return 0

    counters = Counters(store, Unreadable)
    host = ActorHost([counters], policy=SOON)
    failures: list[BaseException] = []
    host.on_failure.append(failures.append)
    assert await host.ask("agent", "a.0", Add(1)) == 0
    assert (counters.given_up, failures) == ([], [error] * 8)
    await host.stop()


async def test_long_success_wipes_out_old_failures(counters: Counters) -> None:
    host = ActorHost([counters], policy=RestartPolicy(attempts=2, first_s=0.001, forget_after_s=0))
    for number in range(4):
        host.tell("agent", "a.0", Crash())
        assert await host.ask("agent", "a.0", Add(1)) == number
    assert counters.given_up == []
    await host.stop()


async def test_an_actor_that_loses_its_stream_is_dropped_and_others_hear_of_it(
    host: ActorHost, counters: Counters, store: EventStore
) -> None:
    dropped: list[tuple[str, str]] = []
    host.on_ownership_lost.append(lambda kind, id_: dropped.append((kind, id_)))
    await host.ask("agent", "a.0", Add(1))
    store.append("agent-a.0", 0, [counted(100)])
    lost = host.ask("agent", "a.0", Add(2))
    behind = host.ask("agent", "a.0", Add(3))
    with pytest.raises(OwnershipLost):
        await lost
    with pytest.raises(ActorDeadError):
        await behind
    assert dropped == [("agent", "a.0")]
    assert len(host) == 0
    assert counters.made == ["a.0"]


async def test_stopping_handles_what_waits_then_takes_no_more(
    host: ActorHost, store: EventStore
) -> None:
    answers = [host.ask("agent", f"a.{number % 5}", Add(1)) for number in range(50)]
    stopping = asyncio.create_task(host.stop())
    await asyncio.sleep(0)
    with pytest.raises(HostStopped, match=r"agent a\.0"):
        host.tell("agent", "a.0", Add(1))
    await stopping
    assert [await answer for answer in answers] == [number // 5 for number in range(50)]
    assert len(host) == 0


async def test_a_message_to_a_stopping_actor_revives_it(
    host: ActorHost, counters: Counters
) -> None:
    await host.ask("agent", "a.0", Add(1))
    actor = host._cells["agent", "a.0"].actor
    assert actor is not None
    gate = asyncio.Event()

    async def linger() -> None:
        try:
            await gate.wait()
        finally:
            await gate.wait()

    actor.spawn(linger())
    await asyncio.sleep(0)
    actor.stop()
    await eventually(lambda: not actor.actor_ref.is_alive())
    answer = host.ask("agent", "a.0", Add(2))
    assert counters.made == ["a.0"]  # the old one is not gone yet: there are never two
    gate.set()
    assert await answer == 1
    assert counters.made == ["a.0", "a.0"]


@pytest.mark.parametrize("failures", [1, 2, 5, 100])
def test_delays_double_up_to_the_longest_and_are_spread(failures: int) -> None:
    policy = RestartPolicy(first_s=0.5, longest_s=8.0)
    whole = min(8.0, 0.5 * 2 ** (failures - 1))
    delays = [policy.delay(failures) for _ in range(200)]
    assert all(whole / 2 <= delay <= whole for delay in delays)
    assert len(set(delays)) > 100
