"""The long-running process: health, metrics, detached runs, a clean end."""

import asyncio
import json
import re
import signal
import urllib.request
from pathlib import Path

from store import queries
from tests.faults.process import Troupe
from tests.nats import until

PLAN = """
[tasks]
limit = 2
[minds.a]
kind = "rehearsal"
temper = "generous"
[judges]
use = ["rehearsal-strict"]
"""


async def served(machine: Troupe) -> tuple[asyncio.subprocess.Process, str]:
    """`troupe serve` on a free port, and its address."""
    process = await asyncio.create_subprocess_exec(
        *machine.command("serve", "--port", "0"),
        env=machine.environment,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    found = re.search(r"http://\S+", line)
    assert found, line
    return process, found[0]


def get(url: str) -> tuple[int, str]:
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.status, answer.read().decode()


async def test_a_server_carries_out_what_was_queued_and_says_how_it_is(tmp_path: Path) -> None:
    machine = Troupe(tmp_path)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    process, url = await served(machine)
    try:
        assert await asyncio.to_thread(get, f"{url}/healthz") == (200, "ok\n")
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
        assert await asyncio.wait_for(process.wait(), 30) == 0
    finally:
        if process.returncode is None:
            process.kill()
    assert machine.servers() == []


async def test_a_worker_without_a_shared_queue_says_what_it_needs(tmp_path: Path) -> None:
    worker = await Troupe(tmp_path).start("worker")
    assert await worker.ended() == 1
    assert "set TROUPE_NATS_URL" in worker.said()
