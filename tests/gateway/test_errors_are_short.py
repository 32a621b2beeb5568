"""Whatever an error echoes, it stays a sentence: 200 characters of an input, 1,000 of a reason."""

import importlib
import inspect
import pkgutil
import typing
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import UnionType

from actors.toml_file import BadFile
from gateway.error_sentences import OURS

HUGE = "\x1b[2J" + "x" * 100_000 + "\n"
MOST = 2_500
"""Two reasons and two inputs."""
APART = ("migrations", "conformance", "notebook", "lora")
"""Modules that need more than the core, or are no part of it."""

OF_OURS = ("kind", "what", "variable")
"""Parameters that the code itself fills in, whatever came from outside."""


def _all_errors() -> Iterator[type[BaseException]]:
    for package in map(importlib.import_module, OURS):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not set(module.name.split(".")) & set(APART):
                _import(module.name)
    waiting: list[type[BaseException]] = [BaseException]
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        ours = one.__module__.partition(".")[0] in OURS and ".notebook" not in one.__module__
        if ours and "__init__" in vars(one):
            yield one


def _import(name: str) -> None:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as missing:
        # What an extra brings may be absent; what is ours may not.
        if missing.name is None or missing.name.partition(".")[0] in OURS:
            raise


def _huge(kind: typing.Any) -> typing.Any:
    """A value of a type, as large as somebody outside can make it."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if kind in (str, object):
        return HUGE
    if kind in (int, float, bool):
        return kind(10**9)
    if kind is Path:
        return Path("/" + HUGE)
    if origin is typing.Literal:
        return parts[0]
    if origin in (typing.Union, UnionType):
        return _huge(parts[0])
    if origin in (list, tuple, Sequence, Iterable, Collection):
        # Names that the store has: their length is bounded where they are kept.
        return ["x" * 200] * 3 if parts[0] is str else [_huge(parts[0])] * 3
    if origin in (dict, Mapping):
        return {"x" * 200: "y" * 200}
    raise TypeError(f"no huge {kind}")


def _made(error: type[BaseException]) -> BaseException | None:
    """The error with everything in it huge; None where it takes what is built of many things."""
    hints = typing.get_type_hints(error.__init__)
    named, placed = {}, []
    for parameter in list(inspect.signature(error.__init__).parameters.values())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        try:
            ours = parameter.name in OF_OURS
            value = "word" if ours else _huge(hints[parameter.name])
        except TypeError:
            return None
        if parameter.kind is parameter.KEYWORD_ONLY:
            named[parameter.name] = value
        else:
            placed.append(value)
    return error(*placed, **named)


def test_an_error_echoes_little_of_what_was_wrong():
    made = [one for error in _all_errors() if (one := _made(error)) is not None]
    assert len(made) > 60
    long = {type(one).__qualname__: len(str(one)) for one in made if len(str(one)) > MOST}
    assert not long
    obeyed = [type(one).__qualname__ for one in made if "\x1b" in str(one)]
    assert not obeyed


def test_a_file_is_named_shortly_where_no_place_in_it_is():
    assert len(str(BadFile("x" * 100_000, "", "cannot be read"))) < MOST
