"""Desks to run commands at: an empty one, and those on which runs were played and scored."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.open_store import open_store
from store.read_model import queries
from tests.gateway.applied import handlers_copied
from tests.gateway.command import Desk
from tests.support.runs import chain_plan, plan

__all__ = ["handlers_copied"]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Nothing is stored yet."""
    return Desk(tmp_path, monkeypatch)


@pytest.fixture(scope="session")
def played_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data folder of a desk on which eight episodes were played and scored by two judges."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(tmp_path_factory.mktemp("played"), patch)
        judges = '["rehearsal-strict", "rehearsal-lenient"]'
        desk.does("run", desk.file("plan.toml", plan(judges=judges)))
        yield desk.data_dir


@pytest.fixture
def played(desk: Desk, played_data: Path) -> Desk:
    """A copy of the played desk, to do with as you like."""
    desk.copy_of(played_data)
    return desk


@pytest.fixture(scope="session")
def played_ids(played_data: Path) -> tuple[str, str]:
    """The played run's id, and that of an episode of it: generous in the first seat, stubborn in
    the second."""
    with closing(open_store(f"sqlite:///{played_data / 'troupe.db'}")) as store:
        (run,) = queries.runs(store)
        episode = next(
            row.id
            for row in queries.episodes(store, run=run.id)
            if tuple(row.minds) == ("generous", "stubborn")
        )
        return run.id, episode


@pytest.fixture
def run(played: Desk, played_ids: tuple[str, str]) -> str:
    """The played run's id."""
    return played_ids[0]


@pytest.fixture
def episode(played: Desk, played_ids: tuple[str, str]) -> str:
    """An episode of two seats of the played run: generous in the first, stubborn in the second."""
    return played_ids[1]


@pytest.fixture(scope="session")
def chained_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a desk on which two chains of four episodes were played, one without a
    memory, and scored by three judges. The last episode needs what the first taught."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(tmp_path_factory.mktemp("chained"), patch)
        text = chain_plan(
            length=3,
            pairs=1,
            memory='["summary", "none"]',
            judges='["belext-rehearsal", "belext-rule", "facts"]',
            pairings='[["stubborn", "generous"]]',
            turn_cap=12,
            more='scenarios = ["lent_coat", "nothing_but_bread", "pavement_piano"]\n'
            'hard = ["coat_returned"]',
        )
        desk.does("run", desk.file("plan.toml", text))
        return desk.data_dir


@pytest.fixture
def chained(desk: Desk, chained_data: Path) -> Desk:
    """A copy of that desk."""
    desk.copy_of(chained_data)
    return desk


@pytest.fixture(scope="session")
def chained_id(chained_data: Path) -> str:
    """The id of the chain with a memory."""
    with closing(open_store(f"sqlite:///{chained_data / 'troupe.db'}")) as store:
        return next(row.id for row in queries.chains(store) if row.memory == "summary")


@pytest.fixture
def chain(chained: Desk, chained_id: str) -> str:
    """The id of the chain with a memory."""
    return chained_id
