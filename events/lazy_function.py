"""Functions that are loaded at their first call, so that naming them imports nothing."""

from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any


class LazyFunction:
    """A function of a module. It stands for that function wherever one is wanted."""

    __slots__ = ("_function", "where")

    def __init__(self, where: str) -> None:
        self.where = where
        """``module:NAME``."""
        self._function: Callable[..., Any] | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function says."""
        function = self._function = self._function or resolve_name(self.where)
        return function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"LazyFunction({self.where!r})"
