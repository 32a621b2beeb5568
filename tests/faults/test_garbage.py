"""Anything at all on the subjects of commands and seats: the worker lives and stores nothing."""

import asyncio
from pathlib import Path
from typing import Any, Self

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actors.runs.execution.run_cache import RunCache
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.social.actions import ACTION_KINDS, Action
from events.serialization.codec import decode_reply, encode
from events.wire import subjects
from events.wire.messages import (
    Accepted,
    ContinueEpisode,
    Evaluate,
    PlayEpisode,
    Refused,
    TakeAction,
)
from gateway.process.worker_node import WorkerNode
from gateway.services.operations.retry_jobs import retry
from store.log.event_store import EventStore
from store.open_store import open_store
from tests.support.runs import REHEARSAL_MINDS, REMOTE_MINDS, plan, record, settings_of, state_of
from tests.support.servers.nats_server import until

TAGS = ("TakeAction", "Look", "Observation", "EpisodeOver", "Accepted", "PlayEpisode", "Scored")
WORDS = ("seat", "turn", "action", "failure", "episode", "news", "background", "kind", "text", "to")

scalars = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=9)
)
trees = st.recursive(
    scalars | st.binary(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)


def tagged(tag: str) -> st.SearchStrategy[dict[str, Any]]:
    """A map that says it is one of our structs, and has fields of the right names."""
    return st.dictionaries(st.sampled_from(WORDS), trees, max_size=6).map(
        lambda fields: {"type": tag, **fields}
    )


looks_right = st.fixed_dictionaries(
    {
        "type": st.just("TakeAction"),
        "seat": st.integers(-3, 4),
        # All turns but the open one: in that an action would be right.
        "turn": st.integers(-(2**63), 2**63 - 1).filter(lambda turn: turn != 1),
        "action": st.fixed_dictionaries(
            {"kind": st.sampled_from(ACTION_KINDS), "text": st.text(max_size=20)},
            optional={"to": st.lists(st.integers(-3, 5), max_size=3)},
        ),
    }
)
messages = (
    st.binary(max_size=60)
    | st.builds(msgspec.msgpack.encode, trees)
    | st.builds(msgspec.msgpack.encode, st.sampled_from(TAGS).flatmap(tagged))
    | st.builds(msgspec.msgpack.encode, looks_right)
    # Cut off in the middle; then nested far too deeply.
    | st.builds(msgspec.msgpack.encode, looks_right).flatmap(
        lambda whole: st.integers(0, len(whole)).map(lambda end: whole[:end])
    )
    | st.integers(100, 50_000).map(lambda depth: b"\x91" * depth)
    | st.builds(msgspec.json.encode, looks_right)
    | st.integers(1, 50_000).map(lambda depth: b'{"seat":' * depth)
)


class World:
    """A worker with an episode whose remote first seat is asked, and a rehearsed second one."""

    def __init__(self, store: EventStore, bench: WorkerNode, stranger: Bus, episode: str) -> None:
        self.store, self.bench, self.stranger, self.episode = store, bench, stranger, episode
        self.playing: asyncio.Task[None] | None = None
        self.command = subjects.command(stranger.space, "episode", episode)

    @classmethod
    async def open(cls, folder: Path, server: EmbeddedNats, space: str) -> Self:
        """Begin the episode."""
        store = open_store(f"sqlite:///{folder}/troupe.db")
        text = plan(
            REHEARSAL_MINDS + REMOTE_MINDS,
            tasks=1,
            pairings='[["far", "generous"], ["far", "generous", "generous"]]',
        )
        run = record(store, folder, text)
        bench = await WorkerNode(settings_of(folder, store, server, space), store).__aenter__()
        stranger = await Bus.connect(server.url, token=server.token, space=space)
        (planned,) = state_of(store, run).episodes
        world = cls(store, bench, stranger, planned.id)
        started = RunCache(store)
        state = started.run(run)
        assert state is not None
        beginning = started.beginning(run, state, planned.id)
        world.playing = asyncio.ensure_future(bench.episodes.play(planned.id, run, beginning))
        await until(lambda: store.version(f"episode-{planned.id}") >= 1)
        return world

    async def close(self) -> None:
        """Leave the episode where it is."""
        assert self.playing is not None
        self.playing.cancel()
        await self.stranger.close()
        await self.bench.__aexit__(None, None, None)
        self.store.close()

    async def send(self, data: bytes) -> Accepted | Refused:
        """Say something to the episode."""
        reply = (await self.stranger.nats.request(self.command, data, 60.0)).data
        if reply.startswith(b"{"):
            return msgspec.json.decode(reply, type=Accepted | Refused[Any])
        return decode_reply(reply)

    async def whisper(self, seat: int, data: bytes) -> None:
        """Say something to a seat, as if one were the episode."""
        self.stranger.publish(subjects.seat(self.stranger.space, self.episode, seat), data)
        await self.stranger.flush()


def test_garbage_is_refused_and_changes_nothing(
    tmp_path: Path, nats_server: EmbeddedNats, space: str
):
    with asyncio.Runner() as runner:
        world = runner.run(World.open(tmp_path, nats_server, space))
        head = world.store.head()

        @settings(
            max_examples=300,
            deadline=None,
            database=None,
            suppress_health_check=[HealthCheck.too_slow],
        )
        @given(messages)
        def each(data: bytes) -> None:
            runner.run(world.whisper(1, data))
            reply = runner.run(world.send(data))
            if isinstance(reply, Refused):
                assert reply.reason
            else:
                # A look, or an action for a turn that the seat took long ago: nothing happens.
                assert reply.version == 1

        each()
        assert world.store.head() == head
        assert world.bench.bus.counts.handler_failures == 0
        hello = TakeAction(seat=0, turn=1, action=Action(kind="speak", text="Hello."))
        reply = runner.run(world.send(encode(hello)))
        assert isinstance(reply, Accepted)
        stream = f"episode-{world.episode}"
        # The second seat, too, is as able to answer as before.
        runner.run(until(lambda: world.store.version(stream) >= 5))
        runner.run(world.close())


async def test_jobs_that_can_never_be_done_are_buried_and_harm_no_run(
    tmp_path: Path, nats_server: EmbeddedNats, space: str
):
    world = await World.open(tmp_path, nats_server, space)
    (tmp_path / "another").mkdir()
    other = record(world.store, tmp_path / "another", plan(REHEARSAL_MINDS, tasks=1))
    jobs = world.bench.jobs
    await jobs.enqueue("episode", PlayEpisode(run="r0", episode="e0"), id="1")
    await jobs.enqueue("episode", PlayEpisode(run=other, episode=world.episode), id="2")
    await jobs.enqueue("episode", ContinueEpisode(episode="e9"), id="3")
    await jobs.enqueue("evaluation", Evaluate(evaluation="v1", episode="e9"), id="4")
    head = world.store.head()
    await world.bench.work(4)
    while len(dead := await jobs.dead()) < 4:
        await asyncio.sleep(0.05)
    assert {letter.reason for letter in dead} == {
        "there is no run r0",
        f"run {other!r} plans no episode {world.episode!r}",
        "there is no episode e9",
    }
    wild = encode(PlayEpisode(run="r0", episode="../e0"))
    await jobs.bus.nats.jetstream().publish(subjects.job(space, "episode", "e5"), wild)
    while len(dead := await jobs.dead()) < 5:
        await asyncio.sleep(0.05)
    (retried,) = await retry(world.store, jobs, dead[-1:], shared=True)
    assert (retried.outcome, "no id of an episode" in retried.why) == ("refused", True)
    assert world.store.head() == head
    await world.close()
