"""Support for authors of catalogs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from actors.episodes.catalogs.entries import (
    CatalogEntry,
    Remark,
    Standard,
    plain_entries,
    plain_facts,
)
from actors.episodes.catalogs.writer import entries_of_starter
from events.environments import Catalog

if TYPE_CHECKING:
    from actors.episodes.port.environment import Environment

C = TypeVar("C", bound=Catalog)


class Reviewing(Generic[C]):
    """How items that were generated are reviewed, and played once they are accepted."""

    criteria: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """By kind what a reviewer asks of an item, a sentence each."""

    def with_tasks(self, catalog: C, accepted: Collection[str]) -> tuple[C, Sequence[str]]:
        """A catalog with tasks that play generated items, by the ids of those that were accepted;
        and what could not be done, a sentence each."""
        del accepted
        return catalog, ()


class Authoring(Generic[C]):
    """A catalog as its author and its readers know it."""

    filled_in: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """By kind the fields that the author of a catalog may leave out, for ``fill_in`` to find."""
    full_names: Collection[str] = ()
    """Kinds whose ids are people's full names, with blanks between."""
    reviewing: Reviewing[C] = Reviewing()
    """How generated items are reviewed and played."""

    def entries(self, catalog: C) -> Sequence[CatalogEntry]:
        """Everything in a catalog, kind by kind, for lists and searches."""
        return plain_entries(catalog)

    def facts(self, catalog: C, entry: CatalogEntry) -> Sequence[tuple[str, str]]:
        """All there is to know of an entry, for its designer: each with what it is."""
        del catalog
        return plain_facts(entry.item)

    def fill_in(self, catalog: C, left_out: Collection[tuple[str, int, str]]) -> C:
        """A catalog with what its author left out: each a kind, the place in the catalog's tuple
        and a field, which is empty so far. What cannot be found stays empty."""
        del left_out
        return catalog

    def check(self, catalog: C) -> Iterable[Remark]:
        """What is wrong or odd with a catalog, beyond what its types say and beyond tasks with
        which no episode can begin. Nothing in it may be taken for granted: it may name what is not
        there."""
        del catalog
        return ()

    def standards(self, catalog: C) -> Iterable[Standard]:
        """What a catalog of a benchmark is held to, and how far this one is from it. Asked only of
        catalogs without errors."""
        del catalog
        return ()

    def template(self, environment: "Environment") -> Mapping[str, str]:
        """What a new catalog begins with: the entries, with comments, as TOML by the plural of
        their kind."""
        return entries_of_starter(environment)


PLAIN: Final = Authoring[Catalog]()
