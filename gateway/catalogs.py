"""Catalogs as the command line and plans need them."""

from actors.social.catalog import starter_catalog
from events.catalog import Catalog, Character, Relationship, Scenario, Task
from store import queries
from store.catalogs import save_catalog
from store.log import EventStore
from store.searching import Item, ItemKind, title_of

STARTER = "starter"


def ensure_starter(store: EventStore) -> None:
    """Troupe's own catalog is always there: it comes in at first use, and again when it grew."""
    save_catalog(store, starter_catalog(), "Troupe's starter catalog")


def load(store: EventStore, name: str) -> Catalog:
    """A catalog by name. Raises ``UnknownId``."""
    ensure_starter(store)
    return queries.load_catalog(store, name)


def rows(catalog: Catalog, items: tuple[Item, ...]) -> list[tuple[str, str, str, str]]:
    """Id, title, what there is to know at a glance, and tags of some items."""
    titles = title_of(catalog)
    return [
        (item.id, titles[_kind(item), item.id], _glance(item), ", ".join(item.tags))
        for item in items
    ]


def _kind(item: Item) -> ItemKind:
    match item:
        case Character():
            return "character"
        case Relationship():
            return "relationship"
        case Scenario():
            return "scenario"
        case Task():
            return "task"


def _glance(item: Item) -> str:
    match item:
        case Character():
            return f"{item.age}, {item.occupation}"
        case Relationship():
            return _short(item.story)
        case Scenario():
            return _short(item.context)
        case Task():
            return f"{len(item.characters)} seats"


def _short(text: str, width: int = 90) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"
