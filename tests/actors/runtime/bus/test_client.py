"""The names of nats-py that ``actors.runtime.bus.client`` leans on and nats-py calls private.

A new nats-py that moves one of them fails here first, and says which.
"""

import asyncio
import inspect
import re
from importlib import metadata
from unittest.mock import patch

import pytest
from nats.aio.client import Client
from nats.aio.subscription import Subscription

from actors.runtime.bus.client import DirectClient, Listener
from tests.support.servers.nats_server import until


def test_the_tested_nats_py_is_installed():
    assert metadata.version("nats-py").startswith("2.16.")


@pytest.mark.parametrize(
    "name",
    [
        "_pending",
        "_pending_data_size",
        "_flush_queue",
        "_transport",
        "_subs",
        "_sid",
        "_status",
        "_err",
        "_pongs",
        "_pings_outstanding",
    ],
)
def test_a_client_still_keeps_its_state_under_this_name(name):
    assert hasattr(Client(), name)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("_process_msg", ["self", "sid", "subject", "reply", "data", "headers"]),
        ("_process_err", ["self", "err_msg"]),
        ("_process_op_err", ["self", "e"]),
        ("_read_loop", ["self"]),
        ("_send_ping", ["self", "future"]),
        ("_ping_interval", ["self"]),
    ],
)
def test_a_method_we_override_or_call_is_still_called_so(name, parameters):
    method = getattr(Client, name)
    assert inspect.iscoroutinefunction(method)
    assert list(inspect.signature(method).parameters) == parameters


def test_a_listener_has_what_a_reconnect_and_a_close_look_at():
    listener = Listener(1, "a", "", lambda *_: None)
    source = inspect.getsource(Client._attempt_reconnect) + inspect.getsource(Client._close)
    asked = set(re.findall(r"\bsub\.(\w+)", source))
    assert "_subject" in asked
    assert [name for name in asked if not hasattr(listener, name)] == []


async def test_a_listener_agrees_with_a_fresh_subscription_of_nats_py():
    listener, theirs = Listener(7, "a", "q", lambda *_: None), Subscription(None, 7, "a", "q")
    for name in ("_id", "_subject", "_queue", "_received", "_max_msgs", "_closed"):
        assert getattr(listener, name) == getattr(theirs, name)


async def test_sent_bytes_reach_the_server_without_an_await_of_ours(bus):
    heard: list[bytes] = []
    bus.nats.listen("direct", "", lambda _, subject, data, *__: heard.append(data))
    bus.nats.send(b"PUB direct 5\r\nbytes\r\n")
    await bus.flush()
    assert heard == [b"bytes"]
    assert isinstance(bus.nats, DirectClient)


async def test_what_the_socket_does_not_take_at_once_waits_for_the_flusher_and_keeps_its_order(bus):
    heard: list[bytes] = []
    bus.nats.listen("direct", "", lambda _, subject, data, *__: heard.append(data))
    await bus.flush()
    transport = bus.nats._transport._io_writer.transport
    queue = bus.nats._flush_queue
    asked = []
    with patch.object(queue, "put_nowait", side_effect=queue.put_nowait) as queued:
        bus.nats.send(b"PUB direct 1\r\n1\r\n")
        await until(lambda: heard)
        assert not queued.called
        with patch.object(transport, "get_write_buffer_size", lambda: asked.append(1) or 1):
            bus.nats.send(b"PUB direct 1\r\n2\r\n")
            await until(lambda: len(heard) > 1)
        assert asked
        assert queued.called
        bus.nats.send(b"PUB direct 1\r\n3\r\n")
        await until(lambda: len(heard) > 2)
    assert heard == [b"1", b"2", b"3"]


async def test_a_ping_is_not_missed_where_the_server_has_said_something_since_the_one_before(bus):
    heard: list[bytes] = []
    bus.nats.listen("direct", "", lambda _, subject, data, *__: heard.append(data))
    bus.nats.send(b"PUB direct 5\r\nbytes\r\n")
    await until(lambda: heard)
    unanswered = []
    for _ in range(2):
        bus.nats._pings_outstanding = 2
        await bus.nats._send_ping()
        unanswered.append(bus.nats._pings_outstanding)
    assert unanswered == [1, 2]


async def test_a_reading_task_that_dies_is_followed_by_a_reconnect(bus):
    async def broken(data: bytes) -> None:
        bus.nats._ps.parse = whole
        raise LookupError("a bug in the parser")

    whole, bus.nats._ps.parse = bus.nats._ps.parse, broken
    bus.publish("anything", b"")
    bus.nats._transport.write(b"PING\r\n")
    await until(lambda: bus.counts.reconnects)
    await bus.flush()


async def test_closing_in_the_middle_of_a_reconnect_returns(bus):
    # What a reconnect does at first, and what closing does to it.
    reconnecting = asyncio.create_task(bus.nats._transport.wait_closed())
    await asyncio.sleep(0)
    reconnecting.cancel()
    await asyncio.wait([reconnecting])
    await bus.close()
    assert bus.nats.is_closed
