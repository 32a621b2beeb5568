"""Ternby is a town in which everybody can live and every task can be done."""

from collections import Counter
from itertools import product

import pytest

from actors.sandbox.catalog.check import check
from actors.sandbox.catalog.starter import FILE, town_catalog
from actors.sandbox.catalog.town_file import read_town
from actors.sandbox.map.grid import Grid, grid_of

CATALOG = town_catalog()


@pytest.fixture(scope="module")
def grid() -> Grid:
    return grid_of(CATALOG.towns[0])


def test_it_is_as_large_as_it_should_be(grid: Grid) -> None:
    levels = Counter(map(grid.level, range(len(grid.places))))
    assert (levels[1], levels[2], levels[3]) == (14, 34, 114)
    assert len(CATALOG.inhabitants) == 12
    assert Counter(task.kind for task in CATALOG.tasks) == dict.fromkeys(
        ("public", "appointment", "companions", "online", "help"), 2
    )


def test_nothing_is_odd_about_it() -> None:
    assert list(check(CATALOG)) == []
    assert read_town(FILE).odd == ()


def test_every_place_can_be_reached_from_every_home(grid: Grid) -> None:
    for who, address in product(CATALOG.inhabitants, grid.places):
        assert grid.way(grid.spawn(who.home), address, 0) is not None
    assert grid.reached.sum() == grid.free.sum()


def test_people_are_there_within_the_hour(grid: Grid) -> None:
    arenas = [address for address in grid.places if address.count(":") == 2]
    ways = [
        len(grid.way(grid.spawn(who.home), address, 0) or "")
        for who, address in product(CATALOG.inhabitants, arenas)
    ]
    assert max(ways) <= 55
    assert sum(ways) / len(ways) <= 30


def test_two_who_share_a_home_begin_on_tiles_of_their_own(grid: Grid) -> None:
    homes: dict[str, list[str]] = {}
    for who in CATALOG.inhabitants:
        homes.setdefault(who.home, []).append(who.id)
    for home, people in homes.items():
        tiles = {grid.spawn(home, number) for number in range(len(people))}
        assert len(tiles) == len(people)
        assert all(grid.address(tile).startswith(home) for tile in tiles)


def test_all_who_are_wanted_have_room(grid: Grid) -> None:
    for task in CATALOG.tasks:
        for goal in task.goals:
            there = [address for address in grid.places if goal.place in address]
            assert max(len(grid.standing(address)) for address in there) >= task.people
