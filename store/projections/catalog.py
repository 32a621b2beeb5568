"""Which catalogs there are."""

from collections.abc import Iterator
from typing import Any

import msgspec

from events.base import Envelope, Event
from events.catalog import CatalogImported
from events.wire.subjects import split_stream
from store.projections import tables
from store.projections.changes import Change
from store.projections.projection import Past, Projection


def changes(envelope: Envelope, event: Event, past: Past) -> Iterator[Change]:  # noqa: ARG001
    """What an event means for the list of catalogs."""
    if isinstance(event, CatalogImported):
        yield Change(
            tables.catalogs,
            (split_stream(envelope.stream)[1],),
            {
                "environment": event.environment,
                "digest": event.digest,
                "source": event.source,
                "counts": counts_of(event.catalog),
                "imported_at": envelope.recorded_at,
            },
            {"imports": 1},
        )


def counts_of(catalog: Any) -> dict[str, int]:
    """How many a catalog holds of each kind. That of an environment which is not installed is
    plain data."""
    fields = catalog if isinstance(catalog, dict) else msgspec.structs.asdict(catalog)
    return {kind: len(items) for kind, items in fields.items() if isinstance(items, list | tuple)}


CATALOG = Projection("catalog", (tables.catalogs,), (CatalogImported.__name__,), changes)
