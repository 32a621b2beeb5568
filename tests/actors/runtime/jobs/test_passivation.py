"""Passivated jobs are one process's as long as it lives, and take up no place."""

import asyncio
from dataclasses import replace

import pytest

from actors.runtime.jobs.queue import JobPassivated, JobQueue
from tests.actors.runtime.jobs.test_queue import QUICK as QUICKER
from tests.actors.runtime.jobs.test_queue import Diary, play, until_waiting
from tests.support.servers.nats_server import Connect, until

QUICK = replace(QUICKER, ack_wait=1.5)
"""A process that stands still for longer forgets what rests: it will be somebody else's."""


@pytest.fixture
def queue(bus) -> JobQueue:
    return JobQueue(bus, QUICK)


async def test_a_passivated_job_takes_up_no_place_and_is_done_once_it_is_woken(queue):
    diary = Diary(JobPassivated(), JobPassivated(), JobPassivated())
    worker = await queue.work("episode", diary, concurrency=1)
    for number in (1, 2, 3):
        await queue.enqueue("episode", play(number), id=f"e{number}")
    await until(lambda: worker.passivated == 3)
    assert worker.running == 0
    assert await queue.held("episode") == {"e1", "e2", "e3"}
    assert queue.wake("episode", "e2")
    await until(lambda: worker.counts.done == 1)
    assert diary.jobs == ["e1", "e2", "e3", "e2"]
    await until_waiting(queue, 2)
    await queue.stop()


async def test_a_job_passivated_longer_than_the_ack_wait_is_nobody_elses(queue, connect: Connect):
    here, elsewhere = Diary(JobPassivated()), Diary()
    worker = await queue.work("episode", here, concurrency=1)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.passivated == 1)
    other = JobQueue(await connect(), QUICK)
    others = await other.work("episode", elsewhere, concurrency=1)
    # Another job is left alone by its worker for that time, twice; this one is not.
    loop = asyncio.get_running_loop()
    end = loop.time() + 3 * QUICK.ack_wait
    await until(lambda: loop.time() > end)
    assert (elsewhere.jobs, worker.passivated) == ([], 1)
    assert queue.wake("episode", "e1")
    await until(lambda: worker.counts.done == 1)
    assert others.counts.done == 0
    await asyncio.gather(queue.stop(), other.stop())


async def test_a_passivated_job_whose_process_dies_is_given_to_another(queue, connect: Connect):
    worker = await queue.work("episode", Diary(JobPassivated()), concurrency=1)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.passivated == 1)
    await queue.bus.close()
    other = JobQueue(await connect(), QUICK)
    others = await other.work("episode", Diary(), concurrency=1)
    await until(lambda: others.counts.done == 1)
    await asyncio.gather(queue.stop(), other.stop())


async def test_a_stopping_queue_puts_back_passivated_jobs_uncounted(queue, connect: Connect):
    tries = []

    class Reading(Diary):
        async def __call__(self, job) -> None:
            tries.append(next(iter(others._running.values())).tries)
            await super().__call__(job)

    worker = await queue.work("episode", Diary(JobPassivated()), concurrency=1)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.passivated == 1)
    await queue.stop()
    assert worker.passivated == 0
    assert not queue.wake("episode", "e1")
    other = JobQueue(await connect(), QUICK)
    others = await other.work("episode", Reading(), concurrency=1)
    await until(lambda: others.counts.done == 1)
    assert tries == [1]
    await other.stop()


async def test_a_job_woken_while_it_is_being_passivated_goes_on(queue):
    done: list[str] = []

    async def handler(job) -> None:
        done.append(job.episode)
        if len(done) == 1:
            assert queue.wake("episode", job.episode)
            raise JobPassivated

    worker = await queue.work("episode", handler, concurrency=1)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.counts.done == 1)
    assert done == ["e1", "e1"]
    assert worker.passivated == 0
    await queue.stop()


async def test_what_is_not_in_hand_cannot_be_woken(queue):
    assert not queue.wake("episode", "e1")
    worker = await queue.work("episode", Diary(JobPassivated()), concurrency=1)
    assert not queue.wake("episode", "e1")
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.passivated == 1 and not worker.running)
    queue.drop("episode", "e1")
    assert not queue.wake("episode", "e1")
    # Nobody says any more that it is in good hands: it is given away.
    await until(lambda: worker.counts.done == 1)
    await queue.stop()


async def test_of_two_passivated_jobs_for_the_same_one_is_kept(queue):
    worker = await queue.work("episode", Diary(JobPassivated(), JobPassivated()), concurrency=1)
    await queue.enqueue("episode", play(1), id="once")
    await until(lambda: worker.passivated == 1)
    await queue.enqueue("episode", play(1), id="again")
    await until_waiting(queue, 1)
    assert worker.passivated == 1
    await queue.stop()


async def test_jobs_of_a_queue_that_was_made_anew_are_not_in_hand_any_more(queue):
    diary = Diary(JobPassivated(), JobPassivated())
    worker = await queue.work("episode", diary, concurrency=1)
    await queue.enqueue("episode", play(1), id="e1")
    await until(lambda: worker.passivated == 1)
    await queue.forget()
    await until(lambda: worker.passivated == 0)
    assert not queue.wake("episode", "e1")
    await queue.enqueue("episode", play(1), id="e1 again")
    await until(lambda: worker.passivated == 1)
    await queue.stop()
