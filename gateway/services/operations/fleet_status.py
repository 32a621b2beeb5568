"""What operators see of a fleet: its workers, its jobs, and those that nobody could do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import get_args

from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.runtime.jobs.queue import DeadJob, JobQueue
from events.base import Value
from events.wire.messages import JobKind, WorkerReport
from gateway.errors import BadArgument
from gateway.process.discovery import connected, reports
from gateway.process.worker_node import job_settings
from gateway.services.operations.retry_jobs import Retried, retry
from gateway.settings import Settings
from store.log.event_store import EventStore

LATEST = 100
"""Dead jobs that are listed; older ones are only counted."""
ALL = 1_000_000


class KindCounts(Value, frozen=True, kw_only=True):
    """The jobs of one kind."""

    kind: JobKind
    queued: int
    in_hand: int
    dead: int


class DeadLetter(Value, frozen=True, kw_only=True):
    """A job that nobody could do."""

    kind: str
    id: str
    """The episode or evaluation; what it was queued as where that cannot be read."""
    run: str
    tries: int
    reason: str
    died_at: int
    """Microseconds since 1970, UTC."""


class QueueDetails(Value, frozen=True, kw_only=True):
    """All there is to say about a queue."""

    kinds: tuple[KindCounts, ...]
    dead: tuple[DeadLetter, ...]
    """The latest, oldest first."""
    alive: bool = True
    """Whether there is anybody who may take jobs; False: this is what the last process left."""


def fleet_details(settings: Settings) -> list[WorkerReport]:
    """The workers that answer: of the fleet, or beside this store. Raises ``NatsAway``."""

    async def ask() -> list[WorkerReport]:
        async with connected(settings) as buses:
            return await reports(buses)

    return asyncio.run(ask())


def queue_details(settings: Settings) -> QueueDetails:
    """What is queued, in hand and dead. Raises ``NatsAway``, ``JobsUnavailable``."""

    async def look() -> QueueDetails:
        async with _queues(settings) as (queues, alive):
            census = [await queue.census() for queue in queues]
            letters = [letter for queue in queues for letter in await queue.dead(LATEST)]
        kinds = [
            KindCounts(
                kind=kind,
                queued=sum(one[kind].queued for one in census),
                in_hand=sum(one[kind].in_hand for one in census),
                dead=sum(one[kind].dead for one in census),
            )
            for kind in get_args(JobKind)
        ]
        letters.sort(key=lambda letter: letter.died_at)
        dead = tuple(map(_dead_letter, letters[-LATEST:]))
        return QueueDetails(kinds=tuple(kinds), dead=dead, alive=alive)

    return asyncio.run(look())


def retry_jobs(settings: Settings, store: EventStore, given: str) -> list[Retried]:
    """Have dead jobs tried again: those whose id begins with ``given``; empty: all.

    Raises ``BadArgument`` where there is none, ``NatsAway``, ``JobsUnavailable``.
    """

    async def again() -> list[Retried]:
        found: list[Retried] = []
        meant = 0
        async with _queues(settings) as (queues, alive):
            for queue in queues:
                letters = [
                    letter
                    for letter in await queue.dead(ALL)
                    if (letter.id or letter.queued_as).startswith(given)
                ]
                meant += len(letters)
                found += await retry(store, queue, letters, shared=alive)
        if given and not meant:
            raise BadArgument("job", given, "no dead job has this id; `troupe jobs` lists them")
        return found

    return asyncio.run(again())


@asynccontextmanager
async def _queues(settings: Settings) -> AsyncIterator[tuple[list[JobQueue], bool]]:
    """The fleet's queue, or that of each living process, or what the last one left behind; and
    whether anybody may take jobs from them. Looking at them neither makes nor changes anything."""
    async with AsyncExitStack() as stack:
        buses = await stack.enter_async_context(connected(settings))
        alive = bool(buses)
        if not alive:
            server = EmbeddedNats(settings.data_dir)
            await asyncio.to_thread(server.start)
            stack.push_async_callback(asyncio.to_thread, server.stop)
            bus = await Bus.connect(server.url, token=server.token, space=settings.space)
            stack.push_async_callback(bus.close)
            buses = [bus]
        yield [JobQueue(bus, job_settings(settings.tuning)) for bus in buses], alive


def _dead_letter(letter: DeadJob) -> DeadLetter:
    job = letter.job
    return DeadLetter(
        kind=letter.kind,
        id=letter.id or letter.queued_as,
        run=job.run if job is not None else "",
        tries=letter.tries,
        reason=letter.reason,
        died_at=letter.died_at,
    )
