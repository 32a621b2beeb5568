"""Processes of two versions beside each other, as while a fleet is upgraded."""

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from actors.runs.execution.coordinator import Work, carry_out, end_run
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.runtime.jobs.queue import JobQueue, JobSettings
from store.log.event_store import EventStore
from store.migrate import known_schemas
from store.read_model import queries
from tests.faults.killed.test_drains import NEVER_S, Fleet
from tests.support.runs import model_minds, plan, record, state_of
from tests.support.servers.nats_server import until
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store


def migrated_to(store: EventStore, schema: str) -> None:
    """A process of another version has been here."""
    with store.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = :it"), {"it": schema})


@pytest.mark.long
async def test_a_worker_makes_way_when_a_newer_version_has_upgraded_the_store(
    tmp_path: Path, nats_server: EmbeddedNats, bus: Bus, space: str
):
    fleet = Fleet(tmp_path, nats_server, space)
    old, new = fleet.machine("old"), fleet.machine("new")
    store = old.open()
    jobs = JobQueue(bus, JobSettings(ack_wait=float(NEVER_S)))
    await jobs.ensure()
    async with StubServer(StubSettings(latency_s=0.15)) as stub:
        minds = model_minds(stub.url) + 'api_key_env = "STUB_KEY"'
        text = plan(minds, tasks=20, rules="turn_cap = 6", judges='["rehearsal-strict"]')
        run = record(store, tmp_path, text)
        work = Work.of(run, state_of(store, run))
        leaving = await old.start("worker", "--port", "0")
        going = asyncio.ensure_future(
            carry_out(store, jobs, work, stop=asyncio.Event(), on_progress=lambda _: None)
        )
        await until(lambda: stub.stats.answers, 60.0)
        migrated_to(store, "9999")
        assert await leaving.ended() == 1
        assert "a newer version of Troupe wrote it" in leaving.said()
        assert not going.done()
        refused = await old.start("worker", "--port", "0")
        assert await refused.ended() == 1, "started again it says the same"
        assert "a newer version of Troupe wrote it" in refused.said()

        migrated_to(store, known_schemas()[-1])  # from here on we are the newer version
        staying = await new.start("worker", "--port", "0")
        progress = await asyncio.wait_for(going, 300.0)
        assert progress.done
        end_run(store, run, progress)
        assert await staying.stop() == 0
    assert await jobs.dead() == []
    assert {row.status for row in queries.episodes(store)} == {"ended"}
    assert set(stub.stats.by_body.values()) == {1}, "nothing was asked twice"
    check_store(store, run)
    store.close()
