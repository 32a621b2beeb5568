"""What operators see of a fleet: its workers, its jobs, and those that nobody could do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from actors.runtime.bus import Bus
from actors.runtime.bus_errors import BusDown
from actors.runtime.jobs import DeadJob, JobQueue
from actors.runtime.nats_server import EmbeddedNats
from events.base import Value
from events.messages import JobKind, WorkerReport
from gateway.dead_jobs import Retried, retry
from gateway.errors import BadArgument, GatewayError, NatsAway
from gateway.settings import Settings
from gateway.worker_node import job_settings
from store.log import EventStore

LATEST = 100
"""Dead jobs that are listed; older ones are only counted."""
ALL = 1_000_000


class NoFleet(GatewayError):
    """There is no server that workers could share."""

    def __init__(self) -> None:
        super().__init__(
            "workers share a NATS server, and none is named: set TROUPE_NATS_URL to the fleet's"
        )


class QueueInUse(GatewayError):
    """The embedded server's jobs belong to a process that is running."""

    def __init__(self, data_dir: str) -> None:
        super().__init__(
            f"the jobs of {data_dir} are inside the process that works on it; look when it has "
            "ended, or have all use one NATS server (TROUPE_NATS_URL)"
        )
        self.data_dir = data_dir


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


def fleet_details(settings: Settings) -> list[WorkerReport]:
    """The workers that answer. Raises ``NoFleet``, ``NatsAway``."""
    if settings.embedded_nats:
        raise NoFleet

    async def ask() -> list[WorkerReport]:
        async with _queue(settings) as queue:
            return await queue.fleet()

    return asyncio.run(ask())


def queue_details(settings: Settings) -> QueueDetails:
    """What is queued, in hand and dead. Raises ``NatsAway``, ``QueueInUse``,
    ``JobsUnavailable``."""

    async def look() -> QueueDetails:
        async with _queue(settings) as queue:
            census = await queue.census()
            letters = await queue.dead(LATEST)
        kinds = [
            KindCounts(kind=kind, queued=of.queued, in_hand=of.in_hand, dead=of.dead)
            for kind, of in census.items()
        ]
        return QueueDetails(kinds=tuple(kinds), dead=tuple(map(_dead_letter, letters)))

    return asyncio.run(look())


def retry_jobs(settings: Settings, store: EventStore, given: str) -> list[Retried]:
    """Have dead jobs tried again: those whose id begins with ``given``; empty: all.

    Raises ``BadArgument`` where there is none, ``NatsAway``, ``QueueInUse``, ``JobsUnavailable``.
    """

    async def again() -> list[Retried]:
        async with _queue(settings) as queue:
            letters = [
                letter
                for letter in await queue.dead(ALL)
                if (letter.id or letter.queued_as).startswith(given)
            ]
            if given and not letters:
                raise BadArgument("job", given, "no dead job has this id; `troupe jobs` lists them")
            return await retry(store, queue, letters, shared=not settings.embedded_nats)

    return asyncio.run(again())


@asynccontextmanager
async def _queue(settings: Settings) -> AsyncIterator[JobQueue]:
    """The queue as it is: looking at it neither makes nor changes anything."""
    url, token = settings.nats_url, settings.nats_token
    async with AsyncExitStack() as stack:
        if settings.embedded_nats:
            server = EmbeddedNats(settings.data_dir)
            await asyncio.to_thread(server.start)
            stack.push_async_callback(asyncio.to_thread, server.stop)
            if not server.lasting:
                raise QueueInUse(str(settings.data_dir))
            url, token = server.url, server.token
        try:
            bus = await Bus.connect(url, token=token, space=settings.space, name="troupe-jobs")
        except BusDown as error:
            raise NatsAway(error.url, error.reason) from error
        stack.push_async_callback(bus.close)
        yield JobQueue(bus, job_settings(settings.tuning))


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
