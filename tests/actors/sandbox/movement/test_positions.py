"""Trajectories as published files, and back; files with faults are refused, each fault named."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from actors.sandbox.environment import TOWN
from actors.sandbox.formats.movement_events import history_of
from actors.sandbox.formats.movement_reader import MovementRefused, read_movement
from actors.sandbox.formats.movement_trajectory import trajectory_in
from actors.sandbox.formats.movement_types import Meta, clock_of, clock_text
from actors.sandbox.formats.movement_writer import write_movement
from actors.sandbox.map.grid import grid_of
from actors.sandbox.movement.trajectory import Trajectory
from actors.sandbox.movement.trajectory_reader import trajectory_of
from actors.sandbox.views import Said
from tests.actors.sandbox.lives import lived as life
from tests.actors.sandbox.lives import whims
from tests.actors.sandbox.random_towns import random_town
from tests.actors.sandbox.small_town import small_town
from tests.actors.sandbox.wandering import NAMES, same, started, task, wandering

GRID = grid_of(small_town())


def written(lived: Trajectory, folder: Path) -> Path:
    write_movement(lived, folder, Meta(sec_per_step=1, task="wander-public"))
    return folder


def read(folder: Path) -> Trajectory:
    return trajectory_in(read_movement(folder), NAMES, GRID, folder)


@pytest.mark.parametrize("seed", range(8))
def test_what_was_written_is_read_as_it_was(seed: int, tmp_path: Path) -> None:
    lived = wandering(seed)
    folder = written(lived, tmp_path / "sim")
    assert same(read(folder), lived)
    shutil.rmtree(folder / "movement")
    assert same(read(folder), lived)


@pytest.mark.parametrize("seed", range(8))
def test_a_history_made_of_a_trajectory_tells_the_same(seed: int) -> None:
    lived = wandering(seed)
    history = history_of(started(task(), lived), lived)
    assert same(trajectory_of(history), lived)


@pytest.mark.parametrize("seed", [7, 13])
def test_a_town_that_lived_by_the_rules_is_read_as_it_was(seed: int, tmp_path: Path) -> None:
    town = random_town(seed)
    did = trajectory_of(life(town, whims(town, seed=seed))[0])
    folder = written(did, tmp_path / "sim")
    read_again = trajectory_in(read_movement(folder), did.names, grid_of(town.map), folder)
    assert same(read_again, did)


def test_files_are_as_published(tmp_path: Path) -> None:
    lived = wandering(3)
    folder = written(lived, tmp_path / "sim")
    step = json.loads((folder / "movement" / "21.json").read_text())
    assert step["meta"] == {"curr_time": "February 14, 2023, 00:11:00"}
    ann = step["persona"]["Ann"]
    assert ann["description"] == "conversing about a dance @ <persona> Bo"
    assert ann["movement"] == lived.tiles[21, 0].tolist()
    assert ann["chat"] == [["Bo", "Shall we dance?"], ["Ann", "Yes – at ten past."]]
    assert step["persona"]["Cy"]["chat"] is None
    meta = json.loads((folder / "reverie" / "meta.json").read_text())
    assert meta["sec_per_step"] == 60
    assert meta["start_date"] == "February 13, 2023"
    master = json.loads((folder / "master_movement.json").read_text())
    assert set(master["0"]) == set(NAMES)
    assert sum(map(len, master.values())) < lived.steps * len(NAMES)


def test_the_clock_is_read_as_it_is_written() -> None:
    for text in ("February 13, 2023, 00:00:00", "May 01, 2024, 23:59:50"):
        assert clock_text(clock_of(text)) == text
    with pytest.raises(ValueError, match="no time like"):
        clock_of("2023-02-13 00:00:00")


def edited(number: int, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / "movement" / f"{number}.json"
        step = json.loads(path.read_text())
        change(step)
        path.write_text(json.dumps(step))

    return edit


def moved(**changes: Any) -> Callable[[dict[str, Any]], object]:
    return lambda step: step["persona"]["Bo"].update(changes)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (
            lambda folder: (folder / "movement" / "7.json").unlink(),
            r"movement/7.json, step 7: the step is missing",
        ),
        (
            edited(7, lambda step: step["persona"].pop("Bo")),
            r"movement/7.json, step 7: Bo is missing",
        ),
        (
            edited(7, lambda step: step["persona"].update(Zoe=step["persona"]["Bo"])),
            r"movement/7.json, step 7: 'Zoe' is nobody of the task",
        ),
        (
            edited(7, moved(description="dancing @ Small:inn:attic")),
            r"movement/7.json, step 7: Bo is at 'Small:inn:attic', which is no place of the map",
        ),
        (
            edited(7, moved(description="dancing")),
            r"movement/7.json, step 7: Bo does 'dancing', which is no 'ACTION @ ADDRESS'",
        ),
        (
            edited(7, moved(description="conversing about it @ <persona> Zoe")),
            r"step 7: Bo is with 'Zoe', who is nobody of the task",
        ),
        (edited(7, moved(movement=[0, 5])), r"movement/7.json, step 7: Bo jumps from .* one tile"),
        (edited(7, moved(movement=[0, 0])), r"step 7: Bo stands on \(0, 0\), which is solid"),
        (
            edited(7, moved(movement=[99, 0])),
            r"step 7: Bo is at \(99, 0\), and the map has 20 × 10",
        ),
        (edited(7, moved(movement="here")), r"movement/7.json: is not what it should be"),
        (edited(7, moved(chat=[["Zoe", "Hello"]])), r"step 7: Bo talks with Zoe"),
        (edited(7, moved(chat=[["Ann", "Oh! " * 600]])), r"step 7: Bo's talk has more than 2,000"),
        (
            edited(7, lambda step: step["meta"].update(curr_time="February 13, 2023, 12:00:00")),
            r"movement/7.json, step 7: curr_time is 2023-02-13 12:00:00, and this step is at",
        ),
        (
            edited(0, lambda step: step["meta"].update(curr_time="December 31, 9999, 23:59:00")),
            r"movement/1.json, step 1: its time goes beyond the years 1 to 9999",
        ),
        (
            lambda folder: (folder / "movement" / "7.json").write_text("{"),
            r"movement/7.json: is not what it should be",
        ),
        (lambda folder: shutil.rmtree(folder / "reverie"), r"reverie/meta.json: there is no such"),
        (
            lambda folder: (folder / "reverie" / "meta.json").write_text('{"sec_per_step": 0}'),
            r"sec_per_step is 0",
        ),
    ],
)
def test_faults_are_named_by_file_and_step(
    spoil: Callable[[Path], None], why: str, tmp_path: Path
) -> None:
    folder = written(wandering(1), tmp_path / "sim")
    spoil(folder)
    with pytest.raises(MovementRefused, match=why):
        read(folder)


def test_a_number_of_a_step_that_is_none_is_refused(tmp_path: Path) -> None:
    folder = written(wandering(1), tmp_path / "sim")
    shutil.rmtree(folder / "movement")
    (folder / "master_movement.json").write_text(json.dumps({"9" * 5000: {}}))
    with pytest.raises(MovementRefused, match="is no step"):
        read(folder)


def test_a_step_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    folder = written(wandering(1), tmp_path / "sim")
    shutil.rmtree(folder / "movement")
    (folder / "master_movement.json").write_text(json.dumps({"0": {}, "5": {}, "05": {}}))
    with pytest.raises(MovementRefused, match=r"step 5: '05' is a step that is there already"):
        read(folder)


def test_who_was_spoken_to_is_told_what_was_said() -> None:
    lived = wandering(3)
    history = history_of(started(task(), lived), lived)
    told = [one for one in TOWN.sight.view(history, 1).noticed if isinstance(one, Said)]
    assert [(one.seat, one.to, one.text) for one in told] == [
        (1, 0, "Shall we dance?"),
        (0, 1, "Yes – at ten past."),
    ]


def test_pickled_states_are_never_opened(tmp_path: Path) -> None:
    lived = wandering(1)
    folder = written(lived, tmp_path / "sim")
    (folder / "personas").mkdir()
    (folder / "personas" / "state.pkl").write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    (folder / "movement" / "states.pkl").write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    assert same(read(folder), lived)


def test_two_signs_between_action_and_address_are_kept_for_scorers(tmp_path: Path) -> None:
    folder = written(wandering(1), tmp_path / "sim")
    edited(7, moved(description="dancing @ night @ Small:inn:hall"))(folder)
    lived = read(folder)
    (span,) = (one for one in lived.spans[1] if one.start == 7)
    assert (span.text, span.address) == ("dancing", "night @ Small:inn:hall")
