"""Reads the data files beside this module: scenes, knowledge, wants and tables; draws characters
from the lists."""

from functools import cache
from pathlib import Path
from typing import Final

from actors.episodes.catalogs.reader import read_files
from actors.tabletop.catalog_items import Catalog
from actors.tabletop.characters import Lists, draw_character, own_lists
from actors.toml_file import BadFile
from events.base import replace

HERE: Final = Path(__file__).parent
FILES: Final = ("catalog.toml", "scenes.toml", "sheets.toml", "wants.toml", "tables.toml")
CHARACTERS: Final = 300
"""Five for each of 60 sessions."""


@cache
def starter_catalog() -> Catalog:
    """The catalog that comes with Troupe. Raises ``BadFile`` where a data file is wrong."""
    return catalog_of(own_lists())


def catalog_of(lists: Lists, *, name: str = "", seed: int = 0) -> Catalog:
    """Our scenes, knowledge and tables, with characters that are drawn from some lists. ``name``:
    the catalog's; empty: that of the starter."""
    draft = read_files({file: (HERE / file).read_text(encoding="utf-8") for file in FILES})
    for wrong in draft.errors:
        raise BadFile(wrong.file, f"line {wrong.line}" if wrong.line else "", wrong.why)
    catalog = draft.catalog
    assert isinstance(catalog, Catalog), "without an error it was read"
    characters = tuple([draw_character(lists, one, seed) for one in range(1, CHARACTERS + 1)])
    return replace(catalog, name=name or catalog.name, characters=characters)
