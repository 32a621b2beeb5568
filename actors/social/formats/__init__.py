"""Published files in, published files out."""

from typing import Final

from actors.episodes.formats import CatalogFormat, EpisodeFormat, Formats
from actors.social.formats.file_names import FILES
from events.lazy_function import LazyFunction

FORMATS: Final = Formats(
    episodes={
        "sotopia": EpisodeFormat(
            title="EpisodeLog",
            plural="episode logs",
            suffix="-episodelog.jsonl",
            recognizes=LazyFunction("actors.social.formats.episode_log_reader:is_log"),
            read=LazyFunction("actors.social.formats.published_files:read_logs"),
            catalog="sotopia",
            write=LazyFunction("actors.social.formats.published_files:write_log"),
        )
    },
    catalogs={
        "sotopia": CatalogFormat(
            title="SOTOPIA's published files",
            files=FILES,
            folders=("AgentProfile", "EnvironmentProfile"),
            write=LazyFunction("actors.social.formats.published_files:write_catalog"),
            read=LazyFunction("actors.social.formats.published_files:read_catalog"),
        )
    },
)
"""SOTOPIA's: its logs of episodes, and its published catalog."""
