"""Listens for announcements that a part of a run has ended, which is faster than polling the
store."""

import asyncio
from typing import Final, Self

import msgspec

from actors.runs.execution.work import Work
from actors.runtime.bus.nats_bus import Received
from actors.runtime.jobs.queue import JobQueue
from events.chain import ChainAdvanced
from events.serialization.codec import decode_envelope
from events.wire import subjects
from events.wire.messages import Job

SETTLE_S: Final = 0.01
"""What ends together, within so many seconds, is read together."""


class EndingAnnouncements:
    """Wakes who carries out ``work``: when a job of it was tried in this process, and when one of
    its chains has advanced anywhere. Use it as a context.

    What is heard is no fact: it only says that looking at the store is worth while. Episodes that
    other processes play are not listened to: each of their turns would be heard, and as long as
    some jobs wait in the queue nobody is idle meanwhile. Of a chain nothing can wait there.
    """

    def __init__(self, jobs: JobQueue, work: Work) -> None:
        self.jobs, self.bus, self.work = jobs, jobs.bus, work
        self._news = asyncio.Event()

    def __enter__(self) -> Self:
        self._subscribed = self.bus.subscribe_now(
            subjects.all_events(self.bus.space, "chain"), self._heard
        )
        self._forget = self.bus.on_reconnect(self._news.set)
        self.jobs.on_tried.append(self._tried)
        return self

    def __exit__(self, *_: object) -> None:
        self.jobs.on_tried.remove(self._tried)
        self._forget()
        self._subscribed.unsubscribe()
        # It holds us. The work is let go of with its run, not when the garbage collector comes by.
        del self._subscribed

    async def wait(self, timeout_s: float) -> None:
        """Until something of the work may have ended, or so many seconds have passed."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._news.wait()
        except TimeoutError:
            return
        await asyncio.sleep(SETTLE_S)
        self._news.clear()

    def _tried(self, job: Job) -> None:
        if job.run == self.work.run:
            self._news.set()

    def _heard(self, received: Received) -> None:
        if subjects.parse_stream_subject(received.subject).id not in self.work.chains:
            return
        try:
            envelope = decode_envelope(received.data)
        except (msgspec.MsgspecError, ValueError):
            # Anybody can say anything there; what is worth knowing is in the store.
            return
        if envelope.tag == ChainAdvanced.__name__:
            self._news.set()
