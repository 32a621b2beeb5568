"""Published files in."""

from typing import Final

from actors.episodes.formats import CatalogFormat, Formats
from events.lazy_function import LazyFunction

SOCIAL_GAME: Final = "sotopia-game"
FORMATS: Final = Formats(
    episodes={},
    catalogs={
        SOCIAL_GAME: CatalogFormat(
            title="the configuration of one of SOTOPIA's social games",
            files=("config.json",),
            read=LazyFunction("actors.games.formats.social_game:read_catalog"),
        )
    },
)
"""Social games as SOTOPIA configures them: werewolves, spyfall, undercover."""
