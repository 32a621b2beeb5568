"""Published files of trees and samples in, published files out."""

from typing import Final

from actors.episodes.formats import CatalogFormat, Formats
from events.lazy_function import LazyFunction

SOCIALEVAL: Final = "socialeval"
"""The format's name, and what an imported catalog is called where nothing else is said."""


FORMATS: Final = Formats(
    episodes={},
    catalogs={
        SOCIALEVAL: CatalogFormat(
            title="SocialEval's published files",
            recognizes=LazyFunction("actors.worldtree.formats.files:recognizes"),
            read=LazyFunction("actors.worldtree.formats.catalogs:read_catalog"),
            write=LazyFunction("actors.worldtree.formats.catalogs:write_catalog"),
        )
    },
)
"""SocialEval's world trees and ability samples."""
