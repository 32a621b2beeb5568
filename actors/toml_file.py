"""Reads a TOML file that a person wrote; errors say what to correct."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args

import msgspec

from actors import toml_text
from actors.toml_lines import dotted
from actors.toml_text import NotToml
from actors.typed_values import Fault, UnknownField, faults
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened

T = TypeVar("T")


class BadFile(ValueError):
    """A file that cannot be used. ``where`` is a line, or the path of a field such as
    ``minds.gpt.temperature``."""

    def __init__(self, path: Path | str, where: str, why: str) -> None:
        place = shortened(str(path)) + (f", {shortened(where)}" if where else "")
        super().__init__(f"{place}: {shortened(why, 1_000)}")
        self.path, self.where, self.why = str(path), where, why


class Table(NamedTuple):
    """What a file says, whatever its shape."""

    path: Path | str
    """Names the file in errors."""
    text: str
    data: dict[str, Any]

    def shaped(self, shape: type[T]) -> T:
        """It as a ``shape``. Raises ``BadFile``."""
        value = _shaped(self.data, shape, self.path)
        try:
            toml_text.check_values(self.text, self.data)
        except NotToml as error:
            raise _bad(self.path, error) from None
        return value


def read_toml(path: Path, shape: type[T]) -> T:
    """The file at ``path`` as a ``shape``. Raises ``BadFile``."""
    return read_table(path).shaped(shape)


def parse_toml(text: str, shape: type[T], path: Path | str) -> T:
    """TOML text as a ``shape``; ``path`` names it in errors. Raises ``BadFile``."""
    return parse_table(text, path).shaped(shape)


def read_source(path: Path) -> str:
    """The text of the file at ``path``. Raises ``BadFile``."""
    try:
        return toml_text.read_text(path)
    except NotToml as error:
        raise _bad(path, error) from None


def read_table(path: Path) -> Table:
    """The file at ``path``. Raises ``BadFile``."""
    return parse_table(read_source(path), path)


def parse_table(text: str, path: Path | str) -> Table:
    """TOML text; ``path`` names it in errors. Raises ``BadFile``."""
    try:
        return Table(path, text, toml_text.parsed(text))
    except NotToml as error:
        raise _bad(path, error) from None


def _shaped(data: dict[str, Any], shape: type[T], path: Path | str) -> T:
    try:
        return msgspec.convert(data, decodable(shape))
    except msgspec.ValidationError as error:
        fault = next(faults(data, shape), Fault((), str(error)))
        raise _misfit(path, fault, shape) from error


def _bad(path: Path | str, error: NotToml) -> BadFile:
    column = f", column {error.column}" if error.column else ""
    line = f"line {error.line}{column}" if error.line else ""
    return BadFile(path, error.field or line, error.why)


def nearest(given: str, known: Iterable[str], least: float = 0) -> str:
    """``; the nearest is 'x'`` for the nearest of some names, or nothing where none is near.
    ``least``: how much alike they are to be, of 100."""
    from rapidfuzz import process  # takes its time to load

    near = process.extractOne(given, list(known), score_cutoff=least)
    return f"; the nearest is {near[0]!r}" if near else ""


def _misfit(path: Path | str, fault: Fault, shape: Any) -> BadFile:
    if not isinstance(fault, UnknownField):
        return BadFile(path, dotted(fault.place), fault.why)
    *section, name = fault.place
    homes, why = " or ".join(_homes(shape, str(name))), fault.why
    if homes:
        why = f"the setting {name!r} does not belong here, but {homes}"
    return BadFile(path, dotted(tuple(section)), why)


def _homes(shape: Any, name: str) -> Iterator[str]:
    """Where a setting belongs: before all sections, or in some of them."""
    for field in _fields(shape):
        if field.encode_name == name:
            yield "before all [sections]"
        elif any(inner.encode_name == name for inner in _fields(field.type)):
            yield f"into [{field.encode_name}]"


def _fields(shape: Any) -> Iterator[msgspec.structs.FieldInfo]:
    """The fields of a struct, or of those in a union."""
    for kind in (shape, *get_args(shape)):
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            yield from msgspec.structs.fields(kind)
