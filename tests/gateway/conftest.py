"""Desks to run commands at: an empty one, and one on which a run was played and scored."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gateway.command import Desk
from tests.runs import plan


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


@pytest.fixture
def run(played: Desk) -> str:
    """The played run's id."""
    return played.does("runs", "--json").json[0]["id"]


@pytest.fixture
def episode(played: Desk, run: str) -> str:
    """An episode of two seats of the played run: generous in the first, stubborn in the second."""
    rows = played.does("show", run, "--json").json["episodes"]
    return next(row["id"] for row in rows if row["minds"] == ["generous", "stubborn"])
