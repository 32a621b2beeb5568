"""A town in one file: it goes out and comes back; what is wrong is said, with its place."""

from collections.abc import Callable

import pytest

from actors.sandbox.catalog.town_file import BadTown, TownRead, town_of
from actors.sandbox.catalog.town_writer import town_text
from actors.sandbox.catalog_items import Goal, Inhabitant, Task
from actors.sandbox.map.faults import map_faults
from actors.sandbox.map.layers import layer_of
from actors.sandbox.map.town_map import Layer, TownMap
from events.base import replace
from tests.actors.sandbox.small_town import small_town

ANN = Inhabitant(id="Ann", home="Small:Ann's house:room", workplace="Small:inn:kitchen")
BO = Inhabitant(id="Bo", home="Small:Bo's house:room")
CARDS = Task(
    id="cards",
    kind="companions",
    town="small",
    goal="Find somebody to play cards with at the inn",
    brief="Ann wants to play cards at the inn",
    description="It is reached when somebody plays cards with her at the inn.",
    goals=(Goal(keyword="cards", place="inn"),),
    people=2,
    performer="Ann",
    characters=("Ann", "Bo"),
)


def text(town: TownMap | None = None, tasks: tuple[Task, ...] = (CARDS,)) -> str:
    return town_text(town or small_town(), (ANN, BO), tasks)


def refused(given: str) -> str:
    """All that is wrong with a text."""
    with pytest.raises(BadTown) as error:
        town_of(given)
    return "\n".join(map(str, error.value.rows))


def edited(old: str, new: str) -> str:
    whole = text()
    assert old in whole
    return whole.replace(old, new, 1)


def test_a_town_comes_back_as_it_was() -> None:
    read = town_of(text())
    assert read == TownRead(small_town(), (ANN, BO), (CARDS,))


def test_codes_and_sectors_outside_of_arenas_come_back_too() -> None:
    plain = small_town()
    yard = [["yard" if (x, y) == (9, 0) else "" for x in range(20)] for y in range(10)]
    town = replace(
        plain,
        sectors=layer_of(
            [
                [a or b for a, b in zip(*rows, strict=True)]
                for rows in zip(_named(plain.sectors), yard, strict=True)
            ]
        ),
        arenas=replace(plain.arenas, codes=(5, 6, 7, 8, 9)),
        digest="",
    )
    read = town_of(town_text(town)).town
    assert replace(read, digest="") == town


def _named(layer: Layer) -> list[list[str]]:
    from actors.sandbox.map.layers import tiles_of

    names = ["", *layer.names]
    return [[names[place] for place in row] for row in tiles_of(layer, 20, 10).tolist()]


def test_a_tile_takes_more_characters_where_names_are_many() -> None:
    names = [f"house {number}:room" for number in range(120)]
    rows = [[""] * 120, names]
    town = TownMap(
        id="long",
        world="Long",
        width=120,
        height=2,
        solid=Layer(),
        sectors=layer_of([[name.partition(":")[0] for name in row] for row in rows]),
        arenas=layer_of(rows),
        objects=Layer(),
    )
    written = town_text(town)
    assert "cell = 2" in written
    assert replace(town_of(written).town, digest="") == town


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("##.##.##...#", "##.##.##..#", "layer solid, row 5: has 19 tiles, but the first row"),
        (".rrr.RRR....hhh", ".rrr.RRR....hh", "layer arenas, row 2: has 19 tiles, but the first"),
        (".rrr.RRR....hhh", ".rrr.RzR....hhh", "layer arenas, row 2, column 7: 'z' is not in"),
        (".rrr.RRR....hhh", ".rrr.R R....hhh", "layer arenas, row 2, column 7: ' ' (a blank)"),
        ('S = "stage"\n', 'S = "stage"\nq = "well"\n', "'q' (well) is drawn nowhere"),
        ('S = "stage"\n', 'SS = "stage"\n', "'SS' is no sign: it must be one character"),
        ('"Small:Bo\'s house:room"', '""', "'Bo', home: has no home"),
        ('"Small:Bo\'s house:room"', '"Small:Bo"', "no place 'Small:Bo' in small; did you mean"),
        ('"Small:Bo\'s house:room"', '"Bo\'s house:room"', 'write "Small:Bo\'s house:room"'),
        ('"Small:Bo\'s house:room"', '"Small:inn"', "'Small:inn' is no arena"),
        ('place = "inn"', 'place = "Inn"', "goals, no. 1, place: 'Inn' is part of no address"),
        ('performer = "Ann"', 'performer = "Bo"', "'Bo' performs it and must be the first"),
        ('"Ann", "Bo"]', '"Ann", "Bob"]', "there is no inhabitant 'Bob'"),
        ('keyword = "cards"', 'keyword = ""', "goals, no. 1, keyword: is empty"),
        ("people = 2", "people = 3", "3 are to take part, but there are 2 characters"),
        ('kind = "companions"', 'kind = "public"', "start: what is done together in a task"),
        ('kind = "companions"', 'kind = "companion"', "did you mean 'companions'?"),
        ('world = "Small"', 'world = "Sm:all"', "the world 'Sm:all' holds a colon"),
        ('id = "small"\n', "", "the field 'id' is missing"),
        ("[layers]", "[layer]", "there is no field 'layer' here"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(old: str, new: str, said: str) -> None:
    told = refused(edited(old, new))
    assert said in told
    assert told.startswith("town.toml")


def test_a_cell_is_found_by_its_line() -> None:
    given = edited(".rrr.RRR....hhh", ".rrr.RzR....hhh")
    [row] = refused(given).splitlines()
    line = given.splitlines()[int(row.split("line ")[1].split(",")[0]) - 1]
    assert line[6] == "z"


def sealed(town: TownMap) -> TownMap:
    """Ann's door is walled up."""
    rows = _named(town.solid)
    rows[4][2] = "solid"
    return replace(town, solid=layer_of(rows), digest="")


def drowned(town: TownMap) -> TownMap:
    return replace(town, solid=layer_of([["solid"] * 20] * 10), digest="")


def adrift(town: TownMap) -> TownMap:
    rows = _named(town.objects)
    rows[0][9] = "buoy"
    return replace(town, objects=layer_of(rows), digest="")


def misplaced(town: TownMap) -> TownMap:
    rows = _named(town.spawns)
    rows[2][13] = "Ann's house:room:c"
    return replace(town, spawns=layer_of(rows), digest="")


def torn(town: TownMap) -> TownMap:
    rows = _named(town.sectors)
    rows[2][2] = "inn"
    return replace(town, sectors=layer_of(rows), digest="")


def crowded(town: TownMap) -> TownMap:
    side = range(180)
    return replace(
        town,
        width=180,
        height=180,
        solid=layer_of([[""] * 180] * 180),
        sectors=layer_of([["inn"] * 180] * 180),
        arenas=layer_of([["inn:hall"] * 180] * 180),
        objects=layer_of([[f"chair {x} {y}" for x in side] for y in side]),
        spawns=layer_of([[""] * 180] * 180),
        digest="",
    )


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (crowded, "has 32,403 places; at most 32,000 can be told apart"),
        (sealed, 'layer sectors, row 2, column 2: nobody can get to "Small:Ann\'s house"'),
        (drowned, "layer solid: all tiles are solid"),
        (adrift, "layer objects, row 1, column 10: 'buoy' stands in no arena"),
        (misplaced, 'layer spawns, row 3, column 14: "Ann\'s house:room:c" is not in'),
        (torn, "layer arenas, row 3, column 3: the tile is of sector 'inn'"),
        (lambda town: replace(town, world="Else"), "the map's digest is not its own"),
        (lambda town: replace(town, width=21, digest=""), "layer solid: the runs of a layer hold"),
        (lambda town: replace(town, width=0, digest=""), "has 0 x 10 tiles"),
    ],
)
def test_a_map_in_which_nobody_could_live_is_refused(
    broken: Callable[[TownMap], TownMap], said: str
) -> None:
    assert said in "\n".join(map(str, map_faults(broken(small_town()))))


def test_a_sealed_room_is_told_once_and_at_its_tile() -> None:
    told = refused(text(sealed(small_town())))
    assert "layer sectors, row 2, column 2: nobody can get to" in told
    assert "room:bed" not in told
    line = text(sealed(small_town())).splitlines()[int(told.split("line ")[1].split(",")[0]) - 1]
    assert line == ".rrr.RRR....hhhhhhh."


def test_a_good_map_has_no_fault() -> None:
    assert not list(map_faults(small_town()))


@pytest.mark.parametrize("given", ["", "id = 1", "[layers", "\x00", "id = 'a'\n" * 2])
def test_what_is_no_town_at_all_is_refused(given: str) -> None:
    assert refused(given)
