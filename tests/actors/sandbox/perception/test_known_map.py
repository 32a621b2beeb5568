"""What somebody comes to know of a town's map is what they would have been told at first."""

from collections.abc import Iterator

from actors.sandbox.map.grid import grid_of
from actors.sandbox.map.layers import tiles_of
from actors.sandbox.map.town_map import Layer, TownMap
from actors.sandbox.perception.known_map import grounds, known_map
from tests.actors.sandbox.small_town import small_town


def tiles(runs: str) -> Iterator[int]:
    for run in runs.split():
        first, count = map(int, run.split(":"))
        yield from range(first, first + count)


def named(town: TownMap, layer: Layer, name: str) -> set[int]:
    found = tiles_of(layer, town.width, town.height).ravel()
    return set((found == layer.names.index(name) + 1).nonzero()[0].tolist())


def test_a_place_that_is_learned_is_where_a_map_has_it_that_knew_it_at_first() -> None:
    town = small_town()
    grid = grid_of(town)
    all_known = known_map(town, (1 << len(grid.places)) - 1)
    free = set((tiles_of(all_known.solid, town.width, town.height).ravel() == 0).nonzero()[0])
    arenas = [place for place in grid.places if place.count(":") == 2]
    found = grounds(town, [*arenas, "Small:nowhere"])
    assert [one.address for one in found] == arenas
    for one in found:
        inside = set(tiles(one.inside))
        assert inside == named(all_known, all_known.arenas, one.address.partition(":")[2])
        assert set(tiles(one.free)) == inside & free
    (sector,) = grounds(town, [arenas[0].rpartition(":")[0]])
    assert not any(set(tiles(sector.free)) & set(tiles(one.inside)) for one in found)
