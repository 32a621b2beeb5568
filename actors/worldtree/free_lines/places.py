"""Where a line can be written: nodes with a choice, what leads there, and which are drawn."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from actors.worldtree.setup import LANGUAGES
from actors.worldtree.tasks import ways
from actors.worldtree.trees.tree import Beat, Language, Line, Node, Tree
from events.ids import derived_number

DRAWN: Final = 100
"""Nodes a language (SocialEval, section 4.3)."""


class LinePlace(NamedTuple):
    """A node with a choice."""

    tree: Tree
    node: Node
    before: tuple[Beat, ...]
    """What happens on the way there, and at it."""


def places(tree: Tree) -> Iterator[LinePlace]:
    """Nodes that can be reached and that offer several lines, in the file's order. Where several
    paths lead to one, it is the shortest, of these the first in the file's order."""
    reached = ways(tree)
    for node in tree.nodes:
        if node.id in reached and node.kind != "ending" and len(node.edges) > 1:
            yield LinePlace(tree, node, reached[node.id])


def place_of(tree: Tree, node: int) -> LinePlace | None:
    """The place at a node; None where nothing is chosen."""
    return next((one for one in places(tree) if one.node.id == node), None)


def mean_length(lines: Sequence[Line], language: Language) -> int:
    """The mean length of some lines, rounded, at least 1: in words, in Chinese in characters."""
    return max(1, round(sum(length(line.text, language) for line in lines) / max(1, len(lines))))


def length(text: str, language: Language) -> int:
    """How long a text is: words, in Chinese characters without white space."""
    words = text.split()
    return len(words) if language == "en" else sum(map(len, words))


def drawn(trees: Sequence[Tree]) -> frozenset[tuple[str, int]]:
    """The selected places, as tree and node: ``DRAWN`` for each language, or all if there are
    fewer. The same trees give the same places, and an added tree changes few of them."""
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
