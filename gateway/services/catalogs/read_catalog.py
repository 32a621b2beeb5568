"""Catalogs as the command line and plans need them."""

import re
from typing import NamedTuple

from typing_extensions import TypeVar

from actors.episodes.catalogs.entries import CatalogEntry, TaskEntry
from actors.episodes.registry import environment_named, environments
from events.environments import BrokenEnvironment, Catalog, environment_of_value
from gateway.errors import BadArgument
from gateway.services.catalogs.search_catalog import Found, find_entry, search
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.catalogs import load_catalog, save_catalog
from store.read_model.records import CatalogRow

K = TypeVar("K", bound=Catalog, default=Catalog)

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Placed(NamedTuple):
    """A thing and the catalog it is in."""

    catalog: Catalog
    entry: CatalogEntry


def starter_name(environment: str) -> str:
    """Name of the catalog that comes with an environment; empty where none does."""
    starter = environment_named(environment).starter()
    return starter.name if starter else ""


def is_stored(store: EventStore, name: str) -> bool:
    """Whether there is a catalog of this name, or one comes with an environment."""
    return is_starter(name) or any(row.name == name for row in queries.catalogs(store))


def is_starter(name: str) -> bool:
    """Whether a catalog of this name comes with an environment."""
    return name in {starter_name(environment.name) for environment in environments()}


def ensure_starters(store: EventStore, environment_name: str = "") -> None:
    """What comes with the environments is always there: it comes in at first use, and again when
    it grew. ``environment_name``: the one whose catalog is wanted; empty: all of them."""
    of: dict[str, str] = {}
    for environment in environments():
        if environment_name not in ("", environment.name):
            continue
        if starter := environment.starter():
            if (other := of.setdefault(starter.name, environment.name)) != environment.name:
                why = f"its catalog {starter.name!r} is called like that of environment {other!r}"
                raise BrokenEnvironment(environment.name, why)
            save_catalog(store, starter, f"Troupe's {starter.name} catalog")


def all_catalogs(store: EventStore) -> list[CatalogRow]:
    """All catalogs, by name."""
    ensure_starters(store)
    return queries.catalogs(store)


def load(store: EventStore, name: str, kind: type[K] = Catalog) -> K:  # type: ignore[assignment]
    """A catalog by name. Raises ``UnknownId``, ``WrongCatalog``."""
    stored = (row.environment for row in queries.catalogs(store) if row.name == name)
    # To read the catalogs of all environments takes longer than to plan a run.
    ensure_starters(store, next(stored, ""))
    return load_catalog(store, name, kind)


def check_name(option: str, name: str) -> None:
    """Refuse what cannot be the name of a catalog of one's own. Raises ``BadArgument``."""
    if is_starter(name):
        raise BadArgument(option, name, "is Troupe's own catalog; choose another name")
    if not _NAME.fullmatch(name):
        why = "a name is 1 to 64 letters, digits, '-' and '_', for plans to use"
        raise BadArgument(option, name, why)


def several(store: EventStore, name: str | None, kind: type[K] = Catalog) -> list[K]:  # type: ignore[assignment]
    """The catalog of a name, or all of a kind. Raises ``UnknownId``, ``WrongCatalog``."""
    if name is not None:
        return [load(store, name, kind)]
    played = {environment.name for environment in environments()}
    found = [
        load_catalog(store, row.name) for row in all_catalogs(store) if row.environment in played
    ]
    return [catalog for catalog in found if isinstance(catalog, kind)]


def entries(catalog: Catalog) -> list[CatalogEntry]:
    """Everything in a catalog, as its environment tells of it."""
    return list(environment_named(environment_of_value(catalog)).authoring.entries(catalog))


def tasks_of(catalog: Catalog) -> list[TaskEntry]:
    """What plans can choose from, where no kind of the catalog says so."""
    return list(environment_named(environment_of_value(catalog)).tasks(catalog))


def facts(placed: Placed) -> list[tuple[str, str]]:
    """All there is to know of one thing."""
    environment = environment_named(environment_of_value(placed.catalog))
    return list(environment.authoring.facts(*placed))


def find(store: EventStore, id_: str, name: str | None) -> Placed:
    """A thing by its id, in one catalog or in whichever has it.

    Raises ``UnknownId`` with the nearest ids of all catalogs looked in, ``AmbiguousId``.
    """
    near: dict[str, None] = {}
    for catalog in several(store, name):
        try:
            return Placed(catalog, find_entry(entries(catalog), id_))
        except UnknownId as unknown:
            near |= dict.fromkeys(unknown.nearest)
    raise UnknownId("catalog item", id_, list(near)[:3])


def find_words(store: EventStore, words: str, name: str | None) -> list[tuple[Catalog, Found]]:
    """Everything that has all the words, in one catalog or in all."""
    return [(one, hit) for one in several(store, name) for hit in search(entries(one), words)]
