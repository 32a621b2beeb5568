"""Counts the jobs by kind and state."""

import contextlib
from collections import Counter

import msgspec
from nats.js.errors import NotFoundError

from actors.runtime.jobs.streams import KINDS, JobStreams, JobsUnavailable, translate_errors
from events.wire import subjects
from events.wire.messages import JobKind


class JobCensus(msgspec.Struct, frozen=True, kw_only=True):
    """The jobs of a kind."""

    queued: int
    """Waiting for a worker."""
    in_hand: int
    """A worker has it, or it waits for its next try."""
    dead: int
    """Nobody could do it."""


async def take_census(streams: JobStreams) -> dict[JobKind, JobCensus]:
    """Count the jobs. Raises ``JobsUnavailable``."""
    pattern = subjects.all_dead_jobs(streams.bus.space)
    letters = await streams.subjects_of(streams.dead, pattern)
    if letters is None:
        raise JobsUnavailable("count the dead jobs", "there are more than JetStream tells of")
    dead: Counter[str] = Counter()
    for subject, count in letters.items():
        dead[subjects.parse_job(subject)[0]] += count
    found: dict[JobKind, JobCensus] = {}
    async with translate_errors("count the jobs"):
        for kind in KINDS:
            waiting = in_hand = 0
            with contextlib.suppress(NotFoundError):  # nothing was ever queued
                info = await streams.js.consumer_info(streams.jobs, kind)
                waiting, in_hand = info.num_pending or 0, info.num_ack_pending or 0
            found[kind] = JobCensus(queued=waiting, in_hand=in_hand, dead=dead[kind])
    return found
