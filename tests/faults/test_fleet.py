"""Workers that share a run over one NATS server and one PostgreSQL."""

import asyncio
from pathlib import Path

import pytest

from actors.runs.execution.coordinator import Work, carry_out, end_run
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.runtime.jobs.queue import JobQueue, JobSettings
from tests.faults.process import Troupe
from tests.support.runs import model_minds, plan, record, state_of
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store

ACK_WAIT_S = 2.0
"""A job whose worker was killed comes again soon."""


@pytest.mark.long
async def test_when_one_of_two_workers_is_killed_the_other_finishes(
    tmp_path: Path, nats_server: EmbeddedNats, bus: Bus, space: str, postgres_url: str
):
    shared = {
        "TROUPE_NATS_URL": nats_server.url,
        "TROUPE_NATS_TOKEN": nats_server.token,
        "TROUPE_SPACE": space,
        "TROUPE_DATABASE_URL": postgres_url,
        "TROUPE_ACK_WAIT_S": f"{ACK_WAIT_S}",
    }
    one = Troupe(tmp_path / "one", STUB_KEY="one", **shared)
    other = Troupe(tmp_path / "other", STUB_KEY="other", **shared)
    store = one.open()
    async with StubServer(StubSettings(latency_s=0.1)) as stub:
        minds = model_minds(stub.url) + 'api_key_env = "STUB_KEY"'
        text = plan(minds, tasks=34, repeats=2, rules="turn_cap = 4", judges='["rehearsal-strict"]')
        run = record(store, tmp_path, text)
        first = await one.start("worker", "--port", "0")
        second = await other.start("worker", "--port", "0")
        state = state_of(store, run)
        work = Work.of(run, state)
        jobs = JobQueue(bus, JobSettings(ack_wait=ACK_WAIT_S))
        await jobs.ensure()
        going = asyncio.ensure_future(
            carry_out(store, jobs, work, stop=asyncio.Event(), on_progress=lambda _: None)
        )
        await until(lambda: len(stub.keys) == 2 or going.done(), 60.0)
        assert stub.keys == {"Bearer one", "Bearer other"}, "they share the run"
        enough = stub.stats.answers + 20
        await first.kill_when(lambda: stub.stats.answers >= enough)
        assert not going.done(), "it was killed in the middle"
        progress = await asyncio.wait_for(going, 300.0)
        assert progress.done
        end_run(store, run, progress)
        await second.stop()
    check_store(store, run)
    store.close()
