"""Jobs that die with their workers, and are tried again by whoever has mended what was wrong."""

import asyncio
import json
from pathlib import Path

import pytest

from actors.runs.execution.coordinator import Progress, Work, carry_out, end_run
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from actors.runtime.jobs.queue import JobQueue, JobSettings
from store.log.event_store import EventStore
from store.read_model import queries
from tests.faults.process import SLOW_S, Troupe
from tests.support.runs import model_minds, plan, record, state_of
from tests.support.servers.stub_llm import StubServer, StubSettings
from tests.support.store_checks import check_store

ACK_WAIT_S = 1.0
PLAYED_S = 4 * SLOW_S
"""Workers are started meanwhile, and one is lost."""


async def played(store: EventStore, jobs: JobQueue, run: str) -> Progress:
    """What becomes of a run that workers play."""
    work = Work.of(run, state_of(store, run))
    going = carry_out(store, jobs, work, stop=asyncio.Event(), on_progress=lambda _: None)
    progress = await asyncio.wait_for(going, PLAYED_S)
    end_run(store, run, progress)
    return progress


@pytest.mark.long
async def test_episodes_given_up_with_their_workers_are_played_on_when_their_jobs_are_retried(
    tmp_path: Path, nats_server: EmbeddedNats, bus: Bus, space: str
):
    machine = Troupe(
        tmp_path,
        TROUPE_NATS_URL=nats_server.url,
        TROUPE_NATS_TOKEN=nats_server.token,
        TROUPE_SPACE=space,
        TROUPE_ACK_WAIT_S=f"{ACK_WAIT_S}",
        TROUPE_JOB_TRIES="1",
        STUB_KEY="any",
    )
    store = machine.open()
    jobs = JobQueue(bus, JobSettings(ack_wait=ACK_WAIT_S, max_tries=1))
    await jobs.ensure()

    async def says(*words: str) -> list[dict] | dict:
        process = await machine.start(*words, "--json")
        assert await process.ended() == 0, process.said()
        return json.loads(process.said())

    async with StubServer(StubSettings(latency_s=0.1)) as stub:
        minds = model_minds(stub.url) + 'api_key_env = "STUB_KEY"'
        text = plan(minds, tasks=3, rules="turn_cap = 8", judges='["rehearsal-strict"]')
        run = record(store, tmp_path, text)
        playing = asyncio.ensure_future(played(store, jobs, run))
        worker = await machine.start("worker", "--port", "0")
        await worker.kill_when(lambda: stub.stats.answers >= 9)
        worker = await machine.start("worker", "--port", "0")
        progress = await playing
        assert (progress.episodes_failed, progress.episodes_ended) == (3, 0)
        assert queries.run(store, run).status == "ended"

        shown = await says("jobs")
        assert [kind["dead"] for kind in shown["kinds"]] == [3, 0]
        ids = {row.id for row in queries.episodes(store)}
        assert {dead["id"] for dead in shown["dead"]} == ids
        assert {dead["run"] for dead in shown["dead"]} == {run}
        assert {dead["reason"] for dead in shown["dead"]} == {"its worker was lost each of 1 times"}
        while not (listed_workers := await says("workers")):
            pass  # they have half a second to answer
        (listed,) = listed_workers
        assert (listed["episodes"], listed["episode_slots"]) == (0, 64)

        first = shown["dead"][0]["id"]
        (retried,) = await says("jobs", "retry", first)
        assert (retried["id"], retried["outcome"]) == (first, "retried")
        assert queries.run(store, run).status == "running", "it had ended"
        assert queries.episode(store, first).status == "playing"
        assert {one["outcome"] for one in await says("jobs", "retry", "--all")} == {"retried"}

        turns = {row.id: row.turns for row in queries.episodes(store)}
        progress = await played(store, jobs, run)
        assert (progress.episodes_failed, progress.episodes_ended) == (0, 3)
        assert {row.status for row in queries.episodes(store)} == {"ended"}
        assert {row.status for row in queries.evaluations(store)} == {"ended"}
        assert all(row.turns > turns[row.id] > 0 for row in queries.episodes(store)), "went on"
        assert [kind["dead"] for kind in (await says("jobs"))["kinds"]] == [0, 0]
        assert await worker.stop() == 0
    check_store(store, run)
    store.close()
