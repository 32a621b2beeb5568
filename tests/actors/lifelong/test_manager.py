"""Chains from episode to episode: what is recalled, remembered, and left when something fails."""

import asyncio

from actors.episodes.agent import Seat
from actors.episodes.delivery.wire import wire_of
from actors.episodes.process.outcome import OWNERSHIP_LOST, STOPPING
from actors.lifelong.memory.modules import BUILT_IN
from actors.lifelong.streams import due_in
from actors.models.errors import BudgetSpent
from actors.models.limits.budget import BudgetKeeper
from actors.runtime.bus.nats_bus import Received
from actors.social.actions import Action
from events.agent import ModelAnswered, ModelAsked
from events.base import replace
from events.chain import ChainAdvanced, ChainEnded, ChainFailed, ChainStarted
from events.episode import EpisodeEnded, EpisodeFailed, EpisodeStarted
from events.memory import MemoryFailed, MemoryOpened, MemoryRecalled, MemorySpec, MemoryWritten
from events.run import Budget
from events.serialization.codec import decode_envelope, encode
from events.wire import subjects
from events.wire.messages import EpisodeOver, Look, Observation, TakeAction
from store.log.event_store import NEW
from tests.actors.lifelong.chains import Chain, Chains, HeldStub, chain_of, model_mind
from tests.support.builders import mind
from tests.support.runs import events_of
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer, StubSettings


def tags(events) -> list[str]:
    return [type(event).__name__ for event in events]


def of(kind, events) -> list:
    return [event for event in events if isinstance(event, kind)]


async def test_a_chain_is_played_episode_by_episode_and_every_seat_remembers(store, bus):
    chain = chain_of(3)
    async with Chains(store, bus) as chains:
        await chains.play(chain)
        assert len(chains.host) == 0, "nothing of a chain stays in memory"
        assert not chains.lifelong.playing
        assert not chains.lifelong.pending
    told = chain.history(store)
    assert told["chain-h1"] == [
        chain.begun,
        *(
            ChainAdvanced(index=index, episode=episode, outcome="ended")
            for index, episode in enumerate(chain.episodes)
        ),
        ChainEnded(ended=3, failed=0),
    ]
    for seat in (0, 1):
        events = told[f"memory-h1.{seat}"]
        assert tags(events) == [
            "MemoryOpened",
            *("MemoryRecalled", "MemoryWritten") * 3,
        ]
        assert [e.recalled for e in of(MemoryRecalled, events)] == [(), (0,), (0, 1)]
        assert all(e.note is not None and e.tokens > 0 for e in of(MemoryWritten, events))
    for index, episode in enumerate(chain.episodes):
        events = told[f"episode-{episode}"]
        assert (events[0].chain, events[0].index) == ("h1", index)
        assert isinstance(events[-1], EpisodeEnded)


async def test_everything_of_a_chain_belongs_to_its_run_and_is_announced(store, bus, connect):
    heard = []
    listener = await connect()
    for kind in ("chain", "memory"):
        await listener.subscribe(
            subjects.all_events(bus.space, kind),
            lambda received: heard.append(decode_envelope(received.data)),
        )
    await listener.flush()
    chain = chain_of(2)
    async with Chains(store, bus) as chains:
        await chains.play(chain)
    stored = [
        envelope
        for stream in chain.streams()
        if stream.startswith(("chain-", "memory-"))
        for envelope in store.read(stream)
    ]
    await until(lambda: len(heard) == len(stored))
    assert {(e.stream, e.version) for e in heard} == {(e.stream, e.version) for e in stored}
    assert {e.correlation for e in stored} == {"r1"}


async def test_an_episode_played_again_changes_nothing(store, bus):
    chain = chain_of(2)
    async with Chains(store, bus) as chains:
        await chains.play(chain)
        before = chain.history(store)
        await chains.play(chain)
        await asyncio.gather(*(chains.episode(chain, 0) for _ in range(3)))
    assert chain.history(store) == before


async def test_the_same_job_given_twice_is_done_once(store, bus):
    chain = chain_of(1)
    async with Chains(store, bus) as chains:
        await asyncio.gather(*(chains.episode(chain, 0) for _ in range(3)))
    assert tags(chain.history(store)["chain-h1"]) == ["ChainStarted", "ChainAdvanced", "ChainEnded"]


async def test_an_episode_waits_for_the_one_before_it(store, bus):
    chain = chain_of(3)
    async with Chains(store, bus) as chains:
        early = await chains.episode(chain, 2)
        assert early.kind == "not_yet"
        assert "episode 2 of chain h1 cannot be played yet: episode 0" in early.reason
        await chains.episode(chain, 0)
        assert "episode 1 is not over" in (await chains.episode(chain, 2)).reason
    assert store.version(f"episode-{chain.episodes[2]}") == NEW


async def test_what_is_remembered_reaches_a_model_s_prompt_and_nothing_does_without(store, bus):
    async with StubServer() as stub:
        chain = chain_of(2, minds=(model_mind(stub.url), mind("near")))
        async with Chains(store, bus) as chains:
            await chains.play(chain)
    first, second = (
        [e.prompt_version for e in of(ModelAsked, events_of(store, f"agent-{episode}.0"))]
        for episode in chain.episodes
    )
    assert {version.partition(":")[0] for version in first} == {"act-1"}
    assert {version.partition(":")[0] for version in second} == {"act-2"}
    remembering = [
        body["messages"][0]["content"]
        for body in stub.bodies
        if "WHAT YOU REMEMBER" in body["messages"][0]["content"]
    ]
    assert remembering
    assert all("Episode 1\n" in words for words in remembering)


class Heard:
    """All that some seats are sent."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, bytes]] = []

    def __call__(self, received: Received) -> None:
        self.shown.append((received.subject, received.data))

    def to(self, seat: int) -> list[Observation | EpisodeOver]:
        return [
            wire_of("social").decode_seat_message(data)
            for subject, data in self.shown
            if subject.endswith(f".{seat}")
        ]


async def test_a_remote_seat_is_told_what_it_remembers_and_again_when_it_looks(store, bus, connect):
    stranger, heard = await connect(), Heard()
    chain = chain_of(2, turn_cap=2, minds=(mind("far", kind="remote"), mind("near")))
    await stranger.subscribe(f"troupe.{bus.space}.seat.>", heard)
    await stranger.flush()
    async with Chains(store, bus) as chains:
        for index, episode in enumerate(chain.episodes):
            playing = asyncio.ensure_future(chains.episode(chain, index))
            mine = lambda episode=episode: [  # noqa: E731
                shown
                for shown in heard.to(0)
                if isinstance(shown, Observation) and shown.episode == episode
            ]
            await until(mine)
            command = subjects.command(bus.space, "episode", episode)
            await stranger.nats.request(command, encode(Look(seat=0)), 60.0)
            await until(lambda mine=mine: len(mine()) == 2)
            told = [shown.background.memory for shown in mine()]
            assert told[0] == told[1]
            assert bool(told[0]) == (index > 0)
            say = Action(kind="speak", text=f"I say {index}.")
            await stranger.nats.request(
                command, encode(TakeAction(seat=0, turn=1, action=say)), 60.0
            )
            await playing
    assert "I say 0." in told[0], "the note of rule-written memories quotes what was said"


async def test_a_long_absence_does_not_change_what_is_remembered(store, bus):
    """An actor made anew, in another process say, tells a seat the same."""
    chain = chain_of(2, minds=(mind("far", kind="remote"), mind("near")), turn_cap=2)
    async with Chains(store, bus) as chains:
        first = asyncio.ensure_future(chains.episode(chain, 0))
        await until(lambda: store.version(f"episode-{chain.episodes[0]}") >= 1)
        leave = TakeAction(seat=0, turn=1, action=Action(kind="leave", text="Good-bye."))
        bus.publish(subjects.command(bus.space, "episode", chain.episodes[0]), encode(leave))
        await first
        second = asyncio.ensure_future(chains.episode(chain, 1))
        await until(lambda: ("episode", chain.episodes[1]) in chains.host)
        await until(lambda: store.version(f"episode-{chain.episodes[1]}") >= 1)
        actor = chains.host._cells["episode", chain.episodes[1]].actor
        told = actor.delivery.memories
        await chains.suspend_all()
        assert await second == STOPPING
    async with Chains(store, bus) as chains:
        again = asyncio.ensure_future(chains.episode(chain, 1))
        await until(lambda: ("episode", chain.episodes[1]) in chains.host)
        cell = chains.host._cells["episode", chain.episodes[1]]
        await until(lambda: cell.actor is not None and cell.actor.delivery.memories)
        assert cell.actor.delivery.memories == told
        assert "Good-bye." in told[0]
        await chains.suspend_all()
        assert await again == STOPPING


async def test_an_episode_that_failed_is_gone_past_and_what_was_played_is_remembered(store, bus):
    chain = chain_of(3)
    never, begun = chain.episodes[0], chain.episodes[1]
    store.append(f"episode-{never}", NEW, [EpisodeFailed(reason="a bug", attempts=5)])
    async with Chains(store, bus) as chains:
        await chains.episode(chain, 0)
        store.append(f"episode-{begun}", NEW, [chain.beginnings[1]])
        store.append(f"episode-{begun}", 0, [EpisodeFailed(reason="a bug", attempts=5)])
        await chains.episode(chain, 1)
        await chains.episode(chain, 2)
    advanced = of(ChainAdvanced, events_of(store, "chain-h1"))
    assert [e.outcome for e in advanced] == ["failed", "failed", "ended"]
    assert events_of(store, "chain-h1")[-1] == ChainEnded(ended=1, failed=2)
    written = of(MemoryWritten, events_of(store, "memory-h1.0"))
    assert [e.tokens > 0 for e in written] == [False, True, True]


async def test_a_memory_that_fails_again_and_again_is_gone_without(store, bus):
    lost = MemorySpec(name="lost", module="summary", prompt_version="note-0:000000000000")
    async with StubServer() as stub:
        chain = chain_of(2, memory=lost, minds=(model_mind(stub.url), mind("near")))
        async with Chains(store, bus) as chains:
            await chains.play(chain)
    assert due_in(store, "h1") is None
    failed = of(MemoryFailed, events_of(store, "memory-h1.0"))
    assert [(e.index, e.during, e.attempts) for e in failed] == [
        (0, "remember", 3),
        (1, "remember", 3),
    ]
    assert "note-0:000000000000" in failed[0].reason
    assert len(of(MemoryWritten, events_of(store, "memory-h1.1"))) == 2


async def test_giving_a_chain_up_leaves_nothing_open(store, bus):
    chain = chain_of(3)
    async with Chains(store, bus) as chains:
        await chains.episode(chain, 0)
        for _ in range(2):
            await chains.lifelong.give_up(chain.id, chain.episodes, "a bug", 5)
        before = chain.history(store)
        await chains.episode(chain, 1)
        assert chain.history(store) == before
    assert events_of(store, "chain-h1")[-1] == ChainFailed(reason="a bug", attempts=5)
    assert isinstance(before[f"episode-{chain.episodes[0]}"][-1], EpisodeEnded)
    given_up = EpisodeFailed(reason="its chain was given up: a bug", attempts=5)
    for episode in chain.episodes[1:]:
        assert before[f"episode-{episode}"] == [given_up]


async def test_a_chain_that_is_over_cannot_be_given_up(store, bus):
    chain = chain_of(1)
    async with Chains(store, bus) as chains:
        await chains.play(chain)
        before = chain.history(store)
        await chains.lifelong.give_up(chain.id, chain.episodes, "too late", 5)
    assert chain.history(store) == before


async def test_of_two_processes_on_one_chain_each_step_is_done_by_one(store, bus, connect):
    chain = chain_of(3, turn_cap=6)
    async with Chains(store, bus) as one, Chains(store, await connect()) as two:

        async def all_of(chains: Chains) -> None:
            while (due := due_in(store, chain.id)) is not None:
                await chains.episode(chain, due)

        tasks = [asyncio.ensure_future(all_of(chains)) for chains in (one, two)]
        while not all(task.done() for task in tasks):
            one.social.redeliver()
            two.social.redeliver()
            await asyncio.wait(tasks, timeout=0.05)
        assert [task.exception() for task in tasks] == [None, None]
    told = chain.history(store)
    assert [e.index for e in of(ChainAdvanced, told["chain-h1"])] == [0, 1, 2]
    for seat in (0, 1):
        assert tags(told[f"memory-h1.{seat}"]) == [
            "MemoryOpened",
            *("MemoryRecalled", "MemoryWritten") * 3,
        ]


async def test_a_process_that_was_overtaken_while_a_note_was_written_stops_quietly(
    store, bus, connect
):
    streams = ("memory-h1.0", "memory-h1.1")

    def asked(times: int) -> bool:
        return all(len(of(ModelAsked, events_of(store, one))) == times for one in streams)

    async with HeldStub() as writer:
        memory = MemorySpec(name="m", module="summary", model=model_mind(writer.url).model)
        chain = chain_of(1, turn_cap=2, memory=memory)
        async with Chains(store, bus) as one, Chains(store, await connect()) as two:
            first = asyncio.ensure_future(one.episode(chain, 0))
            await until(lambda: asked(1))
            second = asyncio.ensure_future(two.episode(chain, 0))
            await until(lambda: asked(2))
            writer.answering.set()
            assert await first == OWNERSHIP_LOST
            await second
    assert due_in(store, "h1") is None
    for stream in streams:
        events = events_of(store, stream)
        assert len(of(MemoryWritten, events)) == 1
        assert len(of(ModelAnswered, events)) == 2, "the one that came too late was paid for, too"


async def test_an_answer_under_way_when_a_budget_is_spent_is_recorded_before_the_process_ends(
    store, bus
):
    async with HeldStub() as model:
        chain = chain_of(1, turn_cap=2, minds=(model_mind(model.url), mind("near")))
        agent = f"agent-{chain.episodes[0]}.0"
        async with Chains(store, bus, grace_s=10.0) as chains:
            playing = asyncio.ensure_future(chains.episode(chain, 0))
            await until(lambda: model.stats.inflight == 1)
            chains.social.silent(
                Seat(chain.episodes[0], 0, "r1"), BudgetSpent("r1", "tokens", 10.0, 10.0)
            )
            assert "has spent" in (await playing).reason
            leaving = asyncio.ensure_future(chains.suspend_all())
            await asyncio.sleep(0)  # it has begun
            assert not of(ModelAnswered, events_of(store, agent))
            model.answering.set()
            await leaving
            assert len(of(ModelAnswered, events_of(store, agent))) == 1, "it is paid for"


async def test_a_budget_spent_while_a_note_is_written_pauses_and_nothing_is_asked_twice(store, bus):
    keeper = BudgetKeeper("r1", Budget())

    def meeting(stub: StubServer, id_: str) -> Chain:
        minds = (model_mind(stub.url), model_mind(stub.url, "two"))
        return chain_of(1, id_=id_, turn_cap=2, minds=minds)

    async with StubServer() as before, StubServer() as stub:
        chain = meeting(stub, "h1")
        async with Chains(store, bus, budget_of=lambda _: keeper) as chains:
            # The same conversation elsewhere tells what it costs without the notes.
            await chains.play(meeting(before, "h0"))
            acted = sum(
                answer.input_tokens + answer.output_tokens
                for seat in (0, 1)
                for answer in of(ModelAnswered, events_of(store, f"agent-eh0x0.{seat}"))
            )
            keeper.budget = Budget(tokens=keeper.tokens + acted)
            assert "has spent" in (await chains.play(chain)).reason
            assert {run for run, _ in chains.halts} == {"r1"}
            assert isinstance(events_of(store, f"episode-{chain.episodes[0]}")[-1], EpisodeEnded)
            assert due_in(store, "h1") == 0
            asked = stub.stats.requests
            keeper.budget = Budget()
            await chains.play(chain)
    assert stub.stats.requests > asked, "the notes were still to be written"
    assert set(stub.stats.by_body.values()) == {1}
    assert due_in(store, "h1") is None


async def test_a_model_lost_while_a_note_is_written_leaves_the_chain_where_it_is(store, bus):
    async with StubServer() as stub, StubServer(StubSettings(status=401)) as writer:
        memory = replace(BUILT_IN["summary"], model=model_mind(writer.url).model)
        chain = chain_of(1, turn_cap=2, minds=(model_mind(stub.url), mind("near")), memory=memory)
        async with Chains(store, bus) as chains:
            outcome = await chains.play(chain)
            assert (outcome.kind, "401" in outcome.reason) == ("suspended", True)
            assert {run for run, _ in chains.halts} == {"r1"}
            assert isinstance(events_of(store, f"episode-{chain.episodes[0]}")[-1], EpisodeEnded)
            assert due_in(store, chain.id) == 0, "it is not remembered, so nothing follows"
            asked = stub.stats.requests
            writer.settings = StubSettings()
            await chains.play(chain)
    assert stub.stats.requests == asked, "no turn was played twice"
    assert due_in(store, chain.id) is None
    assert of(MemoryWritten, events_of(store, f"memory-{chain.id}.0"))[0].note is not None


async def test_a_note_under_way_when_the_process_stops_is_not_asked_for_again(store, bus):
    async with HeldStub(StubSettings(first=("truncated",))) as writer:
        memory = MemorySpec(name="m", module="summary", model=model_mind(writer.url).model)
        chain = chain_of(1, turn_cap=2, memory=memory)
        async with Chains(store, bus, grace_s=10.0) as chains:
            playing = asyncio.ensure_future(chains.episode(chain, 0))
            await until(lambda: writer.stats.inflight == 2)
            leaving = asyncio.ensure_future(chains.suspend_all())
            await until(lambda: chains.lifelong.leaving)
            writer.answering.set()
            await leaving
            assert await playing == STOPPING
        for seat in (0, 1):
            events = events_of(store, f"memory-h1.{seat}")
            assert len(of(ModelAnswered, events)) == 1, "it is paid for"
            assert len(of(ModelAsked, events)) == 1, "nothing more is asked"
        async with Chains(store, bus) as chains:
            await chains.episode(chain, 0)
    assert set(writer.stats.by_body.values()) == {1}
    assert due_in(store, "h1") is None


async def test_more_than_two_meet_again_too(store, bus):
    chain = chain_of(2, seats=4, turn_cap=5, order="simultaneous")
    async with Chains(store, bus) as chains:
        await chains.play(chain)
    for seat in range(4):
        events = events_of(store, f"memory-h1.{seat}")
        assert isinstance(events[0], MemoryOpened)
        assert events[0].character == chain.begun.characters[seat]
        assert len(of(MemoryWritten, events)) == 2
    started = events_of(store, "chain-h1")[0]
    assert isinstance(started, ChainStarted)
    assert isinstance(events_of(store, f"episode-{chain.episodes[1]}")[0], EpisodeStarted)


async def test_what_is_recalled_fits_into_a_message(store, bus):
    """However much a model could read, what NATS cannot carry is not recalled."""
    memory = MemorySpec(name="m", module="full", context_tokens=10**9)
    chain: Chain = chain_of(1, memory=memory)
    async with Chains(store, bus) as chains:
        await chains.play(chain)
    (recalled,) = of(MemoryRecalled, events_of(store, "memory-h1.0"))
    assert recalled.limit * 8 < bus.nats.max_payload
