"""Published files in."""

from typing import Final

from actors.episodes.formats import CatalogFormat, Formats
from events.lazy_function import LazyFunction

SRD: Final = "srd"
FILES: Final = (
    "5e-SRD-Ability-Scores.json",
    "5e-SRD-Alignments.json",
    "5e-SRD-Classes.json",
    "5e-SRD-Languages.json",
    "5e-SRD-Races.json",
    "5e-SRD-Subraces.json",
)
FORMATS: Final = Formats(
    episodes={},
    catalogs={
        SRD: CatalogFormat(
            title="the fifth-edition SRD's lists",
            files=FILES,
            read=LazyFunction("actors.tabletop.formats.srd:read_catalog"),
        )
    },
)
"""Character lists of the fifth-edition System Reference Document, as 5e-database has them."""
