"""The orders in which options are shown: functions of a hash, the same on every machine."""

import hashlib
from functools import lru_cache
from math import factorial, gcd
from typing import Final

from actors.worldtree.setup import Settings

Order = tuple[int, ...]
"""For each option shown its place as filed."""

MOST_OPTIONS: Final = 26
"""They are answered with letters."""


def order(settings: Settings, key: str, number: int, count: int) -> Order:
    """The order of question ``number`` (from 0) about ``count`` options. ``key`` names what is
    asked. No two of a turn's orders are alike while there are others, and each order is as likely
    as any other."""
    if count < 2:
        return tuple(range(count))
    word = f"{settings.seed}:{key}".encode()
    drawn = hashlib.blake2b(word, digest_size=32).digest()
    total = factorial(count)
    first = int.from_bytes(drawn[:16], "big") % total
    step = int.from_bytes(drawn[16:], "big") % total
    while gcd(step, total) != 1:
        step += 1
    return _permutation(count, (first + number * step) % total)


def orders(settings: Settings, key: str, count: int) -> tuple[Order, ...]:
    """Those of all the questions that are asked at once."""
    return tuple([order(settings, key, number, count) for number in range(settings.shuffles)])


@lru_cache(maxsize=1024)
def _permutation(count: int, place: int) -> Order:
    """The one at this place (from 0) among all of so many things, in lexical order."""
    left, found = list(range(count)), []
    for size in range(count - 1, -1, -1):
        chosen, place = divmod(place, factorial(size))
        found.append(left.pop(chosen))
    return tuple(found)
