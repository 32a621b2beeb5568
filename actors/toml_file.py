"""Reading a TOML file that a person wrote, with errors that person can act on."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin

import msgspec
from rapidfuzz import process

from actors import toml_text
from actors.toml_text import NotToml
from events.untrusted.safe_text import shortened

T = TypeVar("T")
_UNKNOWN = re.compile(r"unknown field `([^`]+)`")
_MISSING = re.compile(r"missing required field `([^`]+)`")
_WRONG = re.compile(r"Invalid enum value '([^']*)'")
_BEYOND = re.compile(r"^Expected `(?:int|float)` [<>]=? \S+$")
_STEP = re.compile(r"\.\w+|\[[^]]*\]")


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
        return msgspec.convert(data, shape)
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at `")
        field, kind, value = _place(where.rstrip("`").removeprefix("$"), data, shape)
        raise BadFile(path, field, _explain(message, shape, kind, value)) from error


def _bad(path: Path | str, error: NotToml) -> BadFile:
    column = f", column {error.column}" if error.column else ""
    line = f"line {error.line}{column}" if error.line else ""
    return BadFile(path, error.field or line, error.why)


def nearest(given: str, known: Iterable[str]) -> str:
    """``; the nearest is 'x'`` for the nearest of some names, or nothing where there is none."""
    near = process.extractOne(given, list(known))
    return f"; the nearest is {near[0]!r}" if near else ""


def _place(where: str, data: Any, shape: Any) -> tuple[str, Any, Any]:
    """The path of a field as msgspec names it, with the names of sections that it leaves out, and
    the field's type and value; None where they are not known."""
    names: list[str] = []
    for step in _STEP.findall(where):
        if step == "[...]":
            # msgspec does not say which value of a table is wrong; the first it came to is.
            inner = next((arg for arg in get_args(shape)[-1:]), Any)
            name = next((key for key in _entries(data) if not _fits(data[key], inner)), "…")
            data, shape = _entries(data).get(name), inner
            names.append(f".{name}")
        elif step.startswith("["):
            row = data if isinstance(data, list) else []
            data = next(iter(row[int(step[1:-1]) :]), None)
            shape = next(iter(get_args(shape)), None)
            names.append(step)
        else:
            fields = {field.encode_name: field.type for field in _fields(shape)}
            data, shape = _entries(data).get(step[1:]), fields.get(step[1:])
            names.append(step)
    return "".join(names).lstrip("."), shape, data


def _entries(data: Any) -> dict[str, Any]:
    return data if isinstance(data, dict) else {}


def _fields(shape: Any) -> Iterator[msgspec.structs.FieldInfo]:
    """The fields of a struct, or of those in a union."""
    for kind in (shape, *get_args(shape)):
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            yield from msgspec.structs.fields(kind)


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _explain(message: str, shape: Any, kind: Any, value: Any) -> str:
    """msgspec's message, with what would be right where that can be said: the nearest known
    setting, the values there are, or the range."""
    unknown = _UNKNOWN.search(message)
    if not unknown:
        return _value_or_whole(message, kind, value)
    known = sorted(_field_names(shape))
    if unknown[1] in known:
        homes = " or ".join(_homes(shape, unknown[1]))
        return f"the setting {unknown[1]!r} does not belong here{homes and f', but {homes}'}"
    near = process.extractOne(unknown[1], known, score_cutoff=60)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"there is no setting {unknown[1]!r}{hint}"


def _value_or_whole(message: str, kind: Any, value: Any) -> str:
    missing = _MISSING.search(message)
    if missing:
        return f"the setting {missing[1]!r} is missing"
    if _BEYOND.search(message):
        return f"must be {_range(kind)}, is {value}"
    values = [value for value in _values(kind) if isinstance(value, str)]
    wrong = _WRONG.search(message)
    if not wrong or not values:
        return message[0].lower() + message[1:]
    near = process.extractOne(wrong[1], values, score_cutoff=60)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"there is no {wrong[1]!r} here, but {', '.join(values)}{hint}"


def _range(kind: Any) -> str:
    """The numbers that a type takes, in words."""
    for meta in getattr(kind, "__metadata__", ()):
        match meta:
            case msgspec.Meta(ge=int() | float() as low, le=int() | float() as high):
                return f"{low:,} to {high:,}"
            case msgspec.Meta(gt=int() | float() as low, le=int() | float() as high):
                return f"more than {low} and at most {high}"
            case msgspec.Meta(ge=int() | float() as low):
                return f"{low} or more"
            case msgspec.Meta(gt=int() | float() as low):
                return f"more than {low}"
            case msgspec.Meta(le=int() | float() as high):
                return f"{high} or less"
    return next(filter(None, map(_range, get_args(kind))), "")


def _values(kind: Any) -> Iterator[Any]:
    """The values that a type lists, on its own or as one of several."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    for inner in get_args(kind):
        yield from _values(inner)


def _homes(shape: Any, name: str) -> Iterator[str]:
    """Where a setting belongs: before all sections, or in some of them."""
    for field in _fields(shape):
        if field.encode_name == name:
            yield "before all [sections]"
        elif any(inner.encode_name == name for inner in _fields(field.type)):
            yield f"into [{field.encode_name}]"


def _field_names(shape: Any) -> set[str]:
    """Every field name in a struct and in the structs inside it."""
    names: set[str] = set()
    seen: set[Any] = set()

    def visit(kind: Any) -> None:
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            if kind in seen:
                return
            seen.add(kind)
            for field in msgspec.structs.fields(kind):
                names.add(field.encode_name)
                visit(field.type)
        for inner in getattr(kind, "__args__", ()):
            visit(inner)

    visit(shape)
    return names
