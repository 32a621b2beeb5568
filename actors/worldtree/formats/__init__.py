"""Published files of trees and samples in, published files out."""

from pathlib import Path
from typing import Final

from actors.episodes.formats import CatalogFormat, Formats, PublishedCatalog, WrittenCatalog
from events import environments

SOCIALEVAL: Final = "socialeval"
"""The format's name, and what an imported catalog is called where nothing else is said."""


def _recognizes(start: bytes) -> bool:
    from actors.worldtree.formats.files import recognizes

    return recognizes(start)


def _read(folder: Path, name: str) -> PublishedCatalog:
    from actors.worldtree.formats.catalogs import read_catalog

    return read_catalog(folder, name)


def _write(catalog: environments.Catalog, folder: Path) -> WrittenCatalog:
    from actors.worldtree.formats.catalogs import write_catalog

    return write_catalog(catalog, folder)


FORMATS: Final = Formats(
    episodes={},
    catalogs={
        SOCIALEVAL: CatalogFormat(
            title="SocialEval's published files",
            recognizes=_recognizes,
            read=_read,
            write=_write,
        )
    },
)
"""SocialEval's world trees and ability samples."""
