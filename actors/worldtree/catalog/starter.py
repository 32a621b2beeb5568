"""The starter catalog ``crossroads``: seven trees of Troupe's own, one for each orientation, each
in Chinese and in English, in the published format."""

from functools import cache
from pathlib import Path
from typing import Final

from actors.worldtree.catalog_items import Catalog
from actors.worldtree.formats.files import read_path

NAME: Final = "crossroads"
FOLDER: Final = Path(__file__).parent


@cache
def starter_catalog() -> Catalog:
    """The catalog that comes with Troupe."""
    return Catalog(name=NAME, trees=tuple(read_path(FOLDER).trees))
