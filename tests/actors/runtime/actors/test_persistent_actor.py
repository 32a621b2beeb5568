"""A persistent actor is the one writer of its stream."""

import asyncio
import gc
import time

import pytest
from pykka import ActorDeadError

from actors.runtime.errors import CommandRefused, OwnershipLost
from actors.runtime.ownership.lease import Lease
from events.ids import new_event_id
from events.serialization.codec import event_of
from store.errors import Conflict
from store.log.event_store import NEW, EventStore
from tests.actors.runtime.counting import Add, Counter, counted
from tests.actors.runtime.eventually import eventually

pytestmark = pytest.mark.usefixtures("home")


def stored(store: EventStore, stream: str = "agent-a.0") -> list[int]:
    return [event_of(envelope).input_tokens for envelope in store.read(stream)]


async def test_an_asker_gets_the_version_after_its_command(store: EventStore) -> None:
    counter = Counter.start(store, "agent-a.0")
    assert await counter.ask(Add(5), block=False) == 0
    assert await counter.ask(Add(7), block=False) == 1
    assert stored(store) == [5, 7]


async def test_a_command_that_has_happened_already_appends_nothing(store: EventStore) -> None:
    counter = Counter.start(store, "agent-a.0")
    await counter.ask(Add(5), block=False)
    assert await counter.ask(Add(0), block=False) == 0
    assert stored(store) == [5]


async def test_a_refusal_goes_to_the_asker_and_harms_nobody(store: EventStore) -> None:
    counter = Counter.start(store, "agent-a.0")
    with pytest.raises(CommandRefused, match="-1 tokens cannot be counted"):
        await counter.ask(Add(-1), block=False)
    counter.tell(Add(-1))
    assert await counter.ask(Add(2), block=False) == 0


async def test_a_revived_actor_has_the_state_it_had(store: EventStore) -> None:
    first = Counter.start(store, "agent-a.0")
    for tokens in range(1, 20):
        first.tell(Add(tokens))
    await first.stop(block=False)

    again = Counter.start(store, "agent-a.0").proxy()
    assert await again.state == sum(range(1, 20))
    assert await again.version == 18
    assert await again.recoveries == 1


async def test_the_event_behind_a_command_is_stored_with_what_it_made_happen(
    store: EventStore,
) -> None:
    counter = Counter.start(store, "agent-a.0")
    await counter.ask(Add(5), block=False)
    (first,) = store.read("agent-a.0")
    await counter.ask(Add(7, causation=first.event_id), block=False)
    counter.tell(Add(9, causation="e9"))
    await counter.ask(Add(0, causation="nothing has happened"), block=False)
    causes = [envelope.causation for envelope in store.read("agent-a.0")]
    assert causes == ["", first.event_id, "e9"]


async def test_a_command_decided_on_twice_keeps_the_event_behind_it(store: EventStore) -> None:
    counter = Counter.start(store, "agent-a.0")
    await counter.ask(Add(0), block=False)
    store.append("agent-a.0", NEW, [counted(100)])
    await counter.ask(Add(7, causation="e7"), block=False)
    assert [envelope.causation for envelope in store.read("agent-a.0")] == ["", "e7"]


async def test_what_is_recorded_names_its_cause_and_can_be_named_as_one(store: EventStore) -> None:
    class Asking(Counter):
        def on_receive(self, message: object) -> object:
            return self.ask_and_answer() if message == "begin" else super().on_receive(message)

        async def ask_and_answer(self) -> int:
            asked = new_event_id()
            self.record_soon([counted(1)], causation="e0", event_ids=[asked])
            return await self.record([counted(2)], causation=asked)

    assert await Asking.start(store, "agent-a.0").ask("begin", block=False) == 1
    asked, answered = store.read("agent-a.0")
    assert (asked.causation, answered.causation) == ("e0", asked.event_id)


async def test_a_fresh_actor_reads_nothing(store: EventStore) -> None:
    counter = Counter.start(store, "agent-a.0", fresh=True)
    assert await counter.ask(Add(5), block=False) == 0
    assert await counter.proxy().recoveries == 0


async def test_an_actor_wrongly_called_fresh_reads_and_decides_again(store: EventStore) -> None:
    store.append("agent-a.0", NEW, [counted(40)])
    counter = Counter.start(store, "agent-a.0", fresh=True)
    assert await counter.ask(Add(2), block=False) == 1
    assert await counter.proxy().state == 42


async def test_what_is_durable_is_announced_then_reacted_to(store: EventStore) -> None:
    counter = Counter.start(store, "agent-a.0").proxy()
    for tokens in (3, 4, 5):
        await counter.actor_ref.ask(Add(tokens), block=False)
    assert await counter.announced == [0, 1, 2]
    assert await counter.reacted == [(0, 3), (1, 4), (2, 5)]


async def test_the_newcomer_wins_and_the_other_loses_the_stream(store: EventStore) -> None:
    old = Counter.start(store, "agent-a.0")
    await old.ask(Add(1), block=False)
    new = Counter.start(store, "agent-a.0")
    await new.ask(Add(0), block=False)  # has read the stream
    await old.ask(Add(2), block=False)  # and the old one writes behind its back

    assert await new.ask(Add(3), block=False) == 2
    with pytest.raises(OwnershipLost) as raised:
        await old.ask(Add(4), block=False)
    assert (raised.value.expected, raised.value.actual) == (1, 2)
    assert not old.is_alive()
    assert new.is_alive()
    assert stored(store) == [1, 2, 3]


class Raced(Counter):
    """Somebody else appends just before each of its appends."""

    def decide(self, state: int, command: Add) -> list:
        self.store.append(self.stream, self.store.version(self.stream), [counted(100)])
        return list(super().decide(state, command))


async def test_a_newcomer_that_loses_twice_steps_down(store: EventStore) -> None:
    raced = Raced.start(store, "agent-a.0")
    with pytest.raises(OwnershipLost):
        await raced.ask(Add(1), block=False)
    assert stored(store) == [100, 100]
    assert not raced.is_alive()


class Recorder(Counter):
    """Records beside its inbox."""

    def on_receive(self, message: object) -> object:
        if isinstance(message, list):
            for tokens in message:
                self.spawn(self.record([counted(tokens), counted(tokens)]))
            return None
        if isinstance(message, str):
            return self.execute(Add(int(message)))
        return super().on_receive(message)


async def test_records_and_commands_are_appended_in_one_order(store: EventStore) -> None:
    recorder = Recorder.start(store, "agent-a.0")
    recorder.tell([10, 20])
    recorder.tell(Add(1))
    recorder.tell([30])
    recorder.tell(Add(2))
    assert await recorder.ask("5", block=False) == 8

    order = stored(store)
    assert sorted(order) == [1, 2, 5, 10, 10, 20, 20, 30, 30]
    for tokens in (10, 20, 30):  # what is recorded together stays together
        assert order[order.index(tokens) + 1] == tokens
    assert order.index(1) < order.index(2) < order.index(5)
    proxy = recorder.proxy()
    assert await proxy.state == sum(order)
    assert [tokens for _, tokens in await proxy.reacted] == order


async def test_a_record_that_lost_the_race_ends_the_actor(store: EventStore) -> None:
    recorder = Recorder.start(store, "agent-a.0")
    await recorder.ask(Add(1), block=False)
    store.append("agent-a.0", 0, [counted(100)])
    recorder.tell([7])
    await eventually(lambda: not recorder.is_alive())
    assert stored(store) == [1, 100]


class Asker(Counter):
    """Notes a question while it waits for an answer that does not come."""

    def on_receive(self, message: object) -> object:
        if isinstance(message, int):
            self.spawn(self.wonder(message))
            return None
        return super().on_receive(message)

    async def wonder(self, tokens: int) -> None:
        noting = self.record_soon([counted(tokens)])
        await asyncio.get_running_loop().create_future()
        await noting


async def test_an_actor_that_loses_its_stream_leaves_no_error_that_nobody_looked_at(
    store: EventStore,
) -> None:
    unseen: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unseen.append(context))
    asker = Asker.start(store, "agent-a.0")
    await asker.ask(Add(1), block=False)
    store.append("agent-a.0", 0, [counted(100)])
    asker.tell(7)
    asker.tell(8)  # waits behind it
    await eventually(lambda: not asker.is_alive())
    assert stored(store) == [1, 100]
    gc.collect()
    assert unseen == []


class Thinker(Counter):
    """Thinks long about each message that is an event."""

    ended = ""

    def on_receive(self, message: object) -> object:
        if isinstance(message, asyncio.Event):
            self.spawn(self.think(message))
            return None
        return super().on_receive(message)

    async def think(self, thinking: asyncio.Event) -> None:
        await self.record([counted(1)])
        thinking.set()
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            self.ended = "cancelled"
            raise


async def test_long_work_lets_messages_through_and_is_cancelled_at_stop(store: EventStore) -> None:
    actor = Thinker(store, "agent-a.0")
    thinker = actor.launch()
    thinking = asyncio.Event()
    thinker.tell(thinking)
    await thinking.wait()
    assert await thinker.ask(Add(5), block=False) == 1
    assert stored(store) == [1, 5]
    assert await thinker.stop(block=False)
    assert actor.ended == "cancelled"


async def test_a_stopped_actor_appends_nothing_more(store: EventStore) -> None:
    actor = Counter(store, "agent-a.0")
    await actor.launch().stop(block=False)
    with pytest.raises(ActorDeadError):
        await actor.record([counted(1)])
    assert stored(store) == []


class Broken(Counter):
    """Cannot react."""

    def react(self, *_: object) -> None:
        raise RuntimeError("cannot react")


async def test_an_error_after_the_append_ends_the_actor_but_the_fact_stands(
    store: EventStore,
) -> None:
    broken = Broken.start(store, "agent-a.0")
    with pytest.raises(RuntimeError, match="cannot react"):
        await broken.ask(Add(1), block=False)
    assert not broken.is_alive()
    assert stored(store) == [1]


class Snapshotting(Counter):
    """Keeps its state every third event."""

    snapshot_schema = "counter-1"
    snapshot_every = 3

    def dump(self, state: int) -> bytes:
        return str(state).encode()

    def load(self, data: bytes) -> int:
        return int(data)


class OfAnotherShape(Snapshotting):
    """Cannot use the snapshots there are."""

    snapshot_schema = "counter-2"


async def test_a_snapshot_saves_replaying_what_is_before_it(store: EventStore) -> None:
    counter = Snapshotting.start(store, "agent-a.0")
    for tokens in range(1, 9):
        await counter.ask(Add(tokens), block=False)
    await counter.stop(block=False)
    await eventually(lambda: store.load_snapshot("agent-a.0", "counter-1") is not None)

    again = Snapshotting.start(store, "agent-a.0").proxy()
    assert (await again.state, await again.version) == (36, 7)
    without = OfAnotherShape.start(store, "agent-a.0").proxy()
    assert (await without.state, await without.version) == (36, 7)


async def test_a_thousand_commands_to_a_hundred_actors_are_all_taken(store: EventStore) -> None:
    counters = [Counter.start(store, f"agent-a.{number}", fresh=True) for number in range(100)]
    versions = await asyncio.gather(
        *[
            _answer(counters[number % 100].ask(Add(number + 1), block=False))
            for number in range(1000)
        ]
    )
    assert sorted(versions) == [version for version in range(10) for _ in range(100)]
    for number, counter in enumerate(counters):
        expected = [tokens + 1 for tokens in range(number, 1000, 100)]
        assert stored(store, f"agent-a.{number}") == expected
        assert await counter.proxy().state == sum(expected)


async def _answer(future: object) -> object:
    return await future  # type: ignore[misc]


async def test_an_actor_that_dies_while_appending_leaves_a_whole_stream(store: EventStore) -> None:
    actor = Counter(store, "agent-a.0")
    counter = actor.launch()
    answers = [counter.ask(Add(tokens), block=False) for tokens in range(1, 6)]
    await answers[1]
    actor.fail(RuntimeError("crash in the middle"))
    outcomes = await asyncio.gather(
        *[_answer(answer) for answer in answers], return_exceptions=True
    )
    taken = [outcome for outcome in outcomes if isinstance(outcome, int)]
    assert all(isinstance(outcome, int | ActorDeadError) for outcome in outcomes)
    assert stored(store) == list(range(1, len(taken) + 1))

    again = Counter.start(store, "agent-a.0").proxy()
    assert await again.state == sum(stored(store))


async def test_the_store_would_not_let_two_write_the_same_version(store: EventStore) -> None:
    await Counter.start(store, "agent-a.0").ask(Add(1), block=False)
    with pytest.raises(Conflict):
        store.append("agent-a.0", NEW, [counted(1)])


async def launched(
    store: EventStore, *, lease: Lease | None = None, fresh: bool = False
) -> Counter:
    """A counter that has read its stream."""
    counter = Counter(store, "agent-a.0", fresh=fresh)
    counter.lease = lease
    await counter.launch().proxy().version
    return counter


async def test_who_began_a_stream_need_not_claim_it(store: EventStore) -> None:
    counter = await launched(store, fresh=True)
    await counter.claim([counted(1)])
    assert stored(store) == []


async def test_of_several_who_go_on_with_a_stream_one_claims_it(store: EventStore) -> None:
    store.append("agent-a.0", NEW, [counted(5)])
    counters = [await launched(store) for _ in range(3)]
    claims = [counter.claim([counted(number)]) for number, counter in enumerate(counters)]
    came = await asyncio.gather(*claims, return_exceptions=True)
    assert [type(error) for error in came if error] == [OwnershipLost] * 2
    assert stored(store) == [5, came.index(None)]


async def test_an_append_under_way_is_a_claim(store: EventStore) -> None:
    store.append("agent-a.0", NEW, [counted(5)])
    counter = await launched(store)
    recording = counter.record_soon([counted(7)])
    await counter.claim([counted(1)])
    assert recording.done()
    await counter.claim([counted(1)])
    assert stored(store) == [5, 7]


async def test_who_was_cut_off_claims_its_stream_again_once_it_is_heard(store: EventStore) -> None:
    ago = 11.0
    lease = Lease(10.0, lambda: time.monotonic() - ago)
    lease.begin("episode")
    counter = await launched(store, lease=lease, fresh=True)
    await counter.claim([counted(1)])
    assert stored(store) == []
    ago = 0.0
    claiming = asyncio.ensure_future(counter.claim([counted(2)]))
    await counter.record([counted(3)])  # what it was answered meanwhile is stored all the same
    assert not claiming.done()
    lease.renew("episode", time.monotonic())
    await claiming
    assert stored(store) == [3, 2]
