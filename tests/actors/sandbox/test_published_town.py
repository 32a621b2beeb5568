"""STSS's published map, characters and tasks come in as they are, with what is odd about them."""

from collections import Counter
from functools import cache

from actors.sandbox.catalog.check import check
from actors.sandbox.catalog.town_file import town_of
from actors.sandbox.catalog.town_writer import town_text
from actors.sandbox.catalog_items import Catalog
from actors.sandbox.formats.csv_layers import FILES, layer_files, read_layers
from actors.sandbox.formats.stss import read_stss
from actors.sandbox.map.grid import grid_of
from actors.sandbox.map.paths import parts_of
from tests.properties.published import STSS, needs_stss

pytestmark = needs_stss


@cache
def published() -> tuple[Catalog, tuple[str, ...]]:
    catalog, notes = read_stss(STSS, "stss")
    assert isinstance(catalog, Catalog)
    return catalog, notes


def test_the_map_has_the_places_that_it_should() -> None:
    grid = grid_of(published()[0].towns[0])
    levels = Counter(map(grid.level, range(len(grid.places))))
    assert levels == {0: 1, 1: 19, 2: 63, 3: 222}
    assert int(grid.free.sum()) == 11_936
    parts, count = parts_of(grid.free)
    assert count == 17
    assert len(set(parts[grid.reached].tolist())) == 1


def test_the_part_of_4158_tiles_reaches_everything() -> None:
    catalog = published()[0]
    grid = grid_of(catalog.towns[0])
    assert int(grid.reached.sum()) == 4_158
    assert all(grid.standing(address) for address in grid.places)
    for who in catalog.inhabitants:
        start = grid.spawn(who.home)
        assert grid.address(start).startswith(who.home)
        assert grid.way(start, "the Ville:Hobbs Cafe:cafe", 0)


def test_people_who_share_a_home_have_a_mark_each() -> None:
    catalog = published()[0]
    grid = grid_of(catalog.towns[0])
    shared = Counter(who.home for who in catalog.inhabitants)
    for home, count in shared.items():
        assert len({grid.spawn(home, number) for number in range(count)}) == count


def test_twenty_five_characters_and_one_entry_that_is_none() -> None:
    catalog, notes = published()
    assert len(catalog.inhabitants) == 25
    assert sum("shared: is no character" in note for note in notes) == 1


def test_all_tasks_come_in_under_names_of_their_own() -> None:
    tasks = published()[0].tasks
    assert Counter(task.kind for task in tasks) == {
        "public": 10,
        "appointment": 5,
        "companions": 5,
        "online": 5,
        "help": 5,
    }
    assert sum(task.type == "Party" for task in tasks) == 2
    assert len({task.id for task in tasks}) == 30
    assert sum(task.id.startswith("dlc_") for task in tasks) == 10
    assert {len(task.goals) for task in tasks if task.kind == "help"} == {2}
    assert all(task.characters[0] == task.performer for task in tasks)
    assert {len(task.characters) - 1 for task in tasks} == {10, 11, 12}


def test_every_known_defect_is_told_and_none_is_mended() -> None:
    catalog = published()[0]
    told = {
        (catalog.tasks[int(remark.place[1])].id, str(remark.place[2])): remark.why
        for remark in check(catalog)
    }
    assert {remark.grade for remark in check(catalog)} == {"warning"}
    assert "'Hobbs Coffee' is part of no address" in told["find_partner_11", "goals"]
    assert "'Hobbs coffee' is part of no address" in told["ask_for_others_18", "goals"]
    assert "is 5, but an appointment" in told["personal_appointment_10", "people"]
    assert "says 8, but 7" in told["public_activity_7", "people"]
    assert "none of its texts speaks" in told["online_meeting_16", "goals"]
    assert "speaks of 'shop'" in told["find_partner_13", "description"]
    by_id = {task.id: task for task in catalog.tasks}
    assert by_id["find_partner_11"].goals[0].place == "Hobbs Coffee"
    assert by_id["personal_appointment_10"].people == 5


def test_what_is_found_beyond_them_is_told_too() -> None:
    catalog = published()[0]
    found = {catalog.tasks[int(remark.place[1])].id for remark in check(catalog)}
    assert found - {
        *("find_partner_11", "ask_for_others_18", "personal_appointment_10"),
        *("public_activity_7", "online_meeting_16", "find_partner_13"),
    } == {"party_1", "dlc_online_meeting_14", "dlc_online_meeting_15"}


def test_the_map_goes_out_as_it_came_in() -> None:
    town = published()[0].towns[0]
    files = layer_files(town)
    for name in (f"{layer}_maze.csv" for layer in FILES.values()):
        assert files[name] == (STSS / name).read_text()


def test_all_of_it_fits_into_one_file_of_ours() -> None:
    catalog = published()[0]
    read = town_of(town_text(catalog.towns[0], catalog.inhabitants, catalog.tasks))
    assert read.town == catalog.towns[0]
    assert (read.inhabitants, read.tasks) == (catalog.inhabitants, catalog.tasks)


def test_the_same_files_are_the_same_map() -> None:
    assert read_layers(STSS, "the_ville").town == published()[0].towns[0]
