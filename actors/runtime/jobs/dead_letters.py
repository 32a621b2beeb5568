"""Dead letters: jobs that no worker could do, stored until a person retries them or they expire."""

import contextlib

import msgspec
from nats.js.api import RawStreamMsg
from nats.js.errors import APIError, NotFoundError

from actors.runtime.jobs.delivery import JOB, REASON, TRIES, from_header, header, number_in, target
from actors.runtime.jobs.streams import NOT_THERE, JobStreams, translate_errors
from events.serialization.codec import decode_job
from events.wire import subjects
from events.wire.messages import Job


class DeadJob(msgspec.Struct, frozen=True, kw_only=True):
    """A job nobody could do."""

    kind: str
    id: str
    """The episode or evaluation it is for; empty where that cannot be read."""
    queued_as: str
    """The id it was queued under."""
    tries: int
    reason: str
    died_at: int
    """Microseconds since 1970, UTC."""
    sequence: int
    """Its place among the dead letters."""
    data: bytes
    """The job itself, encoded; perhaps unreadable."""

    @property
    def job(self) -> Job | None:
        """The job; None where it cannot be read."""
        try:
            return decode_job(self.data)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None


async def read_letters(streams: JobStreams, limit: int) -> list[DeadJob]:
    """The latest, oldest first. Raises ``JobsUnavailable``."""
    found: list[DeadJob] = []
    async with translate_errors("read the dead letters"):
        try:
            state = (await streams.js.stream_info(streams.dead)).state
        except NotFoundError:
            return []
        after = max(0, state.first_seq - 1, state.last_seq - limit)
        everything = subjects.all_dead_jobs(streams.bus.space)
        with contextlib.suppress(NotFoundError):  # there is no further one
            while after < state.last_seq:
                kept = await streams.js.get_msg(
                    streams.dead, seq=after + 1, subject=everything, next=True
                )
                after = kept.seq or state.last_seq
                found.append(_read(kept))
    return found


async def discard(streams: JobStreams, letter: DeadJob) -> None:
    """Delete a dead letter; harmless if another process has deleted it. Raises
    ``JobsUnavailable``."""
    async with translate_errors("discard a dead letter"):
        try:
            await streams.js.delete_msg(streams.dead, letter.sequence)
        except APIError as error:
            if error.err_code not in NOT_THERE:
                raise


def _read(kept: RawStreamMsg) -> DeadJob:
    headers = kept.headers or {}
    kind, id_ = subjects.parse_job(kept.subject or "")
    letter = DeadJob(
        kind=kind,
        id=id_,
        queued_as=header(headers, JOB),
        tries=number_in(headers, TRIES),
        reason=from_header(header(headers, REASON)),
        died_at=0 if kept.time is None else int(kept.time.timestamp() * 1e6),
        sequence=kept.seq or 0,
        data=kept.data or b"",
    )
    if id_ or (job := letter.job) is None:
        return letter
    return msgspec.structs.replace(letter, id=target(job))
