"""Catalogs in the store: saving, loading, and searching one."""

from typing import Literal

from events.catalog import Catalog, CatalogImported
from events.codec import encode, event_of
from events.ids import digest_of
from events.subjects import stream_name
from store.errors import Conflict
from store.log import NEW, EventStore
from store.lookup import find_id
from store.projections import tables
from store.projections.catalog import CATALOG
from store.projections.projector import catch_up

_KIND = "catalog"


def save_catalog(
    store: EventStore, catalog: Catalog, source: str = ""
) -> Literal["imported", "unchanged"]:
    """Make this the newest catalog of its name; nothing is stored when it is that already."""
    stream = stream_name(_KIND, catalog.name)
    imported = CatalogImported(catalog=catalog, digest=digest_of(encode(catalog)), source=source)
    while True:
        newest = _newest(store, catalog.name)
        if newest is not None and newest[1].digest == imported.digest:
            return "unchanged"
        try:
            store.append(stream, NEW if newest is None else newest[0], [imported])
        except Conflict:
            # Somebody else imported meanwhile: what they brought may be the same.
            continue
        return "imported"


def load_catalog(store: EventStore, name: str) -> Catalog:
    """The newest catalog of a name, or of the only name that begins so.

    Raises ``UnknownId``, ``AmbiguousId``.
    """
    newest = _newest(store, name)
    if newest is None:
        catch_up(store, CATALOG)
        newest = _newest(store, find_id(store.engine, _KIND, tables.catalogs.c.name, name))
        assert newest is not None
    return newest[1].catalog


def _newest(store: EventStore, name: str) -> tuple[int, CatalogImported] | None:
    stream = stream_name(_KIND, name)
    version = store.version(stream)
    if version == NEW:
        return None
    event = event_of(store.read(stream, version, version)[0])
    assert isinstance(event, CatalogImported)
    return version, event
