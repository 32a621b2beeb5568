"""Caches keyed by object identity, for values derived from large inputs: comparing such inputs by
value would take as long as deriving the result again."""

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class IdentityKey(Generic[T]):
    """A value as the key of a cache, which keeps it alive."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def cached_by_identity(maxsize: int) -> Callable[[Callable[[T], R]], Callable[[T], R]]:
    """Keep what a function returned for the ``maxsize`` values that it was called with last."""

    def decorated(function: Callable[[T], R]) -> Callable[[T], R]:
        @lru_cache(maxsize)
        def kept(key: IdentityKey[T]) -> R:
            return function(key.value)

        def called(value: T) -> R:
            return kept(IdentityKey(value))

        called.cache_clear = kept.cache_clear  # type: ignore[attr-defined]
        return update_wrapper(called, function)

    return decorated
