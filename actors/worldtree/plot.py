"""A tree as the rules walk it: its nodes by their ids."""

from collections.abc import Mapping
from functools import cached_property

from actors.worldtree.setup import Outcome
from actors.worldtree.tree import ACHIEVED, NOT, PARTLY, Edge, Node, Tree

ROOT = 0
"""The root's id."""
_OUTCOMES: Mapping[int | None, Outcome] = {ACHIEVED: "achieved", PARTLY: "partly", NOT: "not"}


class Plot:
    """Made once for an episode. Two of the same digest are equal."""

    def __init__(self, tree: Tree, digest: str) -> None:
        self.tree, self.digest = tree, digest
        self.nodes: Mapping[int, Node] = {node.id: node for node in reversed(tree.nodes)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plot) and other.digest == self.digest

    def __str__(self) -> str:
        return self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def longest(self) -> int:
        """Steps from the root on the longest path; of a tree that has no cycle."""
        steps: dict[int, int] = {}
        pending = [ROOT]
        while pending:
            node = self.nodes.get(pending[-1])
            targets = [edge.to for edge in node.edges] if node else []
            if ahead := [one for one in targets if one not in steps]:
                pending += ahead
            else:
                steps[pending.pop()] = max((steps[one] + 1 for one in targets), default=0)
        return steps[ROOT]

    def edge(self, at: int, place: int) -> Edge:
        """The edge at this place among a node's. Raises ``LookupError``."""
        if place < 0:
            raise IndexError(place)
        return self.nodes[at].edges[place]


def outcome_of(node: Node) -> Outcome:
    """What came of a walk that ends at a node."""
    return _OUTCOMES.get(node.goal, "unscored") if node.kind == "ending" else "unscored"
