"""Where the things of a graph stand: always the same for the same graph.

Springs hold what is joined together and everything pushes everything else away (Fruchterman and
Reingold 1991, "Graph drawing by force-directed placement", Software: Practice and Experience 21),
from places on a circle in the order of their names.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

STEPS: Final = 250
"""After so many nothing moves any more."""


def places(count: int, edges: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """A row a thing: across and down, each from 0 to 1."""
    if count == 0:
        return np.zeros((0, 2))
    angles = 2 * np.pi * np.arange(count) / count
    at = 0.5 + 0.45 * np.column_stack((np.cos(angles), np.sin(angles)))
    if count < 3:
        return np.column_stack((np.linspace(0.25, 0.75, count), np.full(count, 0.5)))
    ideal = 1 / sqrt(count)
    pairs = np.array(sorted({(min(e), max(e)) for e in edges if e[0] != e[1]}), dtype=int)
    pairs = pairs.reshape(-1, 2)
    for step in range(STEPS):
        apart = at[:, None, :] - at[None, :, :]
        distance = np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-6)
        force = (apart * (ideal**2 / distance**2)[:, :, None]).sum(axis=1)
        if len(pairs):
            along = at[pairs[:, 0]] - at[pairs[:, 1]]
            pull = along * (np.sqrt((along**2).sum(axis=1)) / ideal)[:, None]
            np.add.at(force, pairs[:, 0], -pull)
            np.add.at(force, pairs[:, 1], pull)
        # What nothing holds would drift away for ever.
        force += (0.5 - at) * 0.6
        size = np.maximum(np.sqrt((force**2).sum(axis=1)), 1e-9)
        at = at + force / size[:, None] * np.minimum(size, 0.1 * (1 - step / STEPS))[:, None]
    low, high = at.min(axis=0), at.max(axis=0)
    found: NDArray[np.float64] = (at - low) / np.maximum(high - low, 1e-9)
    return found
