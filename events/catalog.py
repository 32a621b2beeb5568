"""A catalog: what can be played in an environment. Stream ``catalog-<name>``."""

from typing import Any, Generic

from typing_extensions import TypeVar

from events.base import Event
from events.environments import Catalog

K = TypeVar("K", bound=Catalog, default=Any)


class CatalogImported(Event, Generic[K], frozen=True, kw_only=True):
    """A catalog came in, whole; the newest one of a name holds."""

    SCHEMA = 2

    environment: str
    """The environment that plays it."""
    catalog: K
    """The environment's own."""
    digest: str
    """Fingerprint of the content; importing the same content again appends nothing."""
    source: str = ""
    """Where it came from, in words."""
