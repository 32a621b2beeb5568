"""The port's functions over the readers and writers of published files."""

from collections.abc import Sequence
from pathlib import Path

from actors.episodes.formats import (
    ImportedEpisode,
    Judged,
    LogName,
    PublishedCatalog,
    WrittenCatalog,
)
from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog_items import Catalog
from actors.social.formats.catalog_reader import read_with_notes
from actors.social.formats.catalog_writer import write_published
from actors.social.formats.episode_log_reader import read_episode_logs
from actors.social.formats.episode_log_writer import episode_log, to_line
from actors.social.formats.file_names import FILES
from events import environments
from events.base import Event


def read_logs(path: Path, catalog: environments.Catalog) -> Sequence[ImportedEpisode]:
    """Episodes as logs have them, of tasks of a catalog."""
    return read_episode_logs(path, CatalogIndex(_own(catalog)))


def write_log(history: Sequence[Event], judged: Judged | None, name: LogName) -> str:
    """A line of a file of logs."""
    return to_line(episode_log(history, judged, name))


def read_catalog(folder: Path, name: str) -> PublishedCatalog:
    """The catalog of a folder, with what is to be said of it."""
    return PublishedCatalog(*read_with_notes(folder, name))


def write_catalog(catalog: environments.Catalog, folder: Path) -> WrittenCatalog:
    """All files of a catalog."""
    return WrittenCatalog(FILES, tuple(write_published(_own(catalog), folder)))


def _own(catalog: environments.Catalog) -> Catalog:
    if not isinstance(catalog, Catalog):
        raise ValueError(f"catalog {catalog.name!r} is of another environment")  # noqa: TRY004
    return catalog
