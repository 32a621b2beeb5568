"""Ternby, the town that comes with Troupe."""

from functools import cache
from pathlib import Path
from typing import Final

from actors.sandbox.catalog.town_file import read_town
from actors.sandbox.catalog_items import Catalog

NAME: Final = "ternby"
FILE: Final = Path(__file__).parent / "ternby.toml"


@cache
def town_catalog() -> Catalog:
    """Its map, the twelve who live there, and ten tasks, two of each kind."""
    return read_town(FILE).catalog(NAME)
