"""Rate limits: token buckets, by access token and by address."""

import time
from typing import Final

from cachetools import LRUCache

from events.base import Value

MOST_KEYS: Final = 50_000
"""Whoever came longest ago is forgotten beyond that many."""


class Rate(Value, frozen=True, kw_only=True):
    """So many a second on average, and so many at once."""

    per_s: float
    burst: float


class TooMuch(Exception):
    """Somebody asks for more than is allowed."""

    def __init__(self, what: str, again_s: float) -> None:
        super().__init__(f"too many {what}; try again in {max(1, round(again_s))} s")
        self.what, self.again_s = what, again_s


class Buckets:
    """A bucket for each key, which refills at a rate."""

    def __init__(self, what: str, rate: Rate) -> None:
        """``what``: of which there may be too many."""
        self.what, self.rate = what, rate
        self._left: LRUCache[str, tuple[float, float]] = LRUCache(MOST_KEYS)
        """What is left, and as of when."""

    def take(self, key: str, amount: float = 1.0) -> None:
        """Take from a key's bucket. Raises ``TooMuch`` where not that much is left."""
        now, rate = time.monotonic(), self.rate
        left, since = self._left.get(key, (rate.burst, now))
        left = min(rate.burst, left + (now - since) * rate.per_s)
        enough = left >= amount
        self._left[key] = (left - amount if enough else left, now)
        if not enough:
            raise TooMuch(self.what, (amount - left) / rate.per_s)
