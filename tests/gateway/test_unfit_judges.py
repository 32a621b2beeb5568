"""A judge whose rubric is for another environment is refused where it is chosen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.toml_file import BadFile
from gateway.errors import BadArgument
from gateway.services.results.score_run import scoring_of
from gateway.services.runs.plan_run import prepare
from store.log.event_store import EventStore
from store.open_store import open_store
from store.read_model import queries
from tests.evaluators import coins
from tests.evaluators.synthetic import RUN, fill

PLAN = """
name = "unfit"
[minds.warm]
kind = "rehearsal"
temper = "generous"
[seats]
pairings = "same"
[judges]
use = ["coin-rule"]
"""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EventStore]:
    """A run of social episodes, where judges of coins are installed, too."""
    opened = open_store(f"sqlite:///{tmp_path}/store.db", durable=False)
    fill(opened, episodes=2)
    yield from (opened for _ in coins.install(monkeypatch, ("coins", coins.JUDGING)))
    opened.close()


def test_a_plan_that_asks_for_one_is_refused(store: EventStore, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    with pytest.raises(BadFile, match="for episodes of environment 'coins', not of") as refused:
        prepare(store, path)
    assert refused.value.where == "judges.use"


def test_scoring_by_one_is_refused_for_a_run_and_for_an_episode(store: EventStore) -> None:
    episode = next(row.id for row in queries.episodes(store, run=RUN) if row.status == "ended")
    for what in (RUN, episode):
        with pytest.raises(BadArgument, match="rubrics for these are sotopia"):
            scoring_of(store, what, coins.RULE)
