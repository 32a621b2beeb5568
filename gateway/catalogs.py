"""Catalogs as the command line and plans need them."""

import re
from typing import NamedTuple

import msgspec

from actors.social.catalog import starter_catalog
from actors.social.sampling import Shortfall, sample_tasks
from events.catalog import Catalog
from gateway.errors import BadArgument
from store import queries
from store.catalogs import save_catalog
from store.log import EventStore
from store.lookup import UnknownId
from store.searching import Found, Item, ItemKind, find_item, search

STARTER = "starter"
SAMPLED_FROM = "sampled from "
"""How the source of a sampled catalog begins."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Placed(NamedTuple):
    """A thing and the catalog it is in."""

    catalog: Catalog
    kind: ItemKind
    item: Item


class Sampled(NamedTuple):
    """What sampling made."""

    catalog: Catalog
    shortfalls: tuple[Shortfall, ...]
    outcome: str
    """``imported`` or ``unchanged``."""


def ensure_starter(store: EventStore) -> None:
    """Troupe's own catalog is always there: it comes in at first use, and again when it grew."""
    save_catalog(store, starter_catalog(), "Troupe's starter catalog")


def load(store: EventStore, name: str) -> Catalog:
    """A catalog by name. Raises ``UnknownId``."""
    ensure_starter(store)
    return queries.load_catalog(store, name)


def check_name(option: str, name: str) -> None:
    """Refuse what cannot be the name of a catalog of one's own. Raises ``BadArgument``."""
    if name == STARTER:
        raise BadArgument(option, name, "is Troupe's own catalog; choose another name")
    if not _NAME.fullmatch(name):
        why = "a name is 1 to 64 letters, digits, '-' and '_', for plans to use"
        raise BadArgument(option, name, why)


def several(store: EventStore, name: str | None) -> list[Catalog]:
    """The catalog of a name, or all of them. Raises ``UnknownId``."""
    if name is not None:
        return [load(store, name)]
    ensure_starter(store)
    return [queries.load_catalog(store, row.name) for row in queries.catalogs(store)]


def find(store: EventStore, id_: str, name: str | None) -> Placed:
    """A thing by its id, in one catalog or in whichever has it.

    Raises ``UnknownId`` with the nearest ids of all catalogs looked in, ``AmbiguousId``.
    """
    near: dict[str, None] = {}
    for catalog in several(store, name):
        try:
            return Placed(catalog, *find_item(catalog, id_))
        except UnknownId as unknown:
            near |= dict.fromkeys(unknown.nearest)
    raise UnknownId("catalog item", id_, list(near)[:3])


def find_words(store: EventStore, words: str, name: str | None) -> list[tuple[Catalog, Found]]:
    """Everything that has all the words, in one catalog or in all."""
    return [(found, hit) for found in several(store, name) for hit in search(found, words)]


def sample(store: EventStore, source: str, *, pairs: int, seed: int, name: str) -> Sampled:
    """Save a catalog like ``source`` whose tasks are sampled: ``pairs`` pairs for each scenario.

    Raises ``UnknownId``, ``BadArgument``.
    """
    check_name("--name", name)
    catalog = load(store, source)
    for row in queries.catalogs(store):
        if row.name == name and not row.source.startswith(SAMPLED_FROM):
            raise BadArgument("--name", name, "is the name of a catalog that was not sampled")
    found = sample_tasks(catalog, seed=seed, pairs=pairs)
    if not found.tasks:
        why = str(found.shortfalls[0]) if found.shortfalls else "it has no scenarios"
        raise BadArgument("catalog", catalog.name, f"no task can be sampled: {why}")
    sampled = msgspec.structs.replace(catalog, name=name, tasks=found.tasks)
    told = f"{SAMPLED_FROM}{catalog.name} with seed {seed}, {pairs} pairs a scenario"
    return Sampled(sampled, found.shortfalls, save_catalog(store, sampled, told))
