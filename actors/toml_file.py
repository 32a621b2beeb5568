"""Reading a TOML file that a person wrote, with errors that person can act on."""

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from rapidfuzz import process

T = TypeVar("T")
_UNKNOWN = re.compile(r"unknown field `([^`]+)`")


class BadFile(ValueError):
    """A file that cannot be used. ``where`` is a line, or the path of a field such as
    ``minds.gpt.temperature``."""

    def __init__(self, path: Path | str, where: str, why: str) -> None:
        place = f"{path}, {where}" if where else str(path)
        super().__init__(f"{place}: {why}")
        self.path, self.where, self.why = str(path), where, why


def read_toml(path: Path, shape: type[T]) -> T:
    """The file at ``path`` as a ``shape``. Raises ``BadFile``."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadFile(path, "", "there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(path, "", f"cannot be read ({error})") from error
    return parse_toml(text, shape, path)


def parse_toml(text: str, shape: type[T], path: Path | str) -> T:
    """TOML text as a ``shape``; ``path`` names it in errors. Raises ``BadFile``."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadFile(path, "", f"not valid TOML: {error}") from error
    try:
        return msgspec.convert(data, shape)
    except msgspec.ValidationError as error:
        message, _, where = str(error).partition(" - at `")
        field = where.rstrip("`").removeprefix("$").lstrip(".")
        field = re.sub(r"\[(?:\.\.\.|(\d+))\]", lambda m: f"[{m[1]}]" if m[1] else "[…]", field)
        raise BadFile(path, field, _explain(message, shape)) from error


def _explain(message: str, shape: Any) -> str:
    """msgspec's message, with the nearest known field where one is misspelt."""
    unknown = _UNKNOWN.search(message)
    if not unknown:
        return message[0].lower() + message[1:]
    known = sorted(_field_names(shape))
    if unknown[1] in known:
        return f"the setting {unknown[1]!r} does not belong here"
    near = process.extractOne(unknown[1], known, score_cutoff=60)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"there is no setting {unknown[1]!r}{hint}"


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
