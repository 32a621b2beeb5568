"""Places as models write them."""

import pytest

from actors.models.errors import Unreadable
from actors.sandbox.placement.known_places import MOST_LISTED, KnownPlaces

KNOWN = (
    "Ternby:Inn:kitchen:stove",
    "Ternby:Inn:taproom",
    "Ternby:School:kitchen:sink",
    "Ternby:Rose Cottage:Rose Cottage:bed",
)


def test_an_address_is_taken_as_it_is_and_all_around_it_is_known_too():
    places = KnownPlaces(KNOWN)
    for address in (*KNOWN, "Ternby:Inn:kitchen", "Ternby:School"):
        assert places.match(f" {address} ") == address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("taproom", "Ternby:Inn:taproom"),
        ("inn: Kitchen", "Ternby:Inn:kitchen"),
        ("School:kitchen:sink", "Ternby:School:kitchen:sink"),
        ("Stove", "Ternby:Inn:kitchen:stove"),
    ],
)
def test_a_name_that_one_place_alone_has_is_taken_for_it(text: str, address: str):
    assert KnownPlaces(KNOWN).match(text) == address


@pytest.mark.parametrize("text", ["kitchen", "Rose Cottage"])
def test_a_name_of_several_places_is_asked_for_again_with_all_of_them(text: str):
    with pytest.raises(Unreadable, match="several places"):
        KnownPlaces(KNOWN).match(text)


@pytest.mark.parametrize("text", ["Inn:taproo", "the taproom", "Ternby:Inn:cellar", "Ternby", ""])
def test_nothing_is_guessed(text: str):
    with pytest.raises(Unreadable, match="no place you know"):
        KnownPlaces(KNOWN).match(text)


def test_places_that_one_comes_to_know_are_known_from_then_on():
    places = KnownPlaces(KNOWN[:1])
    with pytest.raises(Unreadable):
        places.match("taproom")
    places.learn(KNOWN)
    assert places.match("taproom") == KNOWN[1]


def test_of_many_rooms_a_prompt_lists_those_near_and_those_that_are_named():
    places = KnownPlaces([f"Town:House {n}:room {n}:bed" for n in range(200)])
    rooms = places.rooms(["Town:House 150:room 150"], "visiting House 199 today")
    listed = [room for room, _ in rooms]
    assert len(rooms) == MOST_LISTED
    assert {"Town:House 150:room 150", "Town:House 199:room 199"} <= set(listed)
    assert dict(rooms)["Town:House 150:room 150"] == ["bed"]
