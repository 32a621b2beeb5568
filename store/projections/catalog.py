"""Which catalogs there are."""

from collections.abc import Iterator

from events.base import Envelope, Event
from events.catalog import CatalogImported
from events.subjects import split_stream
from store.projections import tables
from store.projections.changes import Change
from store.projections.projection import Past, Projection


def changes(envelope: Envelope, event: Event, past: Past) -> Iterator[Change]:  # noqa: ARG001
    """What an event means for the list of catalogs."""
    if isinstance(event, CatalogImported):
        catalog = event.catalog
        yield Change(
            tables.catalogs,
            (split_stream(envelope.stream)[1],),
            {
                "digest": event.digest,
                "source": event.source,
                "characters": len(catalog.characters),
                "relationships": len(catalog.relationships),
                "scenarios": len(catalog.scenarios),
                "tasks": len(catalog.tasks),
                "imported_at": envelope.recorded_at,
            },
            {"imports": 1},
        )


CATALOG = Projection("catalog", (tables.catalogs,), (CatalogImported.__name__,), changes)
