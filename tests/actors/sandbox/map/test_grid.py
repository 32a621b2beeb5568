"""A town's grid: addresses, where one stands, what is seen, and ways."""

import random
from collections import deque

import numpy as np
import pytest

from actors.sandbox.map.grid import Grid, grid_of, town_digest
from actors.sandbox.map.layers import layer_of, runs_of, tiles_of
from actors.sandbox.map.town_map import Layer
from actors.sandbox.setup import Tile
from events.base import replace
from tests.actors.sandbox.small_town import small_town

STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


@pytest.fixture(scope="module")
def grid() -> Grid:
    return grid_of(small_town())


def walked(grid: Grid, tile: Tile, way: str) -> Tile:
    """Where a way leads; every tile of it can be stood on."""
    for letter in way:
        tile = (tile[0] + STEPS[letter][0], tile[1] + STEPS[letter][1])
        assert grid.reached[tile[1], tile[0]]
    return tile


def distance(grid: Grid, start: Tile, end: Tile) -> int:
    """Steps by another search than the one under test."""
    seen, waiting = {start}, deque([(start, 0)])
    while waiting:
        (x, y), steps = waiting.popleft()
        if (x, y) == end:
            return steps
        for across, down in STEPS.values():
            tile = (x + across, y + down)
            inside = 0 <= tile[0] < grid.width and 0 <= tile[1] < grid.height
            if inside and grid.reached[tile[1], tile[0]] and tile not in seen:
                seen.add(tile)
                waiting.append((tile, steps + 1))
    raise AssertionError("no way")


def test_every_place_of_every_level_has_an_address(grid: Grid) -> None:
    assert sorted(grid.places) == [
        "Small",
        "Small:Ann's house",
        "Small:Ann's house:room",
        "Small:Ann's house:room:bed",
        "Small:Bo's house",
        "Small:Bo's house:room",
        "Small:Bo's house:room:bed",
        "Small:inn",
        "Small:inn:door",
        "Small:inn:hall",
        "Small:inn:hall:stage",
        "Small:inn:hall:table",
        "Small:inn:kitchen",
        "Small:inn:kitchen:stove",
    ]
    for id_, address in enumerate(grid.places):
        parent = address.rpartition(":")[0]
        assert grid.index[address] == id_
        assert grid.level(id_) == address.count(":")
        assert (grid.places[grid.parents[id_]] if parent else "") == parent


def test_a_tile_has_its_most_exact_address(grid: Grid) -> None:
    assert grid.address((2, 2)) == "Small:Ann's house:room:bed"
    assert grid.address((1, 1)) == "Small:Ann's house:room"
    assert grid.address((9, 0)) == "Small"
    assert grid.places[grid.arena[2, 2]] == "Small:Ann's house:room"
    assert grid.arena[0, 9] == -1


def test_only_tiles_that_people_can_reach_count(grid: Grid) -> None:
    assert grid.free[8, 1]
    assert not grid.reached[8, 1]
    assert grid.way((1, 8), "Small:inn", 0) is None
    assert (1, 8) not in grid.standing("Small")


def test_one_stands_beside_what_stands_on_solid_tiles(grid: Grid) -> None:
    beside = [(15, 1), (16, 1), (14, 2), (17, 2), (15, 3), (16, 3)]
    assert sorted(grid.standing("Small:inn:hall:table")) == sorted(beside)
    assert grid.standing("Small:inn:kitchen:stove") == ((12, 8 - 1), (13, 8))
    assert grid.standing("Small:Ann's house:room:bed") == ((2, 2),)
    assert grid.standing("Small:nowhere") == ()


def test_people_begin_at_the_marks_of_their_homes(grid: Grid) -> None:
    home = "Small:Ann's house:room"
    assert [grid.spawn(home, number) for number in range(3)] == [(1, 1), (3, 1), (1, 1)]
    assert grid.address(grid.spawn("Small:Bo's house:room")).startswith("Small:Bo's house:room")
    with pytest.raises(KeyError):
        grid.spawn("Small:nowhere")


def test_a_way_is_shortest_and_leads_there(grid: Grid) -> None:
    for address in grid.places[1:]:
        for key in range(5):
            way = grid.way((1, 1), address, key)
            assert way is not None
            end = walked(grid, (1, 1), way)
            assert end in grid.standing(address)
            assert len(way) == distance(grid, (1, 1), end)


def test_whoever_is_there_already_goes_nowhere(grid: Grid) -> None:
    assert grid.way((13, 2), "Small:inn:hall", 3) == ""
    assert grid.way((13, 2), "Small:inn", 3) == ""
    assert grid.way((13, 2), "Small:nowhere", 3) is None


def test_people_with_other_keys_spread_over_a_place(grid: Grid) -> None:
    ways = {key: grid.way((9, 0), "Small:inn:hall:table", key) for key in range(12)}
    ends = {walked(grid, (9, 0), way) for way in ways.values() if way is not None}
    assert len(ends) >= 4
    assert ways[7] == grid.way((9, 0), "Small:inn:hall:table", 7)


def test_what_is_seen_is_what_lies_in_the_square(grid: Grid) -> None:
    rng = random.Random(0)
    for _ in range(50):
        x, y, radius = rng.randrange(20), rng.randrange(10), rng.randrange(1, 9)
        seen = set()
        for row in range(max(0, y - radius), min(10, y + radius + 1)):
            for column in range(max(0, x - radius), min(20, x + radius + 1)):
                parts = grid.address((column, row)).split(":")
                seen |= {":".join(parts[:end]) for end in range(1, len(parts) + 1)}
        mask = grid.seen_from((x, y), radius)
        assert {place for id_, place in enumerate(grid.places) if mask >> id_ & 1} == seen


def test_a_grid_is_made_once_a_map() -> None:
    town = small_town()
    assert grid_of(town) is grid_of(replace(town, digest=""))
    other = replace(town, world="Other", digest="")
    assert grid_of(other) is not grid_of(town)


def test_a_fingerprint_is_of_all_but_itself() -> None:
    town = small_town()
    assert town_digest(replace(town, digest="else")) == town.digest
    assert town_digest(replace(town, objects=Layer())) != town.digest


def test_layers_come_back_as_they_were() -> None:
    rows = [["", "a", "a"], ["b", "b", ""]]
    layer = layer_of(rows, {"a": 7, "b": 9})
    assert (layer.names, layer.codes) == (("a", "b"), (7, 9))
    tiles = tiles_of(layer, 3, 2)
    assert tiles.tolist() == [[0, 1, 1], [2, 2, 0]]
    assert runs_of(tiles) == layer.runs
    assert runs_of(np.zeros((2, 2), np.int32)) == ()


@pytest.mark.parametrize("runs", [(1, 6, 1), (1, 5), (2, 6), (1, 7), (-1, 6), (1, 0, 0, 6)])
def test_runs_that_do_not_fit_are_refused(runs: tuple[int, ...]) -> None:
    with pytest.raises(ValueError):
        tiles_of(Layer(names=("a",), runs=runs), 3, 2)
