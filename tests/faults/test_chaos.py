"""Twenty rounds of chaos: whatever is killed, stopped or away for a while, runs end complete.

``make chaos`` plays any number, and prints a table.
"""

from pathlib import Path

import pytest

from tests.faults.chaos.faults import FAULTS
from tests.faults.chaos.rounds import play_rounds
from tests.faults.chaos.table import Table

ROUNDS = 10
"""For each of two fleets, which may be on a core each."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", [0, ROUNDS])
async def test_runs_whose_fleet_is_struck_at_random_moments_end_complete(seed: int, tmp_path: Path):
    table = Table([played async for played in play_rounds(tmp_path, ROUNDS, seed)])
    print(table)
    assert table.violations == []
    assert len(table.rounds) == ROUNDS
    assert {struck.kind for played in table.rounds for struck in played.struck} == {*FAULTS}
    assert any(played.recoveries for played in table.rounds), "something was under way"
