"""Published files of towns in; ``town.toml`` in and out."""

from typing import Final

from actors.episodes.formats import CatalogFormat, Formats
from events.lazy_function import LazyFunction

STSS: Final = "stss"
"""The format's name, and what an imported catalog is called where nothing else is said."""
TOWN: Final = "town"


FORMATS: Final = Formats(
    episodes={},
    catalogs={
        STSS: CatalogFormat(
            title="STSS's published files",
            files=("characteristics.json", "tasks.json", "maze_meta_info.json", "arena_maze.csv"),
            read=LazyFunction("actors.sandbox.formats.stss:read_stss"),
        ),
        TOWN: CatalogFormat(
            title="a town's file",
            files=("town.toml",),
            names_itself=True,
            read=LazyFunction("actors.sandbox.formats.town_files:read_town_folder"),
            write=LazyFunction("actors.sandbox.formats.town_files:write_town_folder"),
        ),
    },
)
"""STSS's map, characters and tasks; a town in one file."""
