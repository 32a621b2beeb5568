"""Asks whether another process holds a job, before the job is started.

JetStream may deliver a job to a second process while the first one still works on it: a server that
was killed has forgotten its latest deliveries.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Final

from nats.errors import Error as NatsError
from nats.errors import NoRespondersError

from actors.runtime.bus.client import Listener
from actors.runtime.bus.errors import BusError
from actors.runtime.bus.nats_bus import Bus
from events.wire import subjects
from events.wire.messages import JobKind

ANSWER_S: Final = 1.0
"""How long whoever has a job may take to say so, in seconds. Who is frozen or cut off says
nothing, and the job is another's."""
SETTLED_S: Final = 1.0
"""So long after a connection was made the others are taken to be there again, too, in seconds."""
_AGAIN_S: Final = 0.1
NOT_QUEUED: Final = 0
"""The place in the queue of a job in hand that the queue knows nothing of any more."""
_DIGITS: Final = 20


@contextlib.contextmanager
def holding(bus: Bus, kind: JobKind, target: str, place: Callable[[], int]) -> Iterator[None]:
    """Answer whoever asks that the job for something is in hand here, with its ``place`` in the
    queue."""

    def answer(_: Listener, __: bytes, ___: bytes, reply: bytes, ____: bytes | None) -> None:
        if reply:
            with contextlib.suppress(BusError):  # who asked does not wait long
                bus.publish(reply.decode(), b"%d" % place())

    listener = bus.listen_now(subjects.job_holder(bus.space, kind, target), answer)
    try:
        yield
    finally:
        bus.unlisten(listener)


async def held_elsewhere(
    bus: Bus, kind: JobKind, target: str, connected_at: float, settled_s: float = SETTLED_S
) -> int | None:
    """The place in the queue of the job that a living process has in hand for something; None
    where none says so, which is known at once unless this connection was made just now, at the
    moment ``connected_at`` of the monotonic clock. Ask before ``holding`` it."""
    subject = subjects.job_holder(bus.space, kind, target)
    while True:
        try:
            answer = await bus.nats.request(subject, b"", ANSWER_S)
        except NoRespondersError:
            if monotonic() - connected_at >= settled_s:
                return None
            await asyncio.sleep(_AGAIN_S)
        except NatsError:
            return None
        else:
            return _number(answer.data)


def _number(data: bytes) -> int:
    return int(data) if data.isdigit() and len(data) <= _DIGITS else NOT_QUEUED
