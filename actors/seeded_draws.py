"""Draws that belong to a seed: the same everywhere, and each independent of all others."""

from collections.abc import Sequence
from typing import TypeVar

from events.ids import derived_number

T = TypeVar("T")


class SeededDraws:
    """Independent draws by name."""

    def __init__(self, *parts: str) -> None:
        """``parts``: what the draws belong to, the seed among them."""
        self._parts = parts

    def below(self, what: str, most: int) -> int:
        """A whole number from 0, less than ``most``."""
        return derived_number(*self._parts, what) % most

    def share(self, what: str) -> float:
        """A number from 0, less than 1."""
        return derived_number(*self._parts, what) / 2**31

    def one(self, what: str, among: Sequence[T]) -> T:
        """One of some things."""
        return among[self.below(what, len(among))]

    def some(self, what: str, among: Sequence[T], count: int) -> list[T]:
        """Different ones, in the order they are drawn."""
        left, found = list(dict.fromkeys(among)), []
        for place in range(min(count, len(left))):
            found.append(left.pop(self.below(f"{what}{place}", len(left))))
        return found

    def order(self, what: str, among: Sequence[str]) -> list[str]:
        """All of some texts, in an order in which one more changes nothing about the others."""
        return sorted(set(among), key=lambda one: (derived_number(*self._parts, what, one), one))
