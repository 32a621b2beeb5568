"""How many walks came by each edge of a tree."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Flow(NamedTuple):
    """Walks through one tree, counted."""

    walks: int
    through: Counter[tuple[int, int]]
    """By the ids of an edge's two nodes."""
    at: Counter[int]
    """By a node's id: those that came to it."""
    last: Counter[int]
    """By a node's id: those that came no further."""


def flow_of(paths: Iterable[Sequence[int]]) -> Flow:
    """Of walks, each the ids of its nodes, the root first. A walk without any is one that was
    given up before it began: it counts among the walks alone."""
    walks, through, at, last = 0, Counter[tuple[int, int]](), Counter[int](), Counter[int]()
    for path in paths:
        walks += 1
        through.update(pairwise(path))
        at.update(path)
        last.update(path[-1:])
    return Flow(walks, through, at, last)
