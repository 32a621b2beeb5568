"""Where the nodes of a tree are drawn: a row of its own for each, a column for each step.

A node stands between its subtrees, so no line crosses what is written to the right of a node.
Layouts by level (Reingold and Tilford 1981, and the libraries that have it) make no room for that:
they put nodes of neighbouring columns at one height.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from graphlib import TopologicalSorter
from typing import NamedTuple

from actors.worldtree.trees.tree import Edge, Node, Tree


class NodePosition(NamedTuple):
    column: int
    """Steps of the longest way to it from a root."""
    row: int


class Link(NamedTuple):
    """All edges from one node to another."""

    start: int
    to: int
    edges: tuple[Edge, ...]


class Layout(NamedTuple):
    """A tree's nodes and links."""

    places: Mapping[int, NodePosition]
    trunk: tuple[Link, ...]
    """One to each node but the roots."""
    others: tuple[Link, ...]
    """Further ways to a node that several lead to."""
    columns: int


def layout_of(tree: Tree) -> Layout:
    """The same for the same tree. Nodes that nothing leads to are roots, too, below the first.
    Raises ``graphlib.CycleError``, ``KeyError`` for an edge to a node that is not there."""
    nodes = {node.id: node for node in tree.nodes}
    links = [link for node in tree.nodes for link in _links(node)]
    before: dict[int, list[int]] = {node: [] for node in nodes}
    for link in links:
        before[link.to].append(link.start)
    column = dict.fromkeys(nodes, 0)
    for node in TopologicalSorter(before).static_order():
        column[node] = max((column[start] + 1 for start in before[node]), default=0)
    parent = {
        node: next(start for start in starts if column[start] == column[node] - 1)
        for node, starts in before.items()
        if starts
    }
    trunk = tuple(link for link in links if parent[link.to] == link.start)
    children = defaultdict[int, list[int]](list)
    for link in trunk:
        children[link.start].append(link.to)
    roots = sorted((node for node in nodes if node not in parent), key=lambda node: node != 0)
    rows: dict[int, int] = {}
    # Waiting nodes, the next one last; True: its upper half has its rows.
    waiting = [(root, False) for root in reversed(roots)]
    while waiting:
        node, halfway = waiting.pop()
        half = len(children[node]) // 2
        if halfway:
            rows[node] = len(rows)
            waiting += [(child, False) for child in reversed(children[node][half:])]
        else:
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(children[node][:half])]
    return Layout(
        {node: NodePosition(column[node], rows[node]) for node in nodes},
        trunk,
        tuple(link for link in links if parent[link.to] != link.start),
        max(column.values(), default=0) + 1,
    )


def _links(node: Node) -> list[Link]:
    to = Counter(edge.to for edge in node.edges)
    return [
        Link(node.id, target, tuple(edge for edge in node.edges if edge.to == target))
        for target in to
    ]
