"""The shortest ways over a town's tiles: a breadth-first tree for each destination.

From wherever one is, the tree's branch leads to the destination, so a path costs its length.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

MOST_BYTES: Final = 64 * 2**20
"""Of one town's trees that are kept; the least recently used make room."""
_NOWHERE: Final = ord(" ")


class Paths:
    """Four directions, one tile a step."""

    def __init__(self, open_: NDArray[np.bool_]) -> None:
        """``open_``: ``[height, width]``, the tiles that can be walked on."""
        from scipy.sparse import csr_array

        height, width = open_.shape
        self._width = width
        most = max(1, MOST_BYTES // max(1, open_.size))
        self._tree = lru_cache(maxsize=most)(self._grown)
        nodes = np.arange(open_.size).reshape(height, width)
        across = (open_[:, :-1] & open_[:, 1:]).nonzero()
        down = (open_[:-1] & open_[1:]).nonzero()
        one = np.concatenate((nodes[:, :-1][across], nodes[:-1][down]))
        other = np.concatenate((nodes[:, 1:][across], nodes[1:][down]))
        rows, columns = np.concatenate((one, other)), np.concatenate((other, one))
        ones = np.ones(len(rows))  # as csgraph wants them: others are converted for every tree
        self._graph = csr_array((ones, (rows, columns)), shape=(open_.size, open_.size))
        self._graph.sort_indices()
        self._step = {ord("E"): 1, ord("W"): -1, ord("N"): -width, ord("S"): width}
        self._letters = np.zeros(2 * width + 1, np.uint8)
        for letter, step in self._step.items():
            self._letters[step] = letter

    def way(self, start: tuple[int, int], end: tuple[int, int]) -> str | None:
        """A letter a step (``N``, ``E``, ``S``, ``W``) from one tile (column, row) to another;
        empty where they are the same, None where none leads there."""
        at, goal = (tile[1] * self._width + tile[0] for tile in (start, end))
        if at == goal:
            return ""
        tree, step = self._tree(goal), self._step
        if tree[at] == _NOWHERE:
            return None
        way = bytearray()
        while at != goal:
            letter = tree[at]
            way.append(letter)
            at += step[letter]
        return way.decode()

    def _grown(self, goal: int) -> bytes:
        """For every tile the letter of the step that leads nearer; a blank: none does."""
        from scipy.sparse.csgraph import breadth_first_order

        order, before = breadth_first_order(self._graph, goal, directed=True)
        reached = order[1:]
        letters = np.full(self._graph.shape[0], _NOWHERE, np.uint8)
        letters[reached] = self._letters[before[reached] - reached]
        return letters.tobytes()


def parts_of(open_: NDArray[np.bool_]) -> tuple[NDArray[np.int32], int]:
    """``[height, width]``: the number, from 1, of the part of the open tiles that each belongs to,
    0 for others; and how many parts there are. From one to another there is no way."""
    from scipy import ndimage

    parts, count = ndimage.label(open_)
    return parts, count
