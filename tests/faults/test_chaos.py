"""Rounds of chaos: whatever is killed, stopped or away for a while, runs end complete.

``make chaos`` plays any number, and prints a table.
"""

from pathlib import Path

import pytest

from tests.faults.chaos.faults import FAULTS
from tests.faults.chaos.rounds import play_rounds
from tests.faults.chaos.table import Table

ROUNDS = 10
"""For each of two fleets, which may be on a core each."""


async def struck_at_random(folder: Path, rounds: int, seed: int) -> Table:
    """Rounds after which all is as it must be."""
    table = Table([played async for played in play_rounds(folder, rounds, seed)])
    print(table)
    assert table.violations == []
    assert len(table.rounds) == rounds
    return table


@pytest.mark.long
async def test_a_worker_that_stands_still_for_a_while_does_no_damage(tmp_path: Path):
    table = await struck_at_random(tmp_path, 1, seed=2)
    assert [struck.kind for struck in table.rounds[0].struck] == ["stop-worker"]


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", [0, ROUNDS])
async def test_runs_whose_fleet_is_struck_at_random_moments_end_complete(seed: int, tmp_path: Path):
    table = await struck_at_random(tmp_path, ROUNDS, seed)
    assert {struck.kind for played in table.rounds for struck in played.struck} == {*FAULTS}
    assert any(played.recoveries for played in table.rounds), "something was under way"
