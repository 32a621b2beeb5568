"""What a catalog of world trees holds, for its author's eyes: lists, and all there is to know of
each tree, abilities and outcomes included."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from actors.episodes.catalogs.entries import CatalogEntry, plain_entries, plain_facts
from actors.episodes.catalogs.writer import entries_of
from actors.episodes.port.authoring import Authoring
from actors.episodes.port.environment import Environment
from actors.worldtree.catalog import check as catalog_check
from actors.worldtree.catalog.starter import starter_catalog
from actors.worldtree.catalog_items import Catalog
from actors.worldtree.trees.chance_level import chance
from actors.worldtree.trees.orientations import BY_NAME
from actors.worldtree.trees.tree import (
    ACHIEVED,
    NOT,
    PARTLY,
    Beat,
    Edge,
    Entrance,
    Node,
    Profile,
    Tree,
)
from events.base import replace

_ENDS: Final[dict[int | None, str]] = {
    ACHIEVED: "achieved",
    PARTLY: "partly",
    NOT: "not",
    None: "without a goal",
}


def _glance(tree: Tree) -> str:
    return f"{tree.language}, {tree.orientation}: {tree.protagonist.goal}"


def _facts(tree: Tree) -> Iterator[tuple[str, str]]:
    ends = Counter(node.goal for node in tree.nodes if node.kind == "ending")
    counted = ", ".join(f"{ends[goal]} {word}" for goal, word in _ENDS.items() if ends[goal])
    group = BY_NAME[tree.orientation].group if tree.orientation in BY_NAME else ""
    yield "language", tree.language
    yield "orientation", f"{tree.orientation} ({group})" if group else tree.orientation
    yield "shape", f"{len(tree.nodes)} nodes, {ends.total()} endings: {counted}"
    yield "chance", f"{chance(tree).achieved:.1%} of walks by chance achieve the goal"
    yield from _person(tree.protagonist)
    for profile in tree.cast:
        yield from _person(profile)
    if tree.scenario:
        yield "scenario", tree.scenario
    for node in tree.nodes:
        yield f"scene {node.id}", "\n".join(_scene(node))


def _person(who: Profile) -> Iterator[tuple[str, str]]:
    yield who.name, who.public
    if who.goal:
        yield "  wants", who.goal
    if who.private:
        yield "  hides", who.private


def _scene(node: Node) -> Iterator[str]:
    yield from map(_beat, node.dialogue)
    if node.kind == "ending":
        yield f"= {_ENDS[node.goal]}"
    yield from map(_option, node.edges)


def _beat(beat: Beat) -> str:
    if isinstance(beat, Entrance):
        return f"+ {beat.profile.name}: {beat.profile.public}"
    return f"{beat.role}: {beat.text}" if beat.role else beat.text


def _option(edge: Edge) -> str:
    shows = ", ".join(edge.abilities) or "nothing asked"
    return f"→ {edge.to} [{shows}] {edge.line.text}"


class TreeAuthoring(Authoring[Catalog]):
    """Trees with their goals, samples, drafts."""

    # The defects of its trees.
    check = staticmethod(catalog_check.check)

    def entries(self, catalog: Catalog) -> list[CatalogEntry]:
        """Everything, kind by kind; trees with what they are about."""
        return [
            entry._replace(glance=_glance(entry.item)) if isinstance(entry.item, Tree) else entry
            for entry in plain_entries(catalog)
        ]

    def facts(self, catalog: Catalog, entry: CatalogEntry) -> Sequence[tuple[str, str]]:
        """All there is to know of a thing, each with what it is."""
        item = entry.item
        return list(_facts(item)) if isinstance(item, Tree) else plain_facts(item)

    def template(self, environment: Environment) -> Mapping[str, str]:
        """One tree of Crossroads."""
        starter = starter_catalog()
        return entries_of(environment, replace(starter, trees=starter.trees[:1]))


AUTHORING: Final = TreeAuthoring()
