"""SIGTERM for a worker: the turns under way are finished, the episodes go to others at once."""

import asyncio
from pathlib import Path

import pytest

from actors.runs.execution.coordinator import Work, carry_out, end_run
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.runtime.jobs.queue import JobQueue, JobSettings
from store.read_model import queries
from tests.faults.process import Troupe
from tests.support.runs import answers, model_minds, plan, record, state_of
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store

NEVER_S = "3600"
"""A job that is not handed over stays with a worker that is gone for so long."""


class Fleet:
    """Workers' folders over one NATS server and one database."""

    def __init__(self, folder: Path, server: EmbeddedNats, space: str) -> None:
        self.folder = folder
        self.environment = {
            "TROUPE_NATS_URL": server.url,
            "TROUPE_NATS_TOKEN": server.token,
            "TROUPE_SPACE": space,
            "TROUPE_DATABASE_URL": f"sqlite:///{folder / 'shared.db'}",
            "TROUPE_ACK_WAIT_S": NEVER_S,
            "TROUPE_GRACE_S": "30",
        }

    def machine(self, name: str) -> Troupe:
        """One of them, whose model calls are known by its name."""
        return Troupe(self.folder / name, STUB_KEY=name, **self.environment)


@pytest.mark.long
async def test_a_worker_that_is_to_end_finishes_turns_and_hands_over_the_rest(
    tmp_path: Path, nats_server: EmbeddedNats, bus: Bus, space: str
):
    fleet = Fleet(tmp_path, nats_server, space)
    one, other = fleet.machine("one"), fleet.machine("other")
    store = one.open()
    jobs = JobQueue(bus, JobSettings(ack_wait=float(NEVER_S)))
    await jobs.ensure()
    async with StubServer(StubSettings(latency_s=0.15)) as stub:
        minds = model_minds(stub.url) + 'api_key_env = "STUB_KEY"'
        text = plan(minds, tasks=20, rules="turn_cap = 6", judges='["rehearsal-strict"]')
        run = record(store, tmp_path, text)
        work = Work.of(run, state_of(store, run))
        leaving = await one.start("worker", "--port", "0")
        going = asyncio.ensure_future(
            carry_out(store, jobs, work, stop=asyncio.Event(), on_progress=lambda _: None)
        )
        await leaving.while_running(lambda: "Bearer one" in stub.keys or going.done())
        staying = await other.start("worker", "--port", "0")
        assert await leaving.stop() == 0, leaving.said()
        assert not going.done(), "it was told in the middle"
        progress = await asyncio.wait_for(going, 300.0)
        assert progress.done
        end_run(store, run, progress)
        assert await staying.stop() == 0
    assert stub.keys == {"Bearer one", "Bearer other"}
    assert {row.status for row in queries.episodes(store)} == {"ended"}
    assert set(stub.stats.by_body.values()) == {1}, "nothing was asked twice"
    assert len(answers(store)) == stub.stats.answers, "every answer was waited for"
    check_store(store, run)
    store.close()
