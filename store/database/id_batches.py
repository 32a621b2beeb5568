"""Parts of long lists of ids: databases limit how many values a statement may name."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

AT_ONCE: Final = 500
"""Ids in one statement."""


def in_batches(items: Sequence[Item], size: int = AT_ONCE) -> Iterator[Sequence[Item]]:
    """The items in their order, ``size`` at a time."""
    for begin in range(0, len(items), size):
        yield items[begin : begin + size]
