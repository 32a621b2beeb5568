"""Reads the data files beside this module."""

from functools import cache
from pathlib import Path
from typing import Final

from actors.episodes.catalogs.reader import read_files
from actors.games.catalog_items import Catalog
from actors.toml_file import BadFile

HERE: Final = Path(__file__).parent


@cache
def starter_catalog() -> Catalog:
    """The catalog that comes with Troupe. Raises ``BadFile`` where a data file is wrong."""
    files = sorted(HERE.glob("*.toml"))
    draft = read_files({file.name: file.read_text(encoding="utf-8") for file in files})
    for wrong in draft.errors:
        raise BadFile(wrong.file, f"line {wrong.line}" if wrong.line else "", wrong.why)
    assert isinstance(draft.catalog, Catalog), "without an error it was read"
    return draft.catalog
