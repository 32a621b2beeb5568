"""How much anybody may ask for: token buckets, by token and by address."""

import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

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
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """What is left, and as of when."""

    def take(self, key: str, amount: float = 1.0) -> None:
        """Take from a key's bucket. Raises ``TooMuch`` where not that much is left."""
        now, rate = time.monotonic(), self.rate
        left, since = self._left.pop(key, (rate.burst, now))
        left = min(rate.burst, left + (now - since) * rate.per_s)
        enough = left >= amount
        self._left[key] = (left - amount if enough else left, now)
        if len(self._left) > MOST_KEYS:
            self._left.popitem(last=False)
        if not enough:
            raise TooMuch(self.what, (amount - left) / rate.per_s)


class Held:
    """How many of something each key holds at the same time: sockets."""

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most = what, most
        self._held: Counter[str] = Counter()

    @contextmanager
    def holding(self, *keys: str) -> Iterator[None]:
        """Hold one for each key; empty keys count nothing. Raises ``TooMuch``."""
        counted = [key for key in keys if key]
        if any(self._held[key] >= self.most for key in counted):
            for key in counted:
                self._drop(key, 0)
            raise TooMuch(self.what, 5.0)
        self._held.update(counted)
        try:
            yield
        finally:
            for key in counted:
                self._drop(key, 1)

    def _drop(self, key: str, count: int) -> None:
        self._held[key] -= count
        if not self._held[key]:
            del self._held[key]
