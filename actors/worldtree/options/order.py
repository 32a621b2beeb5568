"""The orders in which options are shown: functions of a hash, the same on every machine."""

import hashlib
from functools import lru_cache
from itertools import permutations
from math import factorial, gcd
from typing import Final

Order = tuple[int, ...]
"""For each option shown its place as filed."""

MOST_OPTIONS: Final = 26
"""They are answered with letters."""
MOST_SHUFFLES: Final = 9
"""Of one question."""
_LISTED: Final = 5
"""Of so many options all orders are kept in memory."""


@lru_cache(maxsize=4096)
def orders_of(seed: int, shuffles: int, key: str, count: int) -> tuple[Order, ...]:
    """Those of all the questions about ``count`` options that are asked at once. ``key`` names what
    is asked. Each order is as likely as any other, and no two are alike as long as there are
    others. Raises ``ValueError`` for more questions
    or options than there can be."""
    if not (0 < shuffles <= MOST_SHUFFLES and count <= MOST_OPTIONS):
        raise ValueError(f"{shuffles} questions about {count} options")
    drawn = hashlib.blake2b(f"{seed}:{key}".encode(), digest_size=32).digest()
    total = factorial(count)
    first = int.from_bytes(drawn[:16], "big") % total
    step = int.from_bytes(drawn[16:], "big") % total
    while gcd(step, total) != 1:
        step += 1
    places = [(first + k * step) % total for k in range(shuffles)]
    if count <= _LISTED:
        listed = _permutations(count)
        return tuple([listed[place] for place in places])
    return tuple([_permutation(count, place) for place in places])


def _permutation(count: int, place: int) -> Order:
    """The one at this place (from 0) among all of so many things, in lexical order."""
    left, found = list(range(count)), []
    for size in range(count - 1, -1, -1):
        chosen, place = divmod(place, factorial(size))
        found.append(left.pop(chosen))
    return tuple(found)


@lru_cache(maxsize=_LISTED + 1)
def _permutations(count: int) -> tuple[Order, ...]:
    return tuple(permutations(range(count)))
