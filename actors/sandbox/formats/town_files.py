"""A catalog of one town as a folder with a ``town.toml``, in and out."""

from pathlib import Path

from actors.episodes.formats import PublishedCatalog, WrittenCatalog
from actors.sandbox.catalog.check import check
from actors.sandbox.catalog.town_file import FILE, read_town
from actors.sandbox.catalog.town_writer import town_text
from actors.sandbox.catalog_items import Catalog
from events import environments
from store.files.atomic_files import atomic_write_text


def read_town_folder(folder: Path, name: str) -> PublishedCatalog:
    """The town in a folder, as a catalog that is called like it where no name is given. What is
    odd about it, ``check`` says. Raises ``BadTown``."""
    read = read_town(folder / FILE)
    return PublishedCatalog(read.catalog(name or read.town.id), ())


def write_town_folder(catalog: environments.Catalog, folder: Path) -> WrittenCatalog:
    """Write the only town of a catalog. Raises ``ValueError``, ``OSError``."""
    if not isinstance(catalog, Catalog):
        raise ValueError(f"catalog {catalog.name!r} is of another environment")  # noqa: TRY004
    if len(catalog.towns) != 1:
        raise ValueError(f"holds {len(catalog.towns)} towns; a {FILE} holds one")
    text = town_text(catalog.towns[0], catalog.inhabitants, catalog.tasks)
    atomic_write_text(folder / FILE, text)
    notes = [remark.why for remark in check(catalog) if remark.grade == "error"]
    return WrittenCatalog((FILE,), tuple(f"{FILE} will be refused: {why}" for why in notes))
