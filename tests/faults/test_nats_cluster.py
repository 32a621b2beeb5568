"""Three NATS servers that hold each job three times: one at a time may die."""

import asyncio
from pathlib import Path

import pytest

from tests.faults.chaos.checks import crossings, read_round, violations
from tests.faults.chaos.fleet import fleet_in
from tests.faults.chaos.rounds import begin, ended
from tests.faults.nats_cluster import SERVERS, NatsCluster
from tests.nats import until

ANSWERS = 15
"""So many answers of the model lie between what is done to the servers."""
LATENCY_S = 0.3
"""Each takes so long that the run outlasts the starts of all servers, on a fast machine, too."""


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_a_run_goes_on_while_one_nats_server_after_the_other_is_killed(tmp_path: Path):
    with NatsCluster(tmp_path) as cluster:
        await cluster.ready()
        async with fleet_in(tmp_path, LATENCY_S, cluster) as fleet:
            run, calls = await asyncio.to_thread(begin, fleet)
            assert calls > 2 * ANSWERS * SERVERS
            over = asyncio.ensure_future(ended(fleet, run))
            for number in range(SERVERS):
                for strike in (cluster.kill, cluster.start):
                    enough = fleet.stub.stats.answers + ANSWERS
                    await until(lambda e=enough: fleet.stub.stats.answers >= e, 120.0)
                    strike(number)
                await cluster.ready()
            assert not over.done(), "all of them died in the middle of it"
            assert await over
            seen = [seen for member in fleet.members.values() for seen in member.seen()]
            told = read_round(fleet.store, run, 0, fleet.stub.asked, seen)
            assert violations(fleet.store, told, 0) == []
            assert crossings(told) == 0
