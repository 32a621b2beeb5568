"""The JetStream streams and consumers of the job queue, and how they are recreated after a server
has lost them."""

import contextlib
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import get_args

import tenacity
from nats import errors
from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    PubAck,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import (
    APIError,
    NoStreamResponseError,
    NotFoundError,
    ServerError,
    ServiceUnavailableError,
)
from nats.js.errors import Error as JetStreamError

from actors.runtime.backoff import backoff
from actors.runtime.bus.errors import BusError
from actors.runtime.bus.nats_bus import Bus
from events.untrusted.limits import MOST_JOB_BYTES
from events.untrusted.safe_text import shortened
from events.wire import subjects
from events.wire.messages import JobKind

KINDS: tuple[JobKind, ...] = get_args(JobKind)

_MOST_SUBJECTS = 100_000
"""JetStream tells of no more in one answer, and of the next ones only as they are then."""
_DEAD_SECONDS = 90 * 24 * 3600.0
_DEAD_MESSAGES = 100_000
# JetStream's own number for "the name is taken by a stream with other settings".
_OTHER_SETTINGS = 10058
_ATTEMPTS = 8
_BROKEN_AFTER = 3
NOT_THERE = (10043, 10057)
"""And those for "there is no message of this number to delete"."""


class JobsUnavailable(BusError):
    """JetStream did not do what was asked."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"cannot {what}: {shortened(reason, 1_000)}")
        self.what, self.reason = what, reason


@dataclass(frozen=True, kw_only=True)
class JobSettings:
    """How patient the queue is. Times in seconds."""

    ack_wait: float = 20.0
    """A job whose worker has said nothing for so long is given to another."""
    max_tries: int = 5
    """So many failures, or workers gone in the middle, and the job is dead."""
    first_delay: float = 1.0
    """The wait before the second try; it doubles with every further one."""
    longest_delay: float = 60.0
    window: float = 120.0
    """An id queued again within this time is not queued again, even if its job is done."""
    pull: float = 30.0
    """How long a worker's request for jobs stands before it is made again."""
    pull_heartbeat: float = 5.0
    """How often the server says that a request still stands; at most half of ``pull``."""
    api_timeout: float = 5.0
    replicas: int = 1
    """3 in a cluster."""

    def delay(self, tries: int) -> float:
        """The wait after so many failed tries."""
        return backoff(tries, first=self.first_delay, longest=self.longest_delay)


@dataclass
class JobStreams:
    """``TROUPE_<space>_JOBS``, a work queue with one durable pull consumer a kind, and
    ``TROUPE_<space>_DEAD``."""

    bus: Bus
    settings: JobSettings
    js: JetStreamContext = field(init=False)

    def __post_init__(self) -> None:
        self.js = self.bus.nats.jetstream(timeout=self.settings.api_timeout)

    @property
    def jobs(self) -> str:
        """The work queue's name."""
        return f"TROUPE_{self.bus.space}_JOBS"

    @property
    def dead(self) -> str:
        """The dead letters' stream's name."""
        return f"TROUPE_{self.bus.space}_DEAD"

    async def ensure(self) -> str:
        """Make what is missing; harmless when all is there. Returns what changes when the work
        queue has been made again, its sequence numbers with it. Raises ``JobsUnavailable``."""
        async with translate_errors("set up the job queue"):
            # The server removes the folder of a deleted stream in the background. A stream made
            # again before that, by another process, fails until it is gone.
            async for attempt in tenacity.AsyncRetrying(
                retry=tenacity.retry_if_exception_type((ServerError, NotFoundError)),
                stop=tenacity.stop_after_attempt(_ATTEMPTS),
                wait=tenacity.wait_random_exponential(multiplier=0.05, max=1.0),
                reraise=True,
            ):
                with attempt:
                    if attempt.retry_state.attempt_number > _BROKEN_AFTER:
                        await self._delete_empty()
                    created = await self._ensure()
        return created

    async def reclaim(self) -> None:
        """Forget who works on what: every unfinished job is delivered again at once."""
        async with translate_errors("take the jobs back from their workers"):
            for kind in KINDS:
                with contextlib.suppress(NotFoundError):
                    await self.js.delete_consumer(self.jobs, kind)
        await self.ensure()

    async def forget(self) -> None:
        """Empty the work queue."""
        async with translate_errors("drop the jobs of a process that is gone"):
            await self.js.delete_stream(self.jobs)
        await self.ensure()

    async def remove(self, wanted: Iterable[str]) -> None:
        """Remove the jobs of some subjects. Raises ``JobsUnavailable``."""
        async with translate_errors("take jobs back"):
            for subject in wanted:
                await self.js.purge_stream(self.jobs, subject=subject)

    async def publish(self, subject: str, data: bytes, headers: dict[str, str]) -> PubAck:
        """Put a message into the stream of its subject; durable when this returns. Raises
        ``JobsUnavailable``."""
        async with translate_errors(f"queue a job on {subject}"):
            try:
                return await self.js.publish(subject, data, headers=dict(headers))
            except NoStreamResponseError:
                # A server that came back without its files.
                await self.ensure()
                return await self.js.publish(subject, data, headers=dict(headers))

    async def subjects_of(self, stream: str, pattern: str) -> dict[str, int] | None:
        """How many messages a stream holds by subject, of those that match; None where they are
        too many to be told completely. Raises ``JobsUnavailable``."""
        async with translate_errors("ask which jobs there are"):
            try:
                info = await self.js.stream_info(stream, subjects_filter=pattern)
            except NotFoundError:
                return {}
        found = info.state.subjects or {}
        return found if len(found) < _MOST_SUBJECTS else None

    async def _delete_empty(self) -> None:
        """Delete the work queue if it holds no job: a stream whose folder was removed beneath it
        stays broken until then."""
        with contextlib.suppress(NotFoundError):
            if not (await self.js.stream_info(self.jobs)).state.messages:
                await self.js.delete_stream(self.jobs)

    async def _ensure(self) -> str:
        created = await self._ensure_stream(
            StreamConfig(
                name=self.jobs,
                subjects=[subjects.jobs(self.bus.space, kind) for kind in KINDS],
                retention=RetentionPolicy.WORK_QUEUE,
                max_msg_size=MOST_JOB_BYTES,
                storage=StorageType.FILE,
                duplicate_window=self.settings.window,
                num_replicas=self.settings.replicas,
            )
        )
        await self._ensure_stream(
            StreamConfig(
                name=self.dead,
                subjects=[subjects.all_dead_jobs(self.bus.space)],
                retention=RetentionPolicy.LIMITS,
                storage=StorageType.FILE,
                max_age=_DEAD_SECONDS,
                max_msgs=_DEAD_MESSAGES,
                num_replicas=self.settings.replicas,
            )
        )
        for kind in KINDS:
            await self.js.add_consumer(
                self.jobs,
                ConsumerConfig(
                    durable_name=kind,
                    filter_subject=subjects.jobs(self.bus.space, kind),
                    ack_policy=AckPolicy.EXPLICIT,
                    ack_wait=self.settings.ack_wait,
                    # The server would stop delivering without a word, and the job would lie
                    # there for ever: we count, and keep it as a dead letter with a reason.
                    max_deliver=-1,
                    # Jobs that wait for their next try count as pending.
                    max_ack_pending=-1,
                ),
            )
        return created

    async def _ensure_stream(self, config: StreamConfig) -> str:
        try:
            info = await self.js.add_stream(config)
        except APIError as error:
            if error.err_code != _OTHER_SETTINGS:
                raise
            info = await self.js.update_stream(config)
        return str(info.created)


@contextlib.asynccontextmanager
async def translate_errors(what: str) -> AsyncIterator[None]:
    """Turn JetStream's and nats-py's errors into ``JobsUnavailable``."""
    try:
        yield
    except errors.TimeoutError as error:
        raise JobsUnavailable(what, "no answer from JetStream in time") from error
    except ServiceUnavailableError as error:
        # Without a description nobody has answered at all.
        why = error.description or "this NATS server runs without JetStream, or it is not ready"
        raise JobsUnavailable(what, why) from error
    except APIError as error:
        raise JobsUnavailable(what, error.description or str(error)) from error
    except (JetStreamError, errors.Error) as error:
        raise JobsUnavailable(what, str(error)) from error
