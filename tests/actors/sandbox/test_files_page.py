"""What docs/reference/town-files.md shows is so."""

import re
from pathlib import Path

import pytest

from actors.sandbox.catalog.generator import MOST_PEOPLE
from actors.sandbox.catalog.town_file import BadTown, town_of
from actors.sandbox.map.grid import grid_of

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "town-files.md").read_text()


def example() -> str:
    found = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


def test_the_town_on_the_page_can_be_lived_in() -> None:
    read = town_of(example())
    assert read.odd == ()
    grid = grid_of(read.town)
    ada, cosmo = read.inhabitants
    assert grid.address(grid.spawn(cosmo.home)) == cosmo.home
    way = grid.way(grid.spawn(ada.home), "Nook:the Cup:tea room:tea counter", 0)
    assert way
    assert 5 < len(way) < 15


def test_the_errors_on_the_page_are_those_that_are_told() -> None:
    told = re.findall(r"^  (town\.toml, line .*)$", PAGE, re.MULTILINE)
    assert len(told) == 3
    drawn = example().replace("#...#.....#\n##.####", "#...#....#\n##.####")
    drawn = drawn.replace("lllllllllll", "lllxlllllll")
    named = example().replace('place = "the Cup"', 'place = "the cup"')
    for text, rows in ((drawn, told[:2]), (named, told[2:])):
        with pytest.raises(BadTown) as error:
            town_of(text)
        assert list(map(str, error.value.rows)) == rows


def test_figures_on_the_page_hold() -> None:
    assert f"2 to {MOST_PEOPLE:,} people" in PAGE
