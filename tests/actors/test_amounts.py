"""How many there are of something reads as people say it."""

import pytest

from actors.text.amounts import many, sizes


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"towns": 1, "drafts": 0, "trees": 2}, "1 town, 2 trees"),
        ({"town_maps": 1_500, "towns": 1}, "1,500 town maps, 1 town"),
        ({"towns": 0, "drafts": 0}, "0 towns, 0 drafts"),
        ({}, ""),
    ],
)
def test_one_is_singular_and_what_there_is_nothing_of_is_left_out(
    counts: dict[str, int], words: str
) -> None:
    assert sizes(counts) == words


def test_one_thing_is_one_thing() -> None:
    assert [many(count, "town") for count in (0, 1, 2)] == ["0 towns", "1 town", "2 towns"]
