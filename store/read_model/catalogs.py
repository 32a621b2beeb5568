"""Catalogs in the store: saving and loading one."""

from functools import cache
from typing import Any, Literal

import msgspec
from typing_extensions import TypeVar

from events.base import Value
from events.catalog import CatalogImported
from events.environments import Catalog, environment_of_value, installed
from events.ids import digest_of
from events.serialization.codec import encode, event_of
from events.serialization.identity_key import cached_by_identity
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened
from events.wire.subjects import stream_name
from store.errors import Conflict
from store.id_lookup import find_id
from store.log.event_store import NEW, EventStore
from store.projections import tables
from store.projections.catalog import CATALOG
from store.projections.maintenance.projector import catch_up

_KIND = "catalog"

K = TypeVar("K", bound=Catalog, default=Catalog)


class WrongCatalog(LookupError):
    """A catalog that something else plays than what was asked for."""

    def __init__(self, name: str, environment: str) -> None:
        gone = "" if environment in installed() else ", which is not installed"
        super().__init__(
            f"catalog {shortened(name)!r} is of the environment {shortened(environment)!r}{gone}"
        )
        self.name, self.environment = name, environment


def save_catalog(
    store: EventStore, catalog: Catalog, source: str = ""
) -> Literal["imported", "unchanged"]:
    """Make this the newest catalog of its name; nothing is stored when it is that already."""
    stream = stream_name(_KIND, catalog.name)
    imported = CatalogImported(
        environment=environment_of_value(catalog),
        catalog=catalog,
        digest=_digest(catalog),
        source=source,
    )
    head = _Head(environment=imported.environment, digest=imported.digest)
    while True:
        newest = store.version(stream)
        if newest != NEW and _head(store, stream, newest) == head:
            return "unchanged"
        try:
            store.append(stream, newest, [imported])
        except Conflict:
            # Somebody else imported meanwhile: what they brought may be the same.
            continue
        return "imported"


def edition_at(store: EventStore, name: str, position: int) -> int:
    """Which catalog of a name held at a position of the store, as its place among all of that name;
    where all came in later, the newest; ``NEW`` where there is none."""
    stream = stream_name(_KIND, name)
    newest = store.version(stream)
    for version in range(newest, NEW, -1):
        if store.read(stream, version, version)[0].position <= position:
            return version
    return newest


def load_catalog(
    store: EventStore,
    name: str,
    kind: type[K] = Catalog,  # type: ignore[assignment]
    edition: int = NEW,
) -> K:
    """The newest catalog of a name, or of the only name that begins so. ``edition``: that one of
    the name instead (``edition_at``).

    Raises ``UnknownId``, ``AmbiguousId``; ``WrongCatalog`` where it is of another kind, or of an
    environment that is not installed.
    """
    found = _newest(store, name) if edition == NEW else (edition, _edition(store, name, edition))
    if found is None:
        catch_up(store, CATALOG)
        found = _newest(store, find_id(store.engine, _KIND, tables.catalogs.c.name, name))
        assert found is not None
    imported = found[1]
    if not isinstance(imported.catalog, kind):
        raise WrongCatalog(name, imported.environment)
    return imported.catalog


class _Head(Value, frozen=True):
    """What tells one catalog of a name from another."""

    environment: str
    digest: str


def _head(store: EventStore, stream: str, version: int) -> _Head:
    """That of an edition. Of today's shape no more is read: what comes with the environments is
    compared whenever a command asks for a catalog."""
    (envelope,) = store.read(stream, version, version)
    if envelope.schema == CatalogImported.SCHEMA:
        return _heads.decode(envelope.payload)
    imported = event_of(envelope)
    assert isinstance(imported, CatalogImported)
    return _Head(environment=imported.environment, digest=imported.digest)


_heads = msgspec.msgpack.Decoder(decodable(_Head))


@cached_by_identity(16)
def _digest(catalog: Catalog) -> str:
    """The tag is no part of it: there was a time before tags, whose digests still stand."""
    return digest_of(encode(_untagged(type(catalog))(**msgspec.structs.asdict(catalog))))


@cache
def _untagged(kind: type[Catalog]) -> Any:
    fields = [
        (field.name, field.type) if field.required else (field.name, field.type, field.default)
        for field in msgspec.structs.fields(kind)
    ]
    return msgspec.defstruct(kind.__name__, fields, bases=(Value,), frozen=True, kw_only=True)


def _newest(store: EventStore, name: str) -> tuple[int, CatalogImported] | None:
    version = store.version(stream_name(_KIND, name))
    return None if version == NEW else (version, _edition(store, name, version))


def _edition(store: EventStore, name: str, version: int) -> CatalogImported:
    event = event_of(store.read(stream_name(_KIND, name), version, version)[0])
    assert isinstance(event, CatalogImported)
    return event
