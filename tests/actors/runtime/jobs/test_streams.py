"""What the queue holds, by id; and queues that an older installation has left."""

import asyncio

import pytest
from nats.js.api import AckPolicy, ConsumerConfig, RetentionPolicy, StreamConfig
from prometheus_client import REGISTRY

from actors.runtime.jobs.delivery import JOB, TRIES
from actors.runtime.jobs.queue import JobCensus, JobQueue, JobSettings
from actors.runtime.jobs.streams import KINDS, JobStreams
from events.serialization.codec import encode
from events.wire.messages import ContinueEpisode, Evaluate, PlayEpisode
from tests.support.servers.nats_server import until

QUICK = JobSettings(ack_wait=0.5, first_delay=0.05, max_tries=3, pull=2.0, pull_heartbeat=0.5)


@pytest.fixture
def queue(bus) -> JobQueue:
    return JobQueue(bus, QUICK)


def play(number: int) -> PlayEpisode:
    return PlayEpisode(run="r1", episode=f"e{number}")


def evaluation(number: int) -> Evaluate:
    return Evaluate(evaluation=f"v{number}", episode=f"e{number}", judge_hash="ab" * 16)


class OldQueue:
    """The queue as the first version set it up: no ids in its subjects."""

    def __init__(self, bus) -> None:
        self.js = bus.nats.jetstream()
        self.prefix = f"troupe.{bus.space}"
        self.stream = f"TROUPE_{bus.space}_JOBS"
        self.dead = f"TROUPE_{bus.space}_DEAD"

    async def set_up(self) -> "OldQueue":
        await self.js.add_stream(
            StreamConfig(
                name=self.stream,
                subjects=[f"{self.prefix}.job.*"],
                retention=RetentionPolicy.WORK_QUEUE,
                duplicate_window=120.0,
            )
        )
        await self.js.add_stream(
            StreamConfig(name=self.dead, subjects=[f"{self.prefix}.dead.*"], max_msgs=100_000)
        )
        for kind in ("episode", "evaluation"):
            await self.js.add_consumer(
                self.stream,
                ConsumerConfig(
                    durable_name=kind,
                    filter_subject=f"{self.prefix}.job.{kind}",
                    ack_policy=AckPolicy.EXPLICIT,
                    ack_wait=20.0,
                    max_deliver=-1,
                    max_ack_pending=-1,
                ),
            )
        return self


async def test_a_job_is_held_until_it_is_done(queue):
    held_while_at_it: list[set[str]] = []

    async def handler(job) -> None:
        held_while_at_it.append(await queue.held("episode"))

    await queue.ensure()
    assert await queue.held("episode") == set()
    await queue.enqueue("episode", play(1), id="e1-17-0")
    await queue.enqueue("episode", ContinueEpisode(episode="e2"), id="e2-17-0")
    await queue.enqueue("evaluation", evaluation(1), id="v1-17-0")
    assert await queue.held("episode") == {"e1", "e2"}
    assert await queue.held("evaluation") == {"v1"}
    worker = await queue.work("episode", handler, concurrency=1)
    await until(lambda: worker.counts.done == 2)
    await queue.stop()
    assert all("e2" in held for held in held_while_at_it)
    await queue.bus.flush()
    assert await queue.held("episode") == set()
    assert await queue.held("evaluation") == {"v1"}


async def test_without_jetstream_nobody_knows_what_is_held(own_nats_server, connect):
    queue = JobQueue(await connect(server=own_nats_server), JobSettings(api_timeout=0.1))
    await queue.ensure()
    await asyncio.to_thread(own_nats_server.stop)
    await until(lambda: not queue.bus.connected)
    assert await queue.held("episode") is None


async def test_dead_letters_of_an_older_installation_can_be_read(queue, bus):
    old = await OldQueue(bus).set_up()
    headers = {JOB: "e1-3-0", TRIES: "5", "Troupe-Reason": "no luck"}
    await old.js.publish(f"{old.prefix}.dead.episode", encode(play(1)), headers=headers)
    await old.js.publish(f"{old.prefix}.dead.episode", b"\xff", headers=headers)
    await queue.ensure()
    readable, unreadable = await queue.dead()
    assert (readable.kind, readable.id, readable.job) == ("episode", "e1", play(1))
    assert (unreadable.kind, unreadable.id, unreadable.job) == ("episode", "", None)
    assert (await queue.census())["episode"].dead == 2


async def test_a_discarded_letter_is_gone_and_the_others_stay(queue, bus):
    async def handler(job) -> None:
        raise RuntimeError("no luck")

    worker = await queue.work("episode", handler, concurrency=3)
    for number in range(3):
        await queue.enqueue("episode", play(number), id=f"e{number}")
    await until(lambda: worker.counts.dead == 3)
    letters = await queue.dead()
    for _ in range(2):
        await queue.discard(letters[1])
    assert await queue.dead() == [letters[0], letters[2]]
    assert await queue.dead(limit=1) == [letters[2]]
    await queue.stop()


async def test_jobs_are_counted_by_kind_and_state_and_shown(queue):
    begun, gate = asyncio.Event(), asyncio.Event()

    async def handler(job) -> None:
        if job.episode == "e0":
            raise RuntimeError("no luck")
        begun.set()
        await gate.wait()

    await queue.enqueue("episode", play(0), id="e0")
    worker = await queue.work("episode", handler, concurrency=1)
    await until(lambda: worker.counts.dead)
    for number in range(1, 4):
        await queue.enqueue("episode", play(number), id=f"e{number}")
    await begun.wait()
    await queue.enqueue("evaluation", evaluation(1), id="v1")
    assert await queue.census() == {
        "episode": JobCensus(queued=2, in_hand=1, dead=1),
        "evaluation": JobCensus(queued=1, in_hand=0, dead=0),
    }
    shown = {
        (kind, state): REGISTRY.get_sample_value("troupe_jobs", {"kind": kind, "state": state})
        for kind in ("episode", "evaluation")
        for state in ("queued", "in_hand", "dead")
    }
    assert shown["episode", "queued"] == 2
    assert shown["episode", "in_hand"] == shown["episode", "dead"] == 1
    assert shown["evaluation", "queued"] == 1
    gate.set()
    await queue.stop()


async def test_a_queue_that_is_dropped_meanwhile_is_set_up_again(bus):
    streams = JobStreams(bus, QUICK)
    await streams.ensure()
    for _ in range(10):
        await asyncio.gather(streams.forget(), *(streams.ensure() for _ in range(3)))
        assert await streams.subjects_of(streams.jobs, ">") == {}
    for kind in KINDS:
        assert (await streams.js.consumer_info(streams.jobs, kind)).name == kind
