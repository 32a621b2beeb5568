"""A value that is made once, by one thread, while other threads wait."""

from collections.abc import Callable
from functools import cache
from threading import RLock
from typing import Final, TypeVar

T = TypeVar("T")

_MAKING: Final = RLock()
"""One for all: what makes a value may ask for another."""


def once(make: Callable[[], T]) -> Callable[[], T]:
    """A function without arguments whose first answer is its answer for ever."""
    made = cache(make)

    @cache
    def answer() -> T:
        with _MAKING:
            return made()

    return answer
