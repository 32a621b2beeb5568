"""Random choices derived from their inputs: no generator is stored or shared."""

from collections.abc import Sequence
from typing import TypeVar
from zlib import crc32

T = TypeVar("T")
_MASK = 0xFFFFFFFF


class Lots:
    """One character's chance. The same seed, seat and words draw the same lot, whenever asked."""

    __slots__ = ("_start",)

    def __init__(self, seed: int, seat: int) -> None:
        self._start = crc32(f"{seed}.{seat}".encode())

    def number(self, *of: object) -> int:
        """0 to 2**32 - 1."""
        mixed = crc32(repr(of).encode(), self._start)
        # A checksum of similar words is similar: mixed as MurmurHash3 finishes.
        mixed ^= mixed >> 16
        mixed = (mixed * 0x85EBCA6B) & _MASK
        mixed ^= mixed >> 13
        mixed = (mixed * 0xC2B2AE35) & _MASK
        return mixed ^ (mixed >> 16)

    def part(self, *of: object) -> float:
        """0 up to 1."""
        return self.number(*of) / 4294967296.0

    def hit(self, probability: float, *of: object) -> bool:
        """True with this probability, 0 to 1."""
        return self.part(*of) < probability

    def among(self, low: int, high: int, *of: object) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + self.number(*of) % (high - low + 1)

    def one(self, pool: Sequence[T], *of: object) -> T:
        """One of a pool that is not empty."""
        return pool[self.number(*of) % len(pool)]
