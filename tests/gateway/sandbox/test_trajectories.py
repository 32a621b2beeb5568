"""``troupe town import``, ``export`` and ``score``: the same towns, the same scores."""

import json
import random
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from actors.episodes.registry import environment_named
from actors.sandbox.catalog_items import Catalog, Task
from actors.sandbox.formats.movement_types import Meta
from actors.sandbox.formats.movement_writer import write_movement
from actors.sandbox.map.grid import Grid, grid_of
from actors.sandbox.movement.trajectory import Trajectory
from evaluators.sandbox.scorers.score_task import both_scores
from evaluators.sandbox.scorers.task_scores import TaskScore
from evaluators.sandbox.table4 import agent_of
from store.read_model import queries
from tests.actors.sandbox.wandering import arenas_of, wandered
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused

STEP_S, STEPS = 2_700, 62
"""Two days in few steps."""


def starter() -> Catalog:
    catalog = environment_named("sandbox").starter()
    assert isinstance(catalog, Catalog)
    return catalog


def lived(task: Task, grid: Grid) -> Trajectory:
    """Two days in which people often do what the task wants, and often there."""
    words = [word for goal in task.goals for word in (goal.keyword, *goal.other_keywords)]
    there = [place for place in arenas_of(grid) if any(g.place in place for g in task.goals)]
    chance = random.Random(task.id)
    return wandered(
        chance,
        grid,
        task.characters,
        [f"{word} as well as they can" for word in words] + ["resting"],
        [*there[:4], *chance.sample(arenas_of(grid), 2)],
        STEPS,
        "2023-02-13 00:00",
        STEP_S,
    )


@pytest.fixture(scope="module")
def towns() -> dict[str, tuple[Task, Trajectory, Grid]]:
    """By task, one a kind of the starter catalog, what everybody did."""
    catalog = starter()
    grid = grid_of(catalog.towns[0])
    tasks = {task.kind: task for task in reversed(catalog.tasks)}
    return {task.id: (task, lived(task, grid), grid) for task in tasks.values()}


@pytest.fixture(scope="module")
def desk(
    tmp_path_factory: pytest.TempPathFactory, towns: dict[str, tuple[Task, Trajectory, Grid]]
) -> Iterator[Desk]:
    """A desk with files of all tasks, as another program would have left them."""
    with pytest.MonkeyPatch.context() as patch:
        desk = Desk(tmp_path_factory.mktemp("trajectories"), patch)
        for id_, (_, town, _) in towns.items():
            write_movement(town, desk.folder / "sims" / f"sim_{id_}", Meta(sec_per_step=STEP_S))
        yield desk


def values(desk: Desk, run: str) -> dict[str, Any]:
    found = desk.does("town", "score", run, "--json").json
    return {one["task"]: one["values"] for one in found["tasks"]}


def test_what_is_exported_and_imported_again_has_the_same_scores(
    desk: Desk, towns: dict[str, tuple[Task, Trajectory, Grid]]
) -> None:
    sims = str(desk.folder / "sims")
    brought = desk.does("town", "import", sims, "--catalog", "ternby", "--json").json
    assert len(brought["episodes"]) == len(towns)
    first = values(desk, brought["run"])
    reached = 0.0
    for id_, (task, town, grid) in towns.items():
        scores = both_scores(task, town, grid.address)
        for scorer, outcome in (("paper", scores.paper), ("published", scores.published)):
            assert isinstance(outcome, TaskScore)
            assert first[id_][scorer]["score"]["value"] == outcome.value
            reached += outcome.value
    assert reached > len(towns) / 2
    out = desk.folder / "out"
    desk.does("town", "export", brought["run"], str(out))
    again = desk.does("town", "import", str(out), "--json").json
    assert again["run"] != brought["run"]
    assert values(desk, again["run"]) == first
    assert desk.does("town", "import", str(out), "--json").json["stored"] == 0
    said = desk.does("town", "score", brought["run"]).out
    assert max(map(len, said.splitlines())) <= 80
    assert "Table 4" in said
    assert desk.does("verify-store", "--json").code == 0
    page = desk.folder / "report.html"
    desk.does("report", brought["run"], "--out", str(page), "--transcripts", "0")
    text = page.read_text()
    assert text.count("GPT-4, as published") >= 2
    assert "keyword &#39;supper&#39;" in text


def spoilt(desk: Desk, name: str) -> Path:
    """A copy of one trajectory."""
    folder = desk.folder / name / "sim_lamp_supper"
    shutil.copytree(desk.folder / "sims" / "sim_lamp_supper", folder)
    return folder


def test_files_with_faults_are_refused_whole(desk: Desk) -> None:
    folder = spoilt(desk, "hole")
    (folder / "movement" / "7.json").unlink()
    why = refused(desk, "town", "import", str(folder), "--catalog", "ternby")
    assert "movement/7.json, step 7: the step is missing" in why
    folder = spoilt(desk, "place")
    path = folder / "movement" / "0.json"
    step = json.loads(path.read_text())
    step["persona"]["Yuna Seo"]["description"] = "dancing @ Ternby:the Moon"
    path.write_text(json.dumps(step))
    why = refused(desk, "town", "import", str(folder), "--catalog", "ternby")
    assert "movement/0.json, step 0: Yuna Seo is at 'Ternby:the Moon', which is no place" in why


def test_whose_trajectory_it_is_has_to_be_known(desk: Desk, tmp_path: Path) -> None:
    folder = str(desk.folder / "sims" / "sim_lamp_supper")
    assert "--catalog" in refused(desk, "town", "import", folder)
    why = refused(desk, "town", "import", folder, "--catalog", "ternby", "--task", "nothing")
    assert "nothing" in why
    assert "holds neither" in refused(desk, "town", "import", str(tmp_path))
    nameless = shutil.copytree(folder, tmp_path / "nameless")
    why = refused(desk, "town", "import", str(nameless), "--catalog", "ternby")
    assert "say which task it is" in why
    asked = ("--catalog", "ternby", "--task", "lamp_supper", "--mind", "gpt-4", "--agent", "ga+tdp")
    run = desk.does("town", "import", str(nameless), *asked, "--json").json["run"]
    with closing(desk.open()) as store:
        (mind,) = queries.plan(store, run).plan.minds
    assert (mind.name, agent_of(mind)) == ("gpt-4", "GA+TDP")
