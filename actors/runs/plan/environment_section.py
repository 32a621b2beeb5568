"""The parts of hand-written files about the environment: its name, and its own section."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import msgspec
from msgspec import UNSET, UnsetType

from actors.episodes.registry import UnknownEnvironment, environment_named
from actors.toml_file import BadFile
from events.environments import installed

DEFAULT_ENVIRONMENT: Final = "social"
"""The environment of a file that names none."""

F = TypeVar("F", bound=msgspec.Struct)


def environment_of_file(written: Mapping[str, object], path: Path) -> str:
    """The environment that a file is for, whose section is there once at most, and no other's.
    Raises ``BadFile``."""
    name = str(written.get("environment", DEFAULT_ENVIRONMENT))
    try:
        own = environment_named(name)
    except UnknownEnvironment as error:
        raise BadFile(path, "environment", str(error)) from error
    for other in installed():
        if other != own.name and other in written:
            why = f"is for another environment; say environment = {other!r}, or take it out"
            raise BadFile(path, other, why)
    given = [one for one in (own.name, *own.plans.older_sections) if one in written]
    if len(given) > 1:
        raise BadFile(path, given[1], f"is an older name of [{given[0]}]; keep one of the two")
    return own.name


@cache
def with_section(file: type[F], environment: str) -> type[F]:
    """A file's shape with the section of an environment, under its name and under those it had
    before. Raises ``UnknownEnvironment``."""
    own = environment_named(environment)
    fields = [
        (name, own.plans.section | UnsetType, UNSET)
        for name in (own.name, *own.plans.older_sections)
    ]
    shape = msgspec.defstruct(file.__name__, fields, bases=(file,), frozen=True)
    return cast(type[F], shape)


def section_in(file: msgspec.Struct, environment: str) -> Any:
    """The environment's section of a file of that shape; None where the file leaves it out."""
    own = environment_named(environment)
    given = (getattr(file, name, UNSET) for name in (own.name, *own.plans.older_sections))
    return next((one for one in given if one is not UNSET), None)
