"""Lazily imported parts of a game: a part's module is imported when the part is first used."""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Generic, TypeVar, cast, overload

P_co = TypeVar("P_co", covariant=True)


class Whole:
    given: Mapping[str, object]
    """Each part by its name: itself, or where it is found, as ``"module:NAME"``."""


class LazyPart(Generic[P_co]):
    """A part of something. Once it is found it is a plain attribute."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, whole: None, owner: type) -> "LazyPart[P_co]": ...

    @overload
    def __get__(self, whole: Whole, owner: type) -> P_co: ...

    def __get__(self, whole: Whole | None, owner: type) -> "LazyPart[P_co] | P_co":
        if whole is None:
            return self
        part = whole.given[self._name]
        if isinstance(part, str):
            part = resolve_name(part)
        whole.__dict__[self._name] = part
        # Where its type was forgotten: ``given`` holds parts of all kinds.
        return cast(P_co, part)
