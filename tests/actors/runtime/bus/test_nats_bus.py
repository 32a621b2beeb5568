import asyncio
import socket
import time

import nats
import pytest
import uvloop
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actors.runtime.bus.errors import BusDown, BusRefused, MessageTooLarge, UnsendableSubject
from actors.runtime.bus.nats_bus import Bus, Received, head_of
from events.wire.subjects import command
from tests.support.servers.nats_server import until
from tests.support.servers.unused_ports import nobody_listens

BOTH_LOOPS = pytest.mark.parametrize(
    "new_loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"]
)


def on(new_loop, main):
    with asyncio.Runner(loop_factory=new_loop) as runner:
        return runner.run(main)


# ---------------------------------------------------------------- publish and subscribe


async def test_a_handler_gets_subject_data_and_reply(bus):
    heard: list[Received] = []
    await bus.subscribe("a.b", heard.append)
    bus.publish("a.b", b"data", "an.inbox")
    bus.publish("a.b", b"")
    await until(lambda: len(heard) == 2)
    assert heard == [Received("a.b", b"data", "an.inbox"), Received("a.b", b"", "")]


async def test_messages_of_one_publisher_arrive_in_order(bus, connect):
    heard: list[bytes] = []
    await bus.subscribe("order", lambda message: heard.append(message.data))
    await bus.flush()
    other = await connect()
    sent = [b"%d" % number for number in range(2000)]
    for data in sent:
        other.publish("order", data)
    await until(lambda: len(heard) == len(sent))
    assert heard == sent


async def test_wildcards_are_heard(bus):
    heard: list[str] = []
    await bus.subscribe("w.*.end", lambda message: heard.append(message.subject))
    for subject in ("w.1.end", "w.1.other", "w.2.end"):
        bus.publish(subject, b"")
    await until(lambda: len(heard) == 2)
    assert heard == ["w.1.end", "w.2.end"]


async def test_of_a_queue_group_one_hears_each_message(connect):
    heard: list[bytes] = []
    publisher, *members = [await connect() for _ in range(3)]
    for member in members:
        await member.subscribe("work", lambda m: heard.append(m.data), queue="group")
        await member.flush()
    sent = [b"%d" % number for number in range(100)]
    for data in sent:
        publisher.publish("work", data)
    await publisher.flush()
    for member in members:  # its server's answer comes after all its messages
        await member.flush()
    assert sorted(heard) == sorted(sent)


async def test_nothing_is_heard_after_unsubscribing(bus):
    heard: list[Received] = []
    subscribed = await bus.subscribe("gone", heard.append)
    bus.publish("gone", b"1")
    await bus.flush()
    bus.publish("gone", b"2")  # under way when the subscription ends
    subscribed.unsubscribe()
    subscribed.unsubscribe()
    bus.publish("gone", b"3")
    await bus.flush()
    assert [message.data for message in heard] == [b"1"]


async def test_a_handler_may_publish_subscribe_and_unsubscribe(bus):
    heard: list[bytes] = []

    def first(message: Received) -> None:
        subscribed.unsubscribe()
        bus.subscribe_now("second", lambda m: heard.append(m.data))
        bus.publish("second", message.data)

    subscribed = await bus.subscribe("first", first)
    bus.publish("first", b"once")
    bus.publish("first", b"never")
    await until(lambda: heard)
    await bus.flush()
    assert heard == [b"once"]


async def test_two_spaces_on_one_server_do_not_hear_each_other(connect):
    ours, theirs = await connect(space="ours"), await connect(space="theirs")
    heard: list[tuple[str, bytes]] = []
    for bus in (ours, theirs):
        subject = command(bus.space, "episode", "e1")
        await bus.subscribe(subject, lambda m, s=bus.space: heard.append((s, m.data)))
        await bus.flush()
    ours.publish(command(ours.space, "episode", "e1"), b"for us")
    theirs.publish(command(theirs.space, "episode", "e1"), b"for them")
    for bus in (ours, theirs, ours, theirs):
        await bus.flush()
    assert sorted(heard) == [("ours", b"for us"), ("theirs", b"for them")]


async def test_after_a_flush_others_have_been_sent_all_that_was_published_before(connect):
    publishing, listening = await connect(), await connect()
    heard: list[bytes] = []
    await listening.subscribe("flushed", lambda message: heard.append(message.data))
    await listening.flush()
    for number in range(100):
        publishing.publish("flushed", b"%d" % number)
        await publishing.flush()
        await listening.flush()
        assert len(heard) == number + 1


def test_a_loop_that_is_busy_for_longer_than_a_flush_may_take_is_no_broken_bus(nats_server, space):
    async def main():
        bus = await Bus.connect(nats_server.url, token=nats_server.token, space=space)
        heard: list[bytes] = []

        def hear(message: Received) -> None:
            time.sleep(0.1)
            heard.append(message.data)

        await bus.subscribe("busy", hear)
        for _ in range(6):
            bus.publish("busy", bytes(100_000))
        flushing = asyncio.create_task(bus.flush(timeout=0.5))
        await asyncio.sleep(0)
        time.sleep(0.6)  # one callback keeps the loop for so long, then many do
        await flushing
        assert len(heard) == 6
        await bus.close()

    on(uvloop.new_event_loop, main())


async def test_a_server_that_says_nothing_more_is_given_up():
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'INFO {"max_payload":1048576}\r\n')
        await reader.readuntil(b"PING\r\n")
        writer.write(b"PONG\r\n")
        await reader.read()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        bus = await Bus.connect(f"nats://{host}:{port}")
        with pytest.raises(BusDown, match=r"no answer to a flush within 0\.1 s"):
            await bus.flush(timeout=0.1)
        bus._client.forget_unsent()
        await bus.nats.close()


async def test_the_late_answer_to_a_flush_that_was_given_up_hurts_nobody(bus):
    flushing = asyncio.create_task(bus.flush())
    await asyncio.sleep(0)
    flushing.cancel()
    await bus.flush()
    assert bus.counts.reconnects == 0


# ---------------------------------------------------------------- what handlers and outsiders do


@pytest.mark.parametrize("error", [ValueError("broken"), asyncio.CancelledError()], ids=repr)
async def test_a_handler_that_raises_is_counted_and_hurts_nobody(bus, error):
    heard: list[bytes] = []

    def handler(message: Received) -> None:
        heard.append(message.data)
        if message.data == b"bad":
            raise error

    await bus.subscribe("risky", handler)
    for data in (b"good", b"bad", b"good again"):
        bus.publish("risky", data)
    await until(lambda: len(heard) == 3)
    assert bus.counts.handler_failures == 1
    assert bus.connected


async def test_a_subject_that_is_no_text_hurts_nobody(bus, nats_server):
    heard: list[bytes] = []
    await bus.subscribe("raw.>", lambda message: heard.append(message.data))
    await bus.flush()
    client = await nats.connect(nats_server.url, token=nats_server.token)
    client._transport.write(b"PUB raw.\xff\xfe 3\r\nbad\r\nPUB raw.ok 4\r\ngood\r\n")
    await client.flush()
    await client.close()
    await until(lambda: heard)
    assert heard == [b"good"]
    assert bus.counts.handler_failures == 1


async def test_headers_of_foreign_clients_are_no_hindrance(bus, nats_server):
    heard: list[Received] = []
    await bus.subscribe("headed", heard.append)
    await bus.flush()
    client = await nats.connect(nats_server.url, token=nats_server.token)
    await client.publish("headed", b"data", headers={"Some": "Header"})
    await client.close()
    await until(lambda: heard)
    assert heard == [Received("headed", b"data", "")]


@settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(payloads=st.lists(st.binary(max_size=400), max_size=30), failing=st.sets(st.integers(0, 29)))
def test_no_bytes_sent_to_a_command_subject_kill_the_connection(nats_server, payloads, failing):
    async def main() -> None:
        bus = await Bus.connect(nats_server.url, token=nats_server.token, space="fuzz")
        heard: list[bytes] = []

        def handler(message: Received) -> None:
            heard.append(message.data)
            if len(heard) - 1 in failing:
                raise RuntimeError("cannot read this")

        subject = command(bus.space, "episode", "e1")
        await bus.subscribe(subject, handler)
        for payload in payloads:
            bus.publish(subject, payload)
        await until(lambda: len(heard) == len(payloads))
        assert heard == payloads
        assert bus.counts.handler_failures == len([n for n in failing if n < len(payloads)])
        assert bus.connected
        await bus.close()

    asyncio.run(main())


@pytest.mark.parametrize("subject", ["", "a b", "a\r\nPUB evil 0\r\n", "a\tb", "a\0b"])
async def test_a_subject_that_would_speak_to_the_server_is_refused(bus, subject):
    with pytest.raises(UnsendableSubject):
        bus.publish(subject, b"")
    with pytest.raises(UnsendableSubject):
        await bus.subscribe(subject, lambda message: None)
    if subject:
        with pytest.raises(UnsendableSubject):
            bus.publish("fine", b"", reply=subject)


async def test_a_message_above_the_servers_limit_is_refused_here(bus):
    limit = bus.nats.max_payload
    with pytest.raises(MessageTooLarge) as caught:
        bus.publish("large", bytes(limit + 1))
    assert (caught.value.size, caught.value.limit) == (limit + 1, limit)
    bus.publish("large", bytes(limit))
    await bus.flush()
    assert bus.connected


async def test_who_publishes_to_a_subject_again_and_again_is_heard_and_refused_alike(bus):
    heard: list[Received] = []
    await bus.subscribe("often", heard.append)
    head, limit = head_of("often"), bus.nats.max_payload
    bus.send(head, b"one")
    bus.send(head, b"")
    with pytest.raises(MessageTooLarge, match="often") as caught:
        bus.send(head, bytes(limit + 1))
    assert (caught.value.size, caught.value.limit) == (limit + 1, limit)
    await until(lambda: len(heard) == 2)
    assert [(one.subject, one.data, one.reply) for one in heard] == [
        ("often", b"one", ""),
        ("often", b"", ""),
    ]
    for subject in ("", "two words", "line\r\nPUB"):
        with pytest.raises(UnsendableSubject):
            head_of(subject)
    await bus.close()
    with pytest.raises(BusDown, match="closed"):
        bus.send(head, b"late")


# ---------------------------------------------------------------- connecting


@BOTH_LOOPS
def test_a_wrong_token_is_refused_in_one_sentence_and_not_tried_again(nats_server, new_loop):
    async def main() -> None:
        with pytest.raises(
            BusRefused, match=r"wrong token.*its token must be in TROUPE_NATS_TOKEN"
        ):
            await Bus.connect(nats_server.url, token="guessed", timeout=60)
        with pytest.raises(BusRefused, match="it wants a token"):
            await Bus.connect(nats_server.url, timeout=60)
        somebody = nats_server.url.replace("//", "//lab:guessed@")
        with pytest.raises(BusRefused, match=r"/\*\*\*@.*wrong user or password") as refused:
            await Bus.connect(somebody, timeout=60)
        assert "guessed" not in str(refused.value)

    on(new_loop, main())


@BOTH_LOOPS
def test_an_address_where_nobody_listens_is_given_up_long_before_a_slow_server(new_loop):
    async def main(port: int) -> None:
        with pytest.raises(BusDown, match=f"127.0.0.1:{port} is not there: nobody listens there"):
            await Bus.connect(f"nats://127.0.0.1:{port}", absent=0.1, timeout=3600)

    with nobody_listens() as port:
        on(new_loop, main(port))


@BOTH_LOOPS
def test_a_server_that_does_not_answer_is_a_clear_error_after_the_given_time(new_loop):
    async def main(port: int) -> None:
        with pytest.raises(BusDown, match=f"NATS at nats://127.0.0.1:{port} is not there"):
            await Bus.connect(f"nats://127.0.0.1:{port}", timeout=0.3)

    with socket.create_server(("127.0.0.1", 0)) as silent:
        on(new_loop, main(silent.getsockname()[1]))


async def test_connecting_waits_for_a_server_that_is_still_starting(own_nats_server):
    own_nats_server.stop()
    connecting = asyncio.create_task(
        Bus.connect(own_nats_server.url, token=own_nats_server.token, absent=30, timeout=30)
    )
    await asyncio.sleep(0)
    await asyncio.to_thread(own_nats_server.start)
    bus = await connecting
    assert bus.connected
    await bus.close()


async def test_a_closed_bus_refuses_work(bus):
    await bus.close()
    await bus.close()
    assert not bus.connected
    with pytest.raises(BusDown, match="closed"):
        bus.publish("late", b"")
    with pytest.raises(BusDown, match="closed"):
        await bus.subscribe("late", lambda message: None)
    with pytest.raises(BusDown, match="closed"):
        await bus.flush()


async def test_closing_sends_what_was_published_before(connect):
    heard: list[bytes] = []
    listening, leaving = await connect(), await connect()
    await listening.subscribe("farewell", lambda message: heard.append(message.data))
    await listening.flush()
    leaving.publish("farewell", b"bye")
    await leaving.close()
    await until(lambda: heard == [b"bye"])


# ---------------------------------------------------------------- a server that goes away


@BOTH_LOOPS
def test_after_a_server_restart_every_subscription_is_there_again(own_nats_server, new_loop):
    server = own_nats_server

    async def main() -> None:
        bus = await Bus.connect(server.url, token=server.token)
        outsider = await Bus.connect(server.url, token=server.token)
        heard: list[str] = []
        told: list[bool] = []
        bus.on_reconnect(lambda: told.append(bus.connected))
        gone = await bus.subscribe("gone.before", lambda message: heard.append(message.subject))
        for number in range(300):
            await bus.subscribe(f"s.{number}", lambda message: heard.append(message.subject))
        gone.unsubscribe()
        gone_meanwhile = await bus.subscribe("gone.meanwhile", lambda m: heard.append(m.subject))

        await asyncio.to_thread(server.stop)
        await until(lambda: not bus.connected and not outsider.connected)
        gone_meanwhile.unsubscribe()
        await bus.subscribe("new", lambda message: heard.append(message.subject))
        await asyncio.to_thread(server.start)
        await until(lambda: bus.connected and outsider.connected and told)
        await bus.flush()

        for subject in ("gone.before", "gone.meanwhile", *(f"s.{n}" for n in range(300)), "new"):
            outsider.publish(subject, b"")
        await until(lambda: "new" in heard)
        assert heard == [*(f"s.{number}" for number in range(300)), "new"]
        assert told == [True]
        assert (bus.counts.disconnects, bus.counts.reconnects) == (1, 1)
        await bus.close()
        await outsider.close()

    on(new_loop, main())


@BOTH_LOOPS
def test_what_is_published_meanwhile_arrives_after_the_reconnect(own_nats_server, new_loop):
    server = own_nats_server

    async def main() -> None:
        bus = await Bus.connect(server.url, token=server.token)
        heard: list[bytes] = []
        await bus.subscribe("meanwhile", lambda message: heard.append(message.data))
        await bus.flush()
        await asyncio.to_thread(server.stop)
        await until(lambda: not bus.connected)
        sent = [b"%d" % number for number in range(100)]
        for data in sent:
            bus.publish("meanwhile", data)
        await asyncio.to_thread(server.start)
        await until(lambda: len(heard) == 100)
        assert heard == sent
        await bus.close()

    on(new_loop, main())


async def test_too_much_published_meanwhile_is_refused(own_nats_server, connect):
    bus = await connect(server=own_nats_server, max_pending_bytes=10_000)
    await asyncio.to_thread(own_nats_server.stop)
    await until(lambda: not bus.connected)
    for _ in range(9):
        bus.publish("meanwhile", bytes(1000))
    with pytest.raises(BusDown, match=r"it is away and 9\d{3} bytes already wait"):
        bus.publish("meanwhile", bytes(1000))
    with pytest.raises(BusDown):
        await bus.flush(timeout=0.2)


async def test_a_callback_can_be_taken_back_and_a_failing_one_hurts_nobody(
    own_nats_server, connect
):
    bus = await connect(server=own_nats_server)
    told: list[str] = []
    forget = bus.on_reconnect(lambda: told.append("first"))
    bus.on_reconnect(lambda: 1 / 0)
    bus.on_reconnect(lambda: told.append("last"))
    forget()
    await asyncio.to_thread(own_nats_server.stop)
    await until(lambda: not bus.connected)
    await asyncio.to_thread(own_nats_server.start)
    await until(lambda: told)
    assert told == ["last"]


async def test_flush_waits_for_the_reconnect(own_nats_server, connect):
    bus = await connect(server=own_nats_server)
    await asyncio.to_thread(own_nats_server.stop)
    await until(lambda: not bus.connected)
    flushing = asyncio.create_task(bus.flush(timeout=30))
    await asyncio.to_thread(own_nats_server.start)
    await flushing
    assert bus.connected


async def test_closing_while_the_server_is_away_returns(own_nats_server, connect):
    bus = await connect(server=own_nats_server)
    await asyncio.to_thread(own_nats_server.stop)
    await until(lambda: not bus.connected)
    bus.publish("lost", b"with a log line")
    await bus.close()
    assert not bus.connected


async def test_an_error_line_of_the_server_does_not_end_the_bus(bus):
    # The server answers this with "-ERR 'Unknown Protocol Operation'" and closes.
    heard: list[bytes] = []
    await bus.subscribe("still", lambda message: heard.append(message.data))
    bus.nats.send(b"NONSENSE\r\n")
    await until(lambda: bus.counts.reconnects == 1)
    bus.publish("still", b"here")
    await until(lambda: heard == [b"here"])


async def test_of_several_servers_one_that_is_there_is_found(nats_server, space):
    with nobody_listens() as nobody:
        urls = f"nats://127.0.0.1:{nobody},{nats_server.url}"
        bus = await Bus.connect(urls, token=nats_server.token, space=space)
        await bus.flush()
        await bus.close()
