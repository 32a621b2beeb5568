"""A value that is made once, by one thread, while other threads wait."""

from collections.abc import Callable
from threading import RLock
from typing import Final, Generic, TypeVar

T = TypeVar("T")

BUILDING: Final = RLock()
"""Held while decoders are made. What msgspec knows of a struct is found when it is first needed and
can be seen half done by another thread, which ends the process with a segmentation fault."""


class Once(Generic[T]):
    """A function without arguments whose first answer is its answer for ever."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: T | None = None

    def __call__(self) -> T:
        """The answer; it is not None."""
        made = self._made
        if made is None:
            with BUILDING:
                if self._made is None:
                    self._made = self._make()
                made = self._made
        return made
