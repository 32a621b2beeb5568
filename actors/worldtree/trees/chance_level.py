"""How walks with random choices end in a tree, and whether any walk can reach the goal."""

from collections.abc import Callable, Iterator
from math import comb

from actors.worldtree.trees.tree import ACHIEVED, NOT, PARTLY, Node, Tree
from events.base import Value


class ChanceLevel(Value, frozen=True, kw_only=True):
    """How a walk ends whose every vote is for each option of a node with the same probability. Sums
    to 1."""

    achieved: float
    partly: float
    not_achieved: float
    unscored: float
    """It comes to a dead end, or to an ending without a goal."""
    undecided: float = 0.0
    """Its votes find no majority somewhere."""


def majority(options: int, votes: int) -> float:
    """How likely more than half of ``votes`` random votes are for a given one of ``options``: the
    upper tail of a binomial distribution with p = 1 / options. Of four options and three votes
    10/64; options times that is how likely there is a majority at all."""
    p = 1 / options
    return sum(
        comb(votes, one) * p**one * (1 - p) ** (votes - one)
        for one in range(votes // 2 + 1, votes + 1)
    )


def chance(tree: Tree, votes: int = 1) -> ChanceLevel:
    """Exact. ``votes``: how often each question is put (``Settings.shuffles``). Takes time in
    proportion to the tree's edges."""
    nodes = {node.id: node for node in tree.nodes}
    reached = dict.fromkeys(nodes, 0.0)
    reached[0] = 1.0
    ends: dict[int | None, float] = {ACHIEVED: 0.0, PARTLY: 0.0, NOT: 0.0, None: 0.0}
    undecided = 0.0
    for node in reversed(list(_children_first(nodes))):
        if node.kind == "ending" or not node.edges:
            ends[node.goal] += reached[node.id]
            continue
        each = majority(len(node.edges), votes)
        undecided += reached[node.id] * (1 - each * len(node.edges))
        for edge in node.edges:
            reached[edge.to] += reached[node.id] * each
    return ChanceLevel(
        achieved=ends[ACHIEVED],
        partly=ends[PARTLY],
        not_achieved=ends[NOT],
        unscored=ends[None],
        undecided=undecided,
    )


def can_succeed(tree: Tree) -> bool:
    """Whether a walk can reach an ending where the goal is achieved: the ceiling."""
    return any(node.goal == ACHIEVED for node in reachable(tree))


def end_of(tree: Tree, choose: Callable[[Node], int]) -> Node:
    """Where a walk ends that takes, at each node, the option at the place that ``choose`` says."""
    nodes = {node.id: node for node in tree.nodes}
    node = nodes[0]
    while node.kind != "ending" and node.edges:
        node = nodes[node.edges[choose(node)].to]
    return node


def reachable(tree: Tree) -> Iterator[Node]:
    """The nodes that a walk can come to, each after those it leads to."""
    return _children_first({node.id: node for node in tree.nodes})


def _children_first(nodes: dict[int, Node]) -> Iterator[Node]:
    """Without recursion: a tree may be as deep as its file is long."""
    seen = {0}
    open_ = [(nodes[0], iter(nodes[0].edges))]
    while open_:
        node, edges = open_[-1]
        following = next(edges, None) if node.kind != "ending" else None
        if following is None:
            open_.pop()
            yield node
        elif following.to not in seen:
            seen.add(following.to)
            target = nodes[following.to]
            open_.append((target, iter(target.edges)))
