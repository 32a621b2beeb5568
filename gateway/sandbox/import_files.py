"""STSS's published files brought in."""

from collections import Counter
from pathlib import Path

from actors.sandbox.catalog_items import Catalog
from actors.sandbox.formats import STSS
from actors.sandbox.map.grid import grid_of
from actors.sandbox.map.paths import parts_of
from events.base import Value
from gateway.errors import BadArgument
from gateway.services.catalogs.catalog_folders import CatalogBrought, check_folder, keep
from store.log.event_store import EventStore


class StssBrought(Value, frozen=True, kw_only=True):
    catalog: CatalogBrought
    width: int
    """Tiles."""
    height: int
    """Tiles."""
    sectors: int
    arenas: int
    objects: int
    free: int
    """Tiles that are not solid."""
    parts: int
    """How many there are, from none of which a way leads to another."""
    reached: int
    """Tiles of the part in which people live."""


def bring(store: EventStore, folder: Path, name: str) -> StssBrought:
    """Take in the catalog of a folder: all of it, or nothing.

    Raises ``BadArgument``, ``CatalogRefused``, ``UnreadableFolder``, ``OSError``.
    """
    checked = check_folder(folder, name)
    if checked.form != STSS:
        why = "does not hold STSS's published files; `troupe catalog import` takes others"
        raise BadArgument("DIR", str(folder), why)
    kept = keep(store, checked)
    assert isinstance(checked.catalog, Catalog)
    grid = grid_of(checked.catalog.towns[0])
    levels = Counter(map(grid.level, range(len(grid.places))))
    return StssBrought(
        catalog=kept,
        width=grid.width,
        height=grid.height,
        sectors=levels[1],
        arenas=levels[2],
        objects=levels[3],
        free=int(grid.free.sum()),
        parts=parts_of(grid.free)[1],
        reached=int(grid.reached.sum()),
    )
