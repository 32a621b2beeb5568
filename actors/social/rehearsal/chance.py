"""Seeded choices that cost next to nothing: no generator is kept and none is shared."""

from collections.abc import Iterable

_MASK = (1 << 64) - 1


class SeededChance:
    """A short stream of numbers that follows from the numbers it is made of, and from them only.

    The SplitMix64 generator, fed with the numbers one by one. ``random.Random`` fills a table of
    624 words for every seed, which is much for the few choices of one turn.
    """

    __slots__ = ("_state",)

    def __init__(self, parts: Iterable[int]) -> None:
        self._state = 0
        for part in parts:
            self._state = (self._state ^ (part & _MASK)) & _MASK
            self._state = self._next()

    def _next(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, count: int) -> int:
        """A number from 0 to ``count`` - 1."""
        return self._next() % count

    def hit(self, probability: float) -> bool:
        """True with this probability, 0 to 1."""
        return self._next() < probability * 18446744073709551616.0
