"""Published files of towns in; ``town.toml`` in and out."""

from pathlib import Path
from typing import Final

from actors.episodes.formats import CatalogFormat, Formats, PublishedCatalog, WrittenCatalog
from events import environments

STSS: Final = "stss"
"""The format's name, and what an imported catalog is called where nothing else is said."""
TOWN: Final = "town"


def _read_stss(folder: Path, name: str) -> PublishedCatalog:
    from actors.sandbox.formats.stss import read_stss

    return read_stss(folder, name)


def _read_town(folder: Path, name: str) -> PublishedCatalog:
    from actors.sandbox.formats.town_files import read_town_folder

    return read_town_folder(folder, name)


def _write_town(catalog: environments.Catalog, folder: Path) -> WrittenCatalog:
    from actors.sandbox.formats.town_files import write_town_folder

    return write_town_folder(catalog, folder)


FORMATS: Final = Formats(
    episodes={},
    catalogs={
        STSS: CatalogFormat(
            title="STSS's published files",
            files=("characteristics.json", "tasks.json", "maze_meta_info.json", "arena_maze.csv"),
            read=_read_stss,
        ),
        TOWN: CatalogFormat(
            title="a town's file",
            files=("town.toml",),
            names_itself=True,
            read=_read_town,
            write=_write_town,
        ),
    },
)
"""STSS's map, characters and tasks; a town in one file."""
