"""Generated towns can be lived in, however large, and are the same for the same seed."""

from pathlib import Path

import pytest

from actors.sandbox.catalog.check import check
from actors.sandbox.catalog.generated_people import generated_tasks
from actors.sandbox.catalog.generator import generated
from actors.sandbox.catalog.town_file import town_of
from actors.sandbox.catalog.town_writer import town_text
from actors.sandbox.catalog_items import Catalog
from actors.sandbox.formats.csv_layers import layer_files, read_layers
from actors.sandbox.map.grid import grid_of


@pytest.mark.parametrize(("seed", "people"), [(0, 1), (1, 2), (2, 7), (3, 25), (4, 120)])
def test_nothing_is_wrong_with_one(seed: int, people: int) -> None:
    town, inhabitants = generated(seed, people)
    tasks = generated_tasks(seed, town, inhabitants) if people > 1 else ()
    catalog = Catalog(name="made", towns=(town,), inhabitants=inhabitants, tasks=tasks)
    assert list(check(catalog)) == []
    assert len({one.id for one in inhabitants}) == len(inhabitants) == people
    grid = grid_of(town)
    assert (grid.reached == grid.free).all()
    assert all(grid.way(grid.spawn(one.home), one.workplace, 0) for one in inhabitants)


def test_the_same_seed_is_the_same_town() -> None:
    assert generated(5, 9) == generated(5, 9)
    assert generated(5, 9)[0].digest != generated(6, 9)[0].digest


def test_everybody_begins_on_a_tile_of_their_own() -> None:
    town, inhabitants = generated(7, 60)
    grid, before, tiles = grid_of(town), dict[str, int](), set()
    for one in inhabitants:
        number = before.get(one.home, 0)
        before[one.home] = number + 1
        tiles.add(grid.spawn(one.home, number))
    assert len(tiles) == 60


def test_without_streets_they_belong_to_nobody() -> None:
    town, _ = generated(8, 5, streets=False)
    assert not any(name.startswith("the streets") for name in town.sectors.names)
    assert grid_of(town).address((0, 0)) == town.world


@pytest.mark.parametrize("people", [0, -1, 5_001])
def test_for_nobody_or_too_many_none_is_made(people: int) -> None:
    with pytest.raises(ValueError, match="towns are made for 1 to 5,000 people"):
        generated(0, people)


def test_one_survives_every_form(tmp_path: Path) -> None:

    town, inhabitants = generated(9, 12)
    tasks = generated_tasks(9, town, inhabitants)
    read = town_of(town_text(town, inhabitants, tasks))
    assert (read.town, read.inhabitants, read.tasks) == (town, inhabitants, tasks)
    for name, text in layer_files(town).items():
        (tmp_path / name).write_text(text)
    assert read_layers(tmp_path, town.id).town.arenas.runs == town.arenas.runs
