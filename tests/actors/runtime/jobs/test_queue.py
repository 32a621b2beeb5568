import asyncio
import dataclasses
import time
from collections import Counter

import pytest
import uvloop
from nats.js.errors import APIError, NoStreamResponseError

from actors.runtime.bus.nats_bus import Bus
from actors.runtime.jobs.delivery import UNNAMED
from actors.runtime.jobs.queue import (
    JobDeferred,
    JobImpossible,
    JobQueue,
    JobSettings,
    JobsUnavailable,
)
from events.serialization.codec import decode_job, encode
from events.untrusted.limits import MOST_JOB_BYTES
from events.wire import subjects
from events.wire.messages import ContinueEpisode, Evaluate, PlayEpisode
from tests.support.servers.nats_server import until

ACK = b""
"""What nats-py acknowledges with: anything but a word of JetStream's is an acknowledgement."""
QUICK = JobSettings(
    ack_wait=0.5, first_delay=0.05, longest_delay=0.2, max_tries=3, pull=2.0, pull_heartbeat=0.5
)
USUAL = dataclasses.replace(QUICK, ack_wait=30.0)
"""Where no worker is lost: one that a busy machine keeps waiting has nothing given to it again."""


def play(number: int) -> PlayEpisode:
    return PlayEpisode(run="r1", episode=f"e{number}")


def stream_of(queue: JobQueue) -> str:
    return f"TROUPE_{queue.bus.space}_JOBS"


async def until_waiting(queue: JobQueue, count: int) -> None:
    """The server counts answers a moment after it has taken them."""
    async with asyncio.timeout(60):
        while await queue.waiting("episode") != count:
            await asyncio.sleep(0.005)


class Diary:
    """A handler that writes down which episodes it was given."""

    def __init__(self, *outcomes) -> None:
        self.jobs: list[str] = []
        self.outcomes = list(outcomes)
        """What to raise, job by job; None or nothing left: the job is done."""

    async def __call__(self, job) -> None:
        self.jobs.append(job.episode)
        outcome = self.outcomes.pop(0) if self.outcomes else None
        if outcome is not None:
            raise outcome


@pytest.fixture
def queue(bus) -> JobQueue:
    return JobQueue(bus, USUAL)


@pytest.fixture
def hasty(bus) -> JobQueue:
    """One that soon takes a worker for lost."""
    return JobQueue(bus, QUICK)


async def test_a_job_is_done_once_and_is_gone(queue):
    diary = Diary()
    await queue.ensure()
    assert await queue.enqueue("episode", play(1), id="e1")
    await until_waiting(queue, 1)
    worker = await queue.work("episode", diary, concurrency=4)
    await until(lambda: worker.counts.done)
    await queue.stop()
    assert diary.jobs == ["e1"]
    await until_waiting(queue, 0)


def test_jobs_are_done_on_uvloop_as_well(nats_server, space):
    async def main() -> list[str]:
        bus = await Bus.connect(nats_server.url, token=nats_server.token, space=space)
        queue, diary = JobQueue(bus, USUAL), Diary(RuntimeError("no luck"), JobDeferred(0.0))
        worker = await queue.work("episode", diary, concurrency=1)
        await queue.enqueue("episode", play(1), id="e1")
        await until(lambda: worker.counts.done)
        await queue.stop()
        await bus.close()
        return diary.jobs

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(main()) == ["e1"] * 3


async def test_jobs_queued_before_and_after_the_worker_came_are_all_done(queue):
    diary = Diary()
    await queue.ensure()
    for number in range(20):
        await queue.enqueue("episode", play(number), id=f"e{number}")
    await queue.work("episode", diary, concurrency=3)
    for number in range(20, 40):
        await queue.enqueue("episode", play(number), id=f"e{number}")
    await until(lambda: len(diary.jobs) == 40)
    await queue.stop()
    assert Counter(diary.jobs) == Counter(f"e{number}" for number in range(40))


async def test_queueing_makes_the_streams_that_are_missing(queue):
    assert await queue.enqueue("episode", play(1), id="e1")
    await until_waiting(queue, 1)


async def test_jobs_that_are_taken_back_are_not_done(queue):
    await queue.ensure()
    for number in range(4):
        await queue.enqueue("episode", play(number), id=f"e{number}")
    await queue.withdraw("episode", ["e0", "e2", "never-there"])
    assert await queue.held("episode") == {"e1", "e3"}
    diary = Diary()
    await queue.work("episode", diary, concurrency=1)
    await until_waiting(queue, 0)
    assert diary.jobs == ["e1", "e3"]
    await queue.stop()


async def test_the_same_id_is_queued_once(queue):
    await queue.ensure()
    answers = [await queue.enqueue("episode", play(1), id="e1") for _ in range(3)]
    assert answers == [True, False, False]
    await until_waiting(queue, 1)


async def test_ensuring_twice_and_with_other_settings_is_harmless(bus):
    for settings in (QUICK, QUICK, JobSettings(ack_wait=3.0, window=5.0)):
        await JobQueue(bus, settings).ensure()
    assert await JobQueue(bus).enqueue("episode", play(1), id="e1")


async def test_never_more_at_once_than_asked_for(queue):
    now, most = 0, 0
    gate = asyncio.Event()

    async def handler(job) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await gate.wait()
        now -= 1

    await queue.ensure()
    for number in range(9):
        await queue.enqueue("episode", play(number), id=f"e{number}")
    worker = await queue.work("episode", handler, concurrency=3)
    await until(lambda: now == 3)
    gate.set()
    await until(lambda: worker.counts.done == 9)
    await queue.stop()
    assert most == 3


async def test_kinds_have_workers_of_their_own(queue):
    episodes, evaluations = Diary(), Diary()
    await queue.work("episode", episodes, concurrency=1)
    await queue.work("evaluation", evaluations, concurrency=1)
    await queue.enqueue("episode", play(1), id="e1")
    await queue.enqueue("evaluation", Evaluate(evaluation="v1", episode="e2"), id="v1")
    await until(lambda: episodes.jobs and evaluations.jobs)
    await queue.stop()
    assert (episodes.jobs, evaluations.jobs) == (["e1"], ["e2"])


async def test_an_unknown_kind_is_refused(queue):
    with pytest.raises(ValueError, match="'chain' is no kind of job"):
        await queue.enqueue("chain", play(1), id="e1")


async def test_two_spaces_on_one_server_have_queues_of_their_own(connect):
    ours, theirs = [JobQueue(await connect(space=name), USUAL) for name in ("jobs-a", "jobs-b")]
    diary = Diary()
    await theirs.ensure()
    await ours.work("episode", diary, concurrency=1)
    await theirs.enqueue("episode", play(2), id="e2")
    await ours.enqueue("episode", play(1), id="e1")
    await until(lambda: diary.jobs)
    await ours.stop()
    assert diary.jobs == ["e1"]
    await until_waiting(theirs, 1)


# ---------------------------------------------------------------- failure


async def test_a_failed_job_is_tried_again(queue):
    diary = Diary(RuntimeError("no luck"), asyncio.CancelledError())
    worker = await queue.work("episode", diary, concurrency=1)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.counts.done)
    await queue.stop()
    assert diary.jobs == ["e1"] * 3
    assert worker.counts.failed == 2
    assert await queue.dead() == []


def test_the_wait_before_the_next_try_doubles_up_to_a_limit():
    settings = JobSettings(first_delay=1.0, longest_delay=10.0)
    assert [settings.delay(tries) for tries in (1, 2, 3, 4, 5, 500)] == [1, 2, 4, 8, 10, 10]


async def test_a_job_that_keeps_failing_is_dead_and_says_why(queue):
    reported: list[tuple[str, str]] = []

    async def report(job, reason: str) -> None:
        reported.append((job.episode, reason))

    diary = Diary(*[RuntimeError("no luck\r\nat all")] * 9)
    worker = await queue.work("episode", diary, concurrency=1, on_dead_letter=report)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.counts.dead)
    await queue.stop()
    assert diary.jobs == ["e1"] * QUICK.max_tries
    assert reported == [("e1", "RuntimeError: no luck\r\nat all")]
    (dead,) = await queue.dead()
    assert (dead.kind, dead.id, dead.tries) == ("episode", "e1", 3)
    assert dead.reason == "RuntimeError: no luck at all"
    assert decode_job(dead.data) == play(1)
    await until_waiting(queue, 0)


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe random", b"\x81\xa4type\xa5Other", b"\x91" * 100_000]
)
async def test_an_unreadable_job_is_dead_and_the_worker_goes_on(queue, bus, data):
    diary = Diary()
    worker = await queue.work("episode", diary, concurrency=1)
    await bus.nats.jetstream().publish(subjects.job(bus.space, "episode", "x"), data)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.counts.dead and worker.counts.done)
    await queue.stop()
    (dead,) = await queue.dead()
    assert dead.reason.startswith("unreadable: ")
    assert dead.data == data
    assert diary.jobs == ["e1"]
    await until_waiting(queue, 0)


@pytest.mark.parametrize(
    "job",
    [
        PlayEpisode(run="r1", episode=""),
        PlayEpisode(run="", episode="x"),
        PlayEpisode(run="r1", episode="a b"),
        PlayEpisode(run="../../etc", episode="x"),
        ContinueEpisode(episode="x" * 10_000),
        PlayEpisode(run="r1", episode="another"),
        Evaluate(evaluation="x", episode="e1"),
    ],
    ids=lambda job: f"{job.episode[:9]}-{job.run}",
)
async def test_a_job_that_is_impossible_is_buried_at_once_and_said_of_no_stream(queue, bus, job):
    told, diary = [], Diary()

    async def tell(job, reason: str) -> None:
        told.append(job)

    worker = await queue.work("episode", diary, concurrency=1, on_dead_letter=tell)
    for target in ("x", "é%2e"):
        subject = f"troupe.{bus.space}.job.episode.{target}"
        await bus.nats.jetstream().publish(subject, encode(job))
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.counts.dead == 2 and worker.counts.done)
    await queue.stop()
    assert (diary.jobs, told) == (["e1"], [])
    buried = await queue.dead()
    assert [letter.id for letter in buried] == ["x", UNNAMED]
    assert all(0 < len(letter.reason) < 300 for letter in buried)
    await until_waiting(queue, 0)


async def test_what_a_handler_finds_impossible_is_buried_at_once(queue):
    told, diary = [], Diary(JobImpossible("there is no run r1"))

    async def tell(job, reason: str) -> None:
        told.append(job)

    worker = await queue.work("episode", diary, concurrency=1, on_dead_letter=tell)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.counts.dead)
    await queue.stop()
    (buried,) = await queue.dead()
    assert (buried.reason, buried.tries, told) == ("there is no run r1", 1, [])


async def test_a_dead_job_whose_death_cannot_be_recorded_is_buried_all_the_same(bus):
    async def tell(job, reason: str) -> None:
        raise RuntimeError("no such stream")

    queue = JobQueue(bus, dataclasses.replace(QUICK, max_tries=1))
    diary = Diary(*[RuntimeError("no luck")] * 9)
    worker = await queue.work("episode", diary, concurrency=1, on_dead_letter=tell)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.counts.dead)
    await queue.stop()
    (buried,) = await queue.dead()
    assert "no such stream" in buried.reason


async def test_headers_that_no_queue_of_ours_writes_keep_no_job_alive(queue, bus):
    diary = Diary()
    worker = await queue.work("episode", diary, concurrency=1)
    headers = {"Troupe-Tries": "9" * 5000, "Troupe-Job": "x" * 5000, "Troupe-Not-Before": "9" * 30}
    subject = subjects.job(bus.space, "episode", "e1")
    await bus.nats.jetstream().publish(subject, encode(play(1)), headers=headers)
    await until(lambda: worker.counts.done)
    await queue.stop()
    assert diary.jobs == ["e1"]


async def test_what_is_too_large_for_a_job_or_of_no_kind_is_not_queued(queue, bus):
    await queue.ensure()
    stream = bus.nats.jetstream()
    with pytest.raises(APIError, match="message size exceeds maximum"):
        await stream.publish(subjects.job(bus.space, "episode", "x"), b"x" * (MOST_JOB_BYTES + 1))
    for more in ("job.other.x", "job.episode.x.y"):
        with pytest.raises(NoStreamResponseError):
            await stream.publish(f"troupe.{bus.space}.{more}", b"x")


async def test_a_deferred_job_comes_later_and_is_not_counted_as_failed(queue):
    deferrals = [JobDeferred(0.0), JobDeferred(0.1)] * QUICK.max_tries
    diary = Diary(*deferrals, RuntimeError("once"))
    worker = await queue.work("episode", diary, concurrency=1)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.counts.done)
    await queue.stop()
    assert len(diary.jobs) == len(deferrals) + 2
    assert (worker.counts.deferred, worker.counts.failed) == (len(deferrals), 1)
    assert await queue.dead() == []


async def test_failures_count_on_through_deferrals(queue):
    diary = Diary(*[RuntimeError("no luck"), JobDeferred(0.0)] * 9)
    worker = await queue.work("episode", diary, concurrency=1)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.counts.dead)
    await queue.stop()
    assert worker.counts.failed == QUICK.max_tries
    (dead,) = await queue.dead()
    assert (dead.id, dead.tries) == ("e1", QUICK.max_tries)


# ---------------------------------------------------------------- workers that come and go


async def test_a_job_that_takes_longer_than_the_wait_for_its_answer_is_not_given_twice(
    connect, hasty
):
    begun: list[str] = []
    gate = asyncio.Event()

    async def handler(job) -> None:
        begun.append(job.episode)
        await gate.wait()

    idle = JobQueue(await connect(), QUICK)
    await idle.work("episode", handler, concurrency=5)
    worker = await hasty.work("episode", handler, concurrency=5)
    await hasty.enqueue("episode", play(1), id="e1")
    heartbeats: list[bytes] = []
    listening = await connect()
    await listening.subscribe(f"$JS.ACK.{stream_of(hasty)}.>", lambda m: heartbeats.append(m.data))
    # Four in-progress signals make one wait: more than two of those have passed then.
    await until(lambda: heartbeats.count(b"+WPI") >= 9)
    assert begun == ["e1"]
    gate.set()
    await until(lambda: ACK in heartbeats)
    assert begun == ["e1"]
    await asyncio.gather(hasty.stop(), idle.stop())
    assert worker.running == 0


async def test_a_job_given_back_to_a_worker_that_was_stalled_is_not_begun_twice(connect, hasty):
    begun: list[str] = []
    gate = asyncio.Event()

    async def handler(job) -> None:
        begun.append(job.episode)
        time.sleep(QUICK.ack_wait * 1.5)  # the whole process stands still, heartbeats too
        await gate.wait()

    answers: list[tuple[str, bytes]] = []
    listening = await connect()
    await listening.subscribe(
        f"$JS.ACK.{stream_of(hasty)}.episode.2.>", lambda m: answers.append((m.subject, m.data))
    )
    await listening.flush()
    worker = await hasty.work("episode", handler, concurrency=2)
    await hasty.enqueue("episode", play(1), id="e1")
    await until(lambda: any(data == b"+WPI" for _, data in answers))  # to the second delivery
    gate.set()
    await until(lambda: worker.counts.done)
    await hasty.stop()
    assert begun == ["e1"]
    await until_waiting(hasty, 0)


async def test_the_job_of_a_lost_worker_goes_to_another(connect):
    lost, other = JobQueue(await connect(), QUICK), JobQueue(await connect(), QUICK)
    diary, stuck = Diary(), asyncio.Event()

    async def never(job) -> None:
        stuck.set()
        await asyncio.Event().wait()

    worker = await lost.work("episode", never, concurrency=1)
    await lost.enqueue("episode", play(1), id="e1")
    await stuck.wait()
    await lost.bus.close()  # no answer, no heartbeats any more
    await other.work("episode", diary, concurrency=1)
    await until(lambda: diary.jobs)
    await other.stop()
    assert diary.jobs == ["e1"]
    await worker.stop(grace=0)


async def test_a_job_that_takes_its_workers_along_is_dead_after_some_times(connect):
    begun = 0

    async def never(job) -> None:
        nonlocal begun
        begun += 1
        await asyncio.Event().wait()

    first = JobQueue(await connect(), QUICK)
    await first.enqueue("episode", play(1), id="e1")
    for tries in range(1, QUICK.max_tries + 1):
        queue = JobQueue(await connect(), QUICK)
        worker = await queue.work("episode", never, concurrency=1)
        await until(lambda tries=tries: begun == tries)
        await queue.bus.close()
        await worker.stop(grace=0)
    last = await first.work("episode", never, concurrency=1)
    await until(lambda: last.counts.dead)
    (dead,) = await first.dead()
    assert dead.reason == "its worker was lost each of 3 times"
    assert begun == QUICK.max_tries
    await first.stop()


async def test_a_process_that_knows_to_be_alone_takes_jobs_back_at_once(connect):
    settings = JobSettings(ack_wait=3600.0)
    lost, again = JobQueue(await connect(), settings), JobQueue(await connect(), settings)
    stuck = asyncio.Event()

    async def never(job) -> None:
        stuck.set()
        await asyncio.Event().wait()

    worker = await lost.work("episode", never, concurrency=1)
    await lost.enqueue("episode", play(1), id="e1")
    await stuck.wait()
    await lost.bus.close()
    await worker.stop(grace=0)
    diary = Diary()
    await again.reclaim()
    await again.work("episode", diary, concurrency=1)
    await until(lambda: diary.jobs == ["e1"])
    await again.stop()


async def test_stopping_waits_for_the_jobs_in_hand(queue):
    begun, gate = asyncio.Event(), asyncio.Event()

    async def handler(job) -> None:
        begun.set()
        await gate.wait()

    worker = await queue.work("episode", handler, concurrency=1)
    await queue.enqueue("episode", play(1), id="e1")
    await begun.wait()
    stopping = asyncio.create_task(queue.stop(grace=60))
    await queue.enqueue("episode", play(2), id="e2")  # nobody's any more
    gate.set()
    await stopping
    assert worker.counts.done == 1
    await until_waiting(queue, 1)


async def test_stopping_puts_late_jobs_back_at_once_and_uncounted(connect):
    settings = JobSettings(ack_wait=3600.0, max_tries=2)
    await JobQueue(await connect(), settings).enqueue("episode", play(1), id="e1")
    begun = 0

    async def never(job) -> None:
        nonlocal begun
        begun += 1
        await asyncio.Event().wait()

    for times in range(1, 6):
        queue = JobQueue(await connect(), settings)
        await queue.work("episode", never, concurrency=1)
        await until(lambda times=times: begun == times)
        await queue.stop(grace=0)
    await until_waiting(queue, 1)
    assert await queue.dead() == []


async def test_an_idle_worker_does_not_ask_again_and_again(connect, queue):
    asked: list[bytes] = []
    listening = await connect()
    requests = f"$JS.API.CONSUMER.MSG.NEXT.{stream_of(queue)}.>"
    await listening.subscribe(requests, lambda m: asked.append(m.data))
    await listening.flush()
    worker = await queue.work("episode", Diary(), concurrency=2)
    await until(lambda: len(asked) >= 3, within=30)  # the request of two seconds, thrice
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.counts.done)
    await queue.stop()
    ours = [question for question in asked if b'"batch": 2' in question]
    assert 3 <= len(ours) <= 5


# ---------------------------------------------------------------- a server that goes away


async def test_work_goes_on_after_a_server_restart(own_nats_server, connect):
    queue = JobQueue(await connect(server=own_nats_server), QUICK)
    diary, begun, gate = Diary(), asyncio.Event(), asyncio.Event()

    async def handler(job) -> None:
        begun.set()
        await gate.wait()
        await diary(job)

    worker = await queue.work("episode", handler, concurrency=1)
    for number in range(3):
        await queue.enqueue("episode", play(number), id=f"e{number}")
    await begun.wait()
    await asyncio.to_thread(own_nats_server.stop)
    await until(lambda: not queue.bus.connected)
    gate.set()  # its answer has to wait for the server
    await asyncio.to_thread(own_nats_server.start)
    await until(lambda: set(diary.jobs) == {"e0", "e1", "e2"})
    await queue.bus.flush()
    await queue.enqueue("episode", play(3), id="e3")
    await until(lambda: "e3" in diary.jobs)
    await queue.stop()
    assert worker.counts.dead == 0
    await until_waiting(queue, 0)


@pytest.mark.parametrize("lost", ["stream", "consumer"])
async def test_a_lost_stream_or_consumer_is_made_again_under_a_waiting_worker(queue, bus, lost):
    diary, js = Diary(), bus.nats.jetstream()
    await queue.work("episode", diary, concurrency=1)
    await queue.enqueue("episode", play(0), id="e0")
    await until(lambda: diary.jobs == ["e0"])
    # An answer under way when its consumer is lost would bring the job again.
    await until_waiting(queue, 0)
    stream = stream_of(queue)
    if lost == "stream":
        await js.delete_stream(stream)
    else:
        await js.delete_consumer(stream, "episode")
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: diary.jobs == ["e0", "e1"])
    await queue.stop()


async def test_an_answer_to_a_job_of_a_lost_queue_does_not_hit_one_of_the_new(queue, bus, connect):
    gates = {"e0": asyncio.Event(), "e1": asyncio.Event()}
    begun: list[str] = []

    async def handler(job) -> None:
        begun.append(job.episode)
        await gates[job.episode].wait()

    done: list[bytes] = []
    listening = await connect()
    await listening.subscribe(
        f"$JS.ACK.{stream_of(queue)}.>", lambda m: done.extend([m.data] * (m.data == ACK))
    )
    await listening.flush()
    worker = await queue.work("episode", handler, concurrency=2)
    await queue.enqueue("episode", play(0), id="e0")
    await until(lambda: begun == ["e0"])
    made = worker._puller._epoch
    await bus.nats.jetstream().delete_stream(stream_of(queue))
    # The server may still be at the files of the stream that is gone. Until the worker has made a
    # whole one, what is queued may be deleted with a broken one.
    await until(lambda: worker._puller._epoch != made)
    await queue.enqueue("episode", play(1), id="e1")  # number 1 again, as e0 was
    await until(lambda: begun == ["e0", "e1"])
    gates["e0"].set()
    await until(lambda: worker.counts.done == 1)
    gates["e1"].set()
    await until(lambda: worker.counts.done == 2)
    await queue.stop()
    await until_waiting(queue, 0)
    await listening.flush()
    assert done == [ACK]


async def test_without_jetstream_the_error_says_so(own_nats_server, connect):
    bus = await connect(server=own_nats_server)
    await asyncio.to_thread(own_nats_server.stop)
    await until(lambda: not bus.connected)
    queue = JobQueue(bus, JobSettings(api_timeout=0.1))
    with pytest.raises(JobsUnavailable, match="cannot set up the job queue: no answer"):
        await queue.ensure()
    with pytest.raises(JobsUnavailable, match="cannot queue a job on troupe"):
        await queue.enqueue("episode", play(1), id="e1")
