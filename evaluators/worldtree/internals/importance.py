"""Which weights each aspect of the abilities leans on (SocialEval, appendix D; the score is that of
Wanda, Sun et al. 2023, section 3).

The score of a weight is I_ij = |W_ij| · |h_j|, h being the layer's input. Since W is the same for
all samples, the mean over samples of I_ij is |W_ij| times the mean of |h_j|, and the mean of a
block of I needs no more than, for each input, the sum of |W_ij| over the block's rows: neither I
nor W has to be held.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BLOCK: Final = 256
"""Rows and columns of a block."""


def scores(weight: Floats, inputs: Floats) -> Floats:
    """I: one score a weight (outputs × inputs)."""
    return np.abs(weight) * np.abs(inputs)


def row_sums(rows: Iterable[Floats]) -> Floats:
    """For each block of rows and each column the sum of |W_ij|; ``rows`` are these blocks, from top
    to bottom."""
    return np.stack([np.abs(part).sum(axis=0) for part in rows])


def block_means(sums: Floats, inputs: Floats, outputs: int, block: int = BLOCK) -> Floats:
    """The mean of I over each block, of ``row_sums`` and the means of |h_j|.

    Where the size is no multiple of the block's, the last blocks are smaller, and their means are
    over what they have.
    """
    weighted = scores(sums, inputs)
    starts = np.arange(0, weighted.shape[1], block)
    totals = np.add.reduceat(weighted, starts, axis=1)
    high = _sizes(outputs, block)[:, None]
    wide = _sizes(weighted.shape[1], block)[None, :]
    found: Floats = totals / (high * wide)
    return found


def _sizes(length: int, block: int) -> NDArray[np.int64]:
    starts = np.arange(0, length, block)
    return np.minimum(block, length - starts)


def top(means: Floats, share: float) -> frozenset[tuple[int, int]]:
    """The blocks with the highest means, as (row, column): this share of them, rounded up. Of equal
    ones those come first that stand further up, then further left."""
    count = min(means.size, max(1, int(np.ceil(round(share * means.size, 9)))))
    order = np.argsort(-means.ravel(), kind="stable")[:count]
    return frozenset((int(place) // means.shape[1], int(place) % means.shape[1]) for place in order)


class Difference(msgspec.Struct, frozen=True):
    """Blocks that are important for one aspect and not for another."""

    a: str
    b: str
    only_a: frozenset[tuple[int, int]]
    only_b: frozenset[tuple[int, int]]
    both: frozenset[tuple[int, int]]


def differences(important: Mapping[str, frozenset[tuple[int, int]]]) -> Iterator[Difference]:
    """Each pair of aspects, in their order."""
    for (a, of_a), (b, of_b) in combinations(important.items(), 2):
        yield Difference(a, b, of_a - of_b, of_b - of_a, of_a & of_b)
