"""Retrieval of memories by recency, importance and relevance (Generative Agents, section 4.1), as
in the paper and as in the published code (STSS)."""

from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actors.minds.generative.hashed_vectors import Vectors
from actors.minds.generative.memory import UNRANKED, Floats, Memories, Ranks

Ids = NDArray[np.intp]
Way = Literal["ga", "published"]
DECAY: Final = 0.995
"""What is left of a memory's recency an hour later, or a rank later."""
ALIKE: Final = 0.5
"""What a term counts of which all candidates have the same."""


class Weights(NamedTuple):
    """How much each term counts."""

    recency: float
    relevance: float
    importance: float


WEIGHTS: Final[dict[Way, Weights]] = {
    "ga": Weights(1.0, 1.0, 1.0),
    "published": Weights(0.5, 3.0, 2.0),
}


def scaled(values: Floats) -> Floats:
    """Values moved and stretched so that the least is 0 and the greatest 1; all ``ALIKE`` where
    they are the same."""
    low, high = values.min(), values.max()
    if high == low:
        return np.full_like(values, ALIKE)
    out: Floats = (values - low) / (high - low)
    return out


def recency(used: Floats, kinds: Ranks, at: float, way: Way) -> Floats:
    """How fresh memories are that were last thought of at ``used``.

    ``ga``: 0.995 to the power of hours since. ``published``: 0.995 to the power of the rank, where
    1 is the *least* recently used, so that what was used last counts least; of several used at the
    same time events come before thoughts, and of each the newer first, as the published code lists
    them.
    """
    if way == "ga":
        return np.power(DECAY, np.maximum(at - used, 0.0) / 3600.0)
    ranks = np.empty(len(used))
    ranks[np.lexsort((-np.arange(len(used)), kinds, used))] = np.arange(1, len(used) + 1)
    return np.power(DECAY, ranks)


def scores(memories: Memories, query: Vectors, at: float, way: Way) -> tuple[Ids, Floats]:
    """The ids of all that is not forgotten, and how much each matters now: 0 to the sum of the
    weights. ``published`` ranks neither talks nor what is idle. ``query``: one vector of length
    1."""
    there = memories.expires > at
    if way == "published":
        there &= memories.kinds != UNRANKED
    candidates = np.flatnonzero(there)
    if not len(candidates):
        return candidates, np.zeros(0)
    vectors = memories.vectors(len(query))
    # Not by BLAS: its threads wait for each other on a machine that has other work, and the sum of
    # a row must not depend on how many they are.
    relevance = np.einsum("ij,j->i", vectors, query)[candidates].astype(np.float64)
    weights = WEIGHTS[way]
    matter = (
        weights.recency
        * scaled(recency(memories.used[candidates], memories.kinds[candidates], at, way))
        + weights.relevance * scaled(relevance)
        + weights.importance * scaled(memories.importance[candidates])
    )
    return candidates, matter


def best(memories: Memories, query: Vectors, at: float, way: Way, top: int) -> list[int]:
    """The ids of the ``top`` memories that matter most, the best first; of equal ones the newer."""
    candidates, matter = scores(memories, query, at, way)
    if len(candidates) > top:
        # Everything as good as the last that is taken stays in: which of equals is for the sort.
        least = np.partition(matter, -top)[-top]
        kept = matter >= least
        candidates, matter = candidates[kept], matter[kept]
    order = np.lexsort((-candidates, -matter))[:top]
    return [int(id) for id in candidates[order]]
