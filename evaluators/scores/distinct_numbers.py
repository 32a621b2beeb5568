"""Finds the distinct values of an integer array, such as the ids of groups and clusters."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_DENSE = 1 << 24
"""Numbers up to this are told apart by a table of all of them, which takes a fraction of the time
of sorting."""


def distinct(numbers: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different numbers in order, and for each of the numbers its place among them."""
    least = int(numbers.min(initial=0))
    span = int(numbers.max(initial=0)) - least + 1
    if span > _DENSE:
        found, places = np.unique(numbers, return_inverse=True)
        return found.astype(np.int64), places.reshape(-1)
    there = np.zeros(span, dtype=np.bool_)
    there[numbers - least] = True
    places = np.cumsum(there) - 1
    return np.nonzero(there)[0] + least, places[numbers - least]
