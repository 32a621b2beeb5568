"""Reads the data files beside this module: the starter catalog, and what a new one begins with."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from actors.episodes.catalogs.reader import read_files
from actors.social.catalog_items import Catalog
from actors.toml_file import BadFile

HERE: Final = Path(__file__).parent
FILES: Final = (
    "catalog.toml",
    "characters.toml",
    "relationships.toml",
    "scenarios.toml",
    "tasks.toml",
)


@cache
def starter_catalog() -> Catalog:
    """The catalog that comes with Troupe. Raises ``BadFile`` where a data file is wrong."""
    return read_catalog({name: (HERE / name).read_text(encoding="utf-8") for name in FILES})


def read_catalog(texts: Mapping[str, str]) -> Catalog:
    """A catalog from the text of its files. Raises ``BadFile`` with the first thing wrong."""
    draft = read_files(texts)
    for wrong in draft.errors:
        raise BadFile(wrong.file, f"line {wrong.line}" if wrong.line else "", wrong.why)
    assert isinstance(draft.catalog, Catalog), "without an error it was read"
    return draft.catalog


@cache
def template() -> Mapping[str, str]:
    """The entries of a new catalog by the plural of their kind."""
    folder = HERE / "template"
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.toml")}
