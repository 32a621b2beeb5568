"""Where a line can be written: nodes with a choice, what leads there, and which are drawn."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from actors.worldtree.setup import LANGUAGES
from actors.worldtree.tree import Beat, Entrance, Language, Line, Node, Profile, Tree
from events.ids import derived_number

DRAWN: Final = 100
"""Nodes a language (SocialEval, section 4.3)."""


class Place(NamedTuple):
    """A node with a choice."""

    tree: Tree
    node: Node
    path: tuple[int, ...]
    """Ids from the root to the node."""


def places(tree: Tree) -> Iterator[Place]:
    """Nodes that can be reached and that offer several lines, in the file's order. Where several
    paths lead to one, it is the shortest, of these the first in the file's order."""
    paths = paths_of(tree)
    for node in tree.nodes:
        if node.id in paths and len(node.edges) > 1:
            yield Place(tree, node, paths[node.id])


def place_of(tree: Tree, node: int) -> Place | None:
    """The place at a node; None where nothing is chosen."""
    return next((one for one in places(tree) if one.node.id == node), None)


def paths_of(tree: Tree) -> dict[int, tuple[int, ...]]:
    """For each node that can be reached the ids from the root to it, nearest nodes first."""
    by_id = {node.id: node for node in tree.nodes}
    found: dict[int, tuple[int, ...]] = {0: (0,)} if 0 in by_id else {}
    to_do = list(found)
    for id_ in to_do:
        for edge in by_id[id_].edges:
            if edge.to in by_id and edge.to not in found:
                found[edge.to] = (*found[id_], edge.to)
                to_do.append(edge.to)
    return found


def told(tree: Tree, path: Sequence[int]) -> tuple[Beat, ...]:
    """What happens along a path, each chosen line before what follows from it; who enters is shown
    as anybody may know them."""
    by_id = {node.id: node for node in tree.nodes}
    beats: list[Beat] = []
    for place, id_ in enumerate(path):
        if place:
            edges = by_id[path[place - 1]].edges
            line = next(edge.line for edge in edges if edge.to == id_)
            beats.append(Line(role=line.role or tree.protagonist.name, text=line.text))
        for beat in by_id[id_].dialogue:
            beats.append(beat if isinstance(beat, Line) else Entrance(profile=public(beat.profile)))
    return tuple(beats)


def public(profile: Profile) -> Profile:
    """What anybody may know of a character."""
    return Profile(
        name=profile.name, alias=profile.alias, identity=profile.identity, public=profile.public
    )


def own(profile: Profile) -> Profile:
    """What a character knows of itself."""
    return Profile(
        name=profile.name,
        alias=profile.alias,
        identity=profile.identity,
        public=profile.public,
        private=profile.private,
        goal=profile.goal,
    )


def mean_length(lines: Sequence[Line], language: Language) -> int:
    """The mean length of some lines, rounded, at least 1: in words, in Chinese in characters."""
    return max(1, round(sum(length(line.text, language) for line in lines) / max(1, len(lines))))


def length(text: str, language: Language) -> int:
    """How long a text is: words, in Chinese characters without white space."""
    words = text.split()
    return len(words) if language == "en" else sum(map(len, words))


def drawn(trees: Sequence[Tree]) -> frozenset[tuple[str, int]]:
    """The places that are drawn, as tree and node: ``DRAWN`` a language, or all where there are
    fewer. The same trees, the same places; a tree that is added moves few of the others."""
    found: set[tuple[str, int]] = set()
    for language in LANGUAGES:
        lots = sorted(
            (derived_number("free line", tree.id, str(place.node.id)), tree.id, place.node.id)
            for tree in trees
            if tree.language == language
            for place in places(tree)
        )
        found |= {(tree, node) for _, tree, node in lots[:DRAWN]}
    return frozenset(found)
