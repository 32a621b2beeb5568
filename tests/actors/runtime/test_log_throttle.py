"""What an outsider can bring about is said once, then now and then with a number."""

import asyncio

import structlog
from prometheus_client import REGISTRY

from actors.runtime.log_throttle import LogThrottle
from tests.support.servers.nats_server import until

LOG = structlog.get_logger("test")


def counted(event: str) -> float:
    return REGISTRY.get_sample_value("troupe_messages_refused_total", {"event": event}) or 0.0


async def test_a_flood_is_one_line_and_then_one_with_how_many_there_were():
    seldom = LogThrottle(every_s=0.05)
    before = counted("message_odd")
    with structlog.testing.capture_logs() as logs:
        for number in range(1000):
            seldom.warning(LOG, "message_odd", number=number)
        seldom.warning(LOG, "message_other")
        assert [line["event"] for line in logs] == ["message_odd", "message_other"]
        await until(lambda: len(logs) == 3)
    odd = {"event": "message_odd", "log_level": "warning"}
    assert logs[0] == odd | {"number": 0}
    assert logs[2] == odd | {"number": 999, "more": 999}
    assert counted("message_odd") == before + 1000


async def test_after_a_quiet_while_it_is_said_at_once():
    seldom = LogThrottle(every_s=0.01)
    with structlog.testing.capture_logs() as logs:
        seldom.warning(LOG, "message_odd")
        await until(lambda: not seldom._since)
        seldom.warning(LOG, "message_odd")
    assert [line.get("more") for line in logs] == [None, None]


def test_what_was_said_on_a_loop_that_ended_is_said_on_the_next():
    seldom = LogThrottle()

    async def say() -> None:
        seldom.warning(LOG, "message_odd")

    with structlog.testing.capture_logs() as logs:
        for _ in range(2):
            asyncio.run(say())
    assert len(logs) == 2
