"""Published files in, published files out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from actors.episodes.formats import (
    CatalogFormat,
    EpisodeFormat,
    Formats,
    ImportedEpisode,
    Judged,
    LogName,
    PublishedCatalog,
    WrittenCatalog,
)
from actors.social.catalog_items import Catalog
from events import environments
from events.base import Event

CHARACTERS: Final = "agent_profiles.jsonl"
SCENARIOS: Final = "environment_profiles.jsonl"
RELATIONSHIPS: Final = "relationship_profiles.jsonl"
TASKS: Final = "env_agent_combo_storages.jsonl"
_FILES: Final = (CHARACTERS, SCENARIOS, RELATIONSHIPS, TASKS)


def _read_logs(path: Path, catalog: environments.Catalog) -> Sequence[ImportedEpisode]:
    from actors.social.catalog.cast_task import CatalogIndex
    from actors.social.formats.episode_log_reader import read_episode_logs

    return read_episode_logs(path, CatalogIndex(_own(catalog)))


def _is_log(start: bytes) -> bool:
    from actors.social.formats.episode_log_reader import is_log

    return is_log(start)


def _write_log(history: Sequence[Event], judged: Judged | None, name: LogName) -> str:
    from actors.social.formats.episode_log_writer import episode_log, to_line

    return to_line(episode_log(history, judged, name))


def _read_catalog(folder: Path, name: str) -> PublishedCatalog:
    from actors.social.formats.catalog_reader import read_with_notes

    return PublishedCatalog(*read_with_notes(folder, name))


def _write_catalog(catalog: environments.Catalog, folder: Path) -> WrittenCatalog:
    from actors.social.formats.catalog_writer import write_published

    return WrittenCatalog(_FILES, tuple(write_published(_own(catalog), folder)))


def _own(catalog: environments.Catalog) -> Catalog:
    if not isinstance(catalog, Catalog):
        raise ValueError(f"catalog {catalog.name!r} is of another environment")  # noqa: TRY004
    return catalog


FORMATS: Final = Formats(
    episodes={
        "sotopia": EpisodeFormat(
            title="EpisodeLog",
            plural="episode logs",
            suffix="-episodelog.jsonl",
            recognizes=_is_log,
            read=_read_logs,
            catalog="sotopia",
            write=_write_log,
        )
    },
    catalogs={
        "sotopia": CatalogFormat(
            title="SOTOPIA's published files",
            files=_FILES,
            folders=("AgentProfile", "EnvironmentProfile"),
            write=_write_catalog,
            read=_read_catalog,
        )
    },
)
"""SOTOPIA's: its logs of episodes, and its published catalog."""
