"""Three NATS servers that hold each job three times: one at a time may die."""

import asyncio
from pathlib import Path

import pytest

from tests.faults.chaos.checks import crossings, read_round, violations
from tests.faults.chaos.fleet import fleet_in
from tests.faults.chaos.rounds import begin, ended
from tests.faults.network.nats_cluster import SERVERS, NatsCluster
from tests.support.servers.nats_server import until

ANSWERS = 15
"""So many answers of the model lie between what is done to the servers."""
LATENCY_S = 0.1


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_runs_go_on_while_one_nats_server_after_the_other_is_killed(tmp_path: Path):
    with NatsCluster(tmp_path) as cluster:
        await cluster.ready()
        async with fleet_in(tmp_path, LATENCY_S, cluster) as fleet:
            struck = asyncio.Event()

            async def keep_busy() -> None:
                """One run after the other: however fast the machine is, something is played."""
                while not struck.is_set():
                    after = await asyncio.to_thread(fleet.store.head)
                    fleet.stub.asked.clear()
                    run, _ = await asyncio.to_thread(begin, fleet)
                    assert await ended(fleet, run), f"run {run} did not end in time"
                    seen = [seen for member in fleet.members.values() for seen in member.seen()]
                    told = read_round(fleet.store, run, after, list(fleet.stub.asked), seen)
                    assert violations(fleet.store, told, after) == []
                    assert crossings(told) == 0

            busy = asyncio.ensure_future(keep_busy())
            for number in range(SERVERS):
                for strike in (cluster.kill, cluster.start):
                    enough = fleet.stub.stats.answers + ANSWERS
                    await until(
                        lambda e=enough: fleet.stub.stats.answers >= e or busy.done(), 120.0
                    )
                    if busy.done():
                        busy.result()
                    strike(number)
                await cluster.ready()
            struck.set()
            await busy
