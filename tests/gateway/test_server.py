"""The long-running process: health, metrics, detached runs, a clean end."""

import asyncio
import contextlib
import json
import os
import pty
import re
import signal
import urllib.request
from asyncio.subprocess import PIPE
from pathlib import Path
from socket import AF_INET, AF_INET6, create_server
from urllib.error import HTTPError

import httpx
import psutil
import pytest

from actors.runs.execution.coordinator import Work, carry_out
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.runtime.jobs.queue import JobQueue
from store.read_model import queries
from tests.faults.process import Troupe
from tests.support.runs import answers, model_minds, plan, record, state_of
from tests.support.servers.forked_commands import Forked
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer
from tests.support.servers.unused_ports import nobody_listens

PLAN = """
[tasks]
limit = 2
[minds.a]
kind = "rehearsal"
temper = "generous"
[judges]
use = ["rehearsal-strict"]
"""


async def served(machine: Troupe, command: str = "serve") -> tuple[Forked, str]:
    """`troupe serve` or `worker` on a free port, and its address."""
    process = await machine.begin(command, "--port", "0", stdout=PIPE)
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    found = re.search(r"http://\S+", line)
    assert found, line
    return process, found[0]


def get(url: str) -> tuple[int, str]:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.status, answer.read().decode()


async def test_a_server_carries_out_what_was_queued_and_says_how_it_is(tmp_path: Path) -> None:
    machine = Troupe(tmp_path)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    process, url = await served(machine)
    try:
        assert await asyncio.to_thread(get, f"{url}/healthz") == (200, "ok\n")
        status, text = await asyncio.to_thread(get, f"{url}/")
        assert (status, f"serve (pid {process.pid})" in text) == (200, True)
        status, text = await asyncio.to_thread(get, f"{url}/readyz")
        assert (status, json.loads(text)["ready"]) == (200, True)

        queued = await machine.start("run", str(plan), "--detach")
        assert await queued.ended() == 0
        store = machine.open()
        try:
            await until(lambda: [run.status for run in queries.runs(store)] == ["ended"], 60)
            assert {row.status for row in queries.episodes(store)} == {"ended"}
            assert {row.status for row in queries.evaluations(store)} == {"ended"}
        finally:
            store.close()

        _, metrics = await asyncio.to_thread(get, f"{url}/metrics")
        assert 'troupe_episodes_total{environment="social"' in metrics
        assert 'troupe_scores_total{evaluator="rehearsal",status="scored"}' in metrics
        assert "troupe_projection_lag_events" in metrics
        assert "troupe_actor_mailbox_depth" in metrics

        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 60.0) == 0
    finally:
        if process.returncode is None:
            process.kill()
    assert machine.servers() == []


async def test_a_server_on_a_full_disk_is_not_ready_and_goes_on_by_itself_when_there_is_room(
    tmp_path: Path,
) -> None:
    machine = Troupe(tmp_path)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    process, url = await served(machine)
    store = machine.open()
    limited = psutil.Process(process.pid)
    before = limited.rlimit(psutil.RLIMIT_FSIZE)

    def ready() -> tuple[int, list[str]]:
        try:
            status, text = get(f"{url}/readyz")
        except HTTPError as refused:
            status, text = refused.code, refused.read().decode()
        return status, json.loads(text).get("missing", [])

    async def becomes(state: tuple[int, list[str]]) -> None:
        async with asyncio.timeout(60):
            while await asyncio.to_thread(ready) != state:
                await asyncio.sleep(0.05)

    try:
        await becomes((200, []))
        limited.rlimit(psutil.RLIMIT_FSIZE, (4096, before[1]))
        queued = await machine.start("run", str(plan), "--detach")
        assert await queued.ended() == 0
        await becomes((503, ["database"]))
        assert {row.status for row in queries.episodes(store)} == {"planned"}

        limited.rlimit(psutil.RLIMIT_FSIZE, before)
        await until(lambda: [run.status for run in queries.runs(store)] == ["ended"], 60)
        assert {row.status for row in queries.episodes(store)} == {"ended"}
        await becomes((200, []))
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 60.0) == 0
    finally:
        store.close()
        if process.returncode is None:
            process.kill()


async def test_a_worker_without_a_shared_queue_says_what_it_needs(tmp_path: Path) -> None:
    worker = await Troupe(tmp_path).start("worker")
    assert await worker.ended() == 1
    assert "set TROUPE_NATS_URL" in worker.said()


@pytest.mark.long
async def test_while_it_drains_a_worker_is_there_but_not_ready(
    tmp_path: Path, nats_server: EmbeddedNats, bus: Bus, space: str
) -> None:
    machine = Troupe(
        tmp_path,
        TROUPE_NATS_URL=nats_server.url,
        TROUPE_NATS_TOKEN=nats_server.token,
        TROUPE_SPACE=space,
        TROUPE_GRACE_S="60",
        STUB_KEY="any",
    )
    store = machine.open()
    jobs, stop = JobQueue(bus), asyncio.Event()
    async with StubServer() as stub:
        stub.answering.clear()
        run = record(store, tmp_path, plan(model_minds(stub.url) + 'api_key_env = "STUB_KEY"'))
        work = Work.of(run, state_of(store, run))
        going = asyncio.ensure_future(
            carry_out(store, jobs, work, stop=stop, on_progress=lambda _: None)
        )
        process, url = await served(machine, "worker")
        try:
            await until(lambda: stub.stats.inflight == work.progress.episodes, 60)
            process.terminate()
            async with asyncio.timeout(60):
                while [report.draining for report in await jobs.fleet()] != [True]:
                    pass
            with pytest.raises(HTTPError, match="503") as refused:
                await asyncio.to_thread(get, f"{url}/readyz")
            assert json.loads(refused.value.read())["missing"] == ["draining"]
            assert (await asyncio.to_thread(get, f"{url}/healthz"))[0] == 200
            stub.answering.set()
            assert await asyncio.wait_for(process.wait(), 60.0) == 0
        finally:
            if process.returncode is None:
                process.kill()
        assert len(answers(store)) == stub.stats.answers == work.progress.episodes
        assert await jobs.held("episode") == work.playing.keys(), "all are there for others"
        assert await jobs.fleet() == []
        stop.set()
        await going
    store.close()


@pytest.mark.parametrize("host", ["127.0.0.1", pytest.param("::1", marks=pytest.mark.long)])
async def test_a_port_that_is_taken_is_refused_before_anything_is_started(
    tmp_path: Path, host: str
) -> None:
    family = AF_INET6 if ":" in host else AF_INET
    machine = Troupe(tmp_path)
    with create_server((host, 0), family=family) as taken:
        port = str(taken.getsockname()[1])
        process = await machine.start("serve", "--host", host, "--port", port)
        assert await process.ended() == 1
    assert f"--port {port!r}: cannot be listened on at {host}" in process.said()
    assert "Traceback" not in process.said()
    assert not (machine.data_dir / "troupe.db").exists()


async def test_a_server_whose_nats_is_away_says_so_in_a_sentence(tmp_path: Path) -> None:
    with nobody_listens() as port:
        machine = Troupe(tmp_path, TROUPE_NATS_URL=f"nats://127.0.0.1:{port}")
        process = await machine.start("worker", "--port", "0")
        assert await process.ended() == 1
    assert "nobody listens there" in process.said()
    assert "TROUPE_NATS_URL" in process.said()
    assert "Traceback" not in process.said()


@pytest.mark.long
async def test_a_terminal_is_shown_a_link_that_lets_in_one_browser(tmp_path: Path) -> None:
    machine = Troupe(tmp_path)
    shown, terminal = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        *machine.command("serve", "--port", "0"),
        env=machine.environment,
        stdout=terminal,
        stderr=asyncio.subprocess.DEVNULL,
    )
    os.close(terminal)
    said = ""
    try:
        async with asyncio.timeout(60):
            while not (found := re.search(r"(http://\S+)/enter#(\S+)", said)):
                said += (await asyncio.to_thread(os.read, shown, 10_000)).decode()
        async with (
            httpx.AsyncClient(base_url=found[1], timeout=60) as browser,
            httpx.AsyncClient(timeout=60) as other,
        ):
            entered = await browser.post("/enter", data={"token": found[2]})
            assert (entered.status_code, entered.headers["location"]) == (303, "/runs")
            assert (await browser.get("/runs")).status_code == 200
            refused = await other.post(f"{found[1]}/enter", data={"token": found[2]})
            assert refused.status_code == 403
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 60.0) == 0
    finally:
        os.close(shown)
        if process.returncode is None:
            process.kill()


@pytest.mark.long
async def test_requests_that_are_too_large_or_no_http_are_refused_and_others_go_on(
    tmp_path: Path,
) -> None:
    machine = Troupe(tmp_path)
    process, url = await served(machine)
    host, port = url.removeprefix("http://").split(":")
    head = b"GET / HTTP/1.1\r\nHost: x\r\n"
    attempts = [
        head + b"X: " + b"a" * 400_000 + b"\r\n\r\n",
        b"GET /" + b"a" * 400_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        head + b"".join(b"X%d: y\r\n" % number for number in range(50_000)) + b"\r\n",
        head + b"X\r\n\r\n",
        b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03",
        b"POST /enter HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: 99999999\r\n\r\ntoken=",
        b"POST /enter HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n200000\r\n" + b"x" * 0x200000 + b"\r\n0\r\n\r\n",
    ]

    async def answer(request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(host, int(port))
        with contextlib.suppress(ConnectionError):
            writer.write(request)
            await writer.drain()
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(reader.read(100), 60.0)
        return b""

    try:
        for request in attempts:
            said = await answer(request)
            assert re.match(rb"HTTP/1.1 4\d\d |$", said), (request[:60], said)
            assert (await asyncio.to_thread(get, f"{url}/healthz"))[0] == 200
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 60.0) == 0
    finally:
        if process.returncode is None:
            process.kill()
