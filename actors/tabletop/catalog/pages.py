"""What a catalog of sessions holds, as lists and pages show it to its author."""

from collections.abc import Sequence
from typing import Final

from actors.episodes.catalogs.entries import CatalogEntry, plain_entries, plain_facts
from actors.episodes.port.authoring import Authoring
from actors.tabletop.catalog_items import (
    Catalog,
    CharacterSheet,
    GameTable,
    KeyPoint,
    KnowledgeSheet,
    OpeningScene,
    Want,
)
from actors.text.amounts import many


def _entry(entry: CatalogEntry) -> CatalogEntry:
    match entry.item:
        case CharacterSheet() as one:
            known = (f"{one.race}, {one.role}", one.background, one.alignment)
            return entry._replace(glance="; ".join(filter(None, known)))
        case KnowledgeSheet(kind=kind, points=points):
            return entry._replace(glance=f"{kind}; {many(len(points), 'key point')}")
        case OpeningScene(place=place, hook=hook):
            return entry._replace(title=place, glance=hook)
        case Want(skill=skill, text=text):
            return entry._replace(glance=f"{skill}: {text}")
        case GameTable(kind=kind, players=players, sessions=sessions):
            glance = f"{kind}; {many(players, 'player')}; {many(sessions, 'session')}"
            return entry._replace(glance=glance)
    return entry


def _point(point: KeyPoint) -> str:
    """A key point, and the words that show that an answer has it."""
    terms = "; ".join(" or ".join(term.split("|")) for term in point.terms)
    return f"{point.text} [{terms}]"


class TableAuthoring(Authoring[Catalog]):
    """Characters with race and class, sheets with their key points."""

    def entries(self, catalog: Catalog) -> list[CatalogEntry]:
        """Everything, kind by kind, each with what it is about."""
        return list(map(_entry, plain_entries(catalog)))

    def facts(self, catalog: Catalog, entry: CatalogEntry) -> Sequence[tuple[str, str]]:
        """All there is to know of a thing, each with what it is."""
        if not isinstance(entry.item, KnowledgeSheet):
            return plain_facts(entry.item)
        points = enumerate(entry.item.points, 1)
        return [
            ("kind", entry.item.kind),
            *((f"key point {number}", _point(point)) for number, point in points),
        ]


AUTHORING: Final = TableAuthoring()
