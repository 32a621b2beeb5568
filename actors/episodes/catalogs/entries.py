"""What an environment declares about its catalogs: tasks, other kinds of items, and how an episode
of a task begins."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from actors.toml_lines import Place
from actors.toml_values import value_text
from events.environments import Catalog, Setup
from events.serialization.identity_key import cached_by_identity
from events.untrusted.safe_text import shortened

Grade = Literal["error", "warning", "note"]


class TaskEntry(NamedTuple):
    """A task, as plans choose it."""

    id: str
    seats: int
    """How many minds it takes."""
    tags: tuple[str, ...] = ()
    only_by: str = ""
    """A tag without which a plan does not choose it, unless by its id or in a list of scenarios;
    empty: none. For tasks that make no sense among others."""
    scenario: str = ""
    """The id of what is played, as ``Beginning`` has it; empty: no list of scenarios names it."""


class CatalogEntry(NamedTuple):
    """Something a catalog holds, as lists and searches tell of it."""

    kind: str
    """What it is, in a word whose plural adds an *s*: the name of the catalog's field."""
    id: str
    title: str
    item: Any
    """The struct itself."""
    glance: str = ""
    """What a list says of it, beside its title."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of what can be tagged."""
        return getattr(self.item, "tags", ())


class Meeting(NamedTuple):
    """Who meets in an episode of a chain, and what they play. Ids of the catalog."""

    scenario: str
    characters: tuple[str, ...]
    """In the order of the seats."""
    relationships: tuple[str, ...] = ()


class Beginning(NamedTuple):
    """What an episode begins with."""

    setup: Setup
    scenario: str
    """The id of what is played."""
    title: str
    """What is played, as lists call it."""
    characters: tuple[str, ...]
    """Who is in the seats, by name."""
    tags: tuple[str, ...] = ()


class Remark(NamedTuple):
    """What somebody who writes a catalog should know of it."""

    grade: Grade
    """``error``: it cannot be played; ``warning``: it is probably not meant; ``note``: what else
    could be done."""
    place: Place
    """What it is about: a kind, the place in the catalog's tuple, and the field, and so on:
    ``("scenario", 3, "goals", 0)``. Empty: the whole catalog."""
    why: str
    """A sentence that says what would be right."""


class Standard(NamedTuple):
    """One of the things that a catalog of a benchmark is held to. Falling short keeps nobody from
    playing it."""

    name: str
    """What is measured, in a few words."""
    value: str
    """What was found, and what is enough."""
    met: bool
    short: tuple[str, ...] = ()
    """What falls short: ids, mostly."""


class MissingItem(LookupError):
    """Something is to be played that the catalog does not have."""

    def __init__(self, catalog: str, kind: str, id_: str) -> None:
        super().__init__(f"catalog {shortened(catalog)!r} has no {kind} {shortened(id_)!r}")
        self.catalog, self.kind, self.id = catalog, kind, id_


def item_of(catalog: Catalog, kind: str, id_: str) -> Any:
    """The struct of a kind (``task``) with this id. Raises ``MissingItem``."""
    try:
        return _by_id(getattr(catalog, f"{kind}s"))[id_]
    except KeyError:
        raise MissingItem(catalog.name, kind, id_) from None


@cached_by_identity(maxsize=16)
def _by_id(items: tuple[Any, ...]) -> Mapping[str, Any]:
    """Items by their ids, the first of an id."""
    return {item.id: item for item in reversed(items)}


def plain_entries(catalog: Catalog) -> Sequence[CatalogEntry]:
    """Everything in a catalog, under its title, its name or its id."""
    return [
        CatalogEntry(kinds.removesuffix("s"), item.id, _title(item), item)
        for kinds, items in msgspec.structs.asdict(catalog).items()
        if isinstance(items, tuple)
        for item in items
    ]


def plain_facts(item: Any) -> Sequence[tuple[str, str]]:
    """All fields of a struct that say anything, each with its name; of tables in a list each."""
    fields = msgspec.structs.asdict(item)
    return [
        (label, text)
        for name, value in fields.items()
        if name != "id"
        for label, part in _parts(name.replace("_", " "), value)
        if (text := flat(part))
    ]


def _parts(name: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, tuple) and value and isinstance(value[0], msgspec.Struct):
        for number, one in enumerate(value, 1):
            yield f"{name}, {getattr(one, 'id', '') or number}", one
    else:
        yield name, value


def flat(value: Any) -> str:
    """Any value of a struct as text; a table as a file has it, without what is as usual."""
    if isinstance(value, list | tuple):
        return " · ".join(flat(part) for part in value)
    if isinstance(value, msgspec.Struct | dict):
        return value_text(msgspec.to_builtins(value), inline=True) if value else ""
    return str(value)


def _title(item: Any) -> str:
    return str(getattr(item, "title", "") or getattr(item, "name", "") or item.id)
