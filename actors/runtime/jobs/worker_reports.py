"""Reports of a space's workers and their current jobs: requested from the workers, never stored.

A worker that is gone or frozen does not answer, so no list has to be cleaned up.
"""

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from functools import cache
from importlib.metadata import version

import msgspec
import structlog
from nats import errors
from nats.aio.msg import Msg
from nats.js.api import Header, StatusCode

from actors.runtime.bus.errors import BusDown, BusError
from actors.runtime.bus.nats_bus import Bus, Received, Subscribed
from actors.runtime.log_throttle import seldom
from events.serialization.codec import decode_report, encode
from events.untrusted.safe_text import shortened
from events.wire import subjects
from events.wire.messages import WorkerReport

FLEET_WAIT_S = 0.5
"""How long workers have to answer, in seconds; also those whose machine is busy."""

_log = structlog.get_logger(__name__)


@cache
def software() -> str:
    """The version of Troupe that this process runs."""
    return version("troupe-server")


@cache
def worker_name() -> str:
    """What this process is called in a fleet."""
    return f"{socket.gethostname()}-{os.getpid()}"


def answer_report_requests(bus: Bus, report: Callable[[], WorkerReport]) -> Subscribed:
    """Answer requests for this process's current jobs, until unsubscribed."""

    def answer(asked: Received) -> None:
        if asked.reply:
            with contextlib.suppress(BusError):  # who asked does not wait long
                bus.publish(asked.reply, encode(report()))

    return bus.subscribe_now(subjects.workers(bus.space), answer)


async def collect_reports(bus: Bus, wait_s: float = FLEET_WAIT_S) -> list[WorkerReport]:
    """What each worker of the bus's space says that answers within ``wait_s`` seconds, by name.

    Empty where nobody answers. Raises ``BusDown``.
    """
    reports: list[WorkerReport] = []
    nobody = asyncio.Event()

    async def heard(message: Msg) -> None:
        if (message.headers or {}).get(Header.STATUS) == StatusCode.SERVICE_UNAVAILABLE:
            nobody.set()
            return
        try:
            reports.append(decode_report(message.data))
        except (msgspec.MsgspecError, ValueError) as error:
            seldom.warning(_log, "worker_report_unreadable", error=shortened(str(error)))

    inbox = bus.nats.new_inbox()
    try:
        subscription = await bus.nats.subscribe(inbox, cb=heard)
    except errors.ConnectionClosedError as error:
        raise BusDown(bus.url, str(error)) from error
    try:
        bus.publish(subjects.workers(bus.space), b"", inbox)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await nobody.wait()
    finally:
        with contextlib.suppress(errors.ConnectionClosedError):
            await subscription.unsubscribe()
    return sorted(reports, key=lambda report: report.worker)
