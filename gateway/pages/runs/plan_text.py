"""Changing single settings in the text of a plan, whose comments and order stay as they are."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from actors.toml_lines import lines_of
from actors.toml_text import NotToml, parsed

Path = tuple[str, ...]

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_LINE: Final = re.compile(
    r"""^(?P<key>[^=#"']*?(?:"[^"]*"|'[^']*')?\s*=\s*)
    (?P<value>(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^#"'])*?)
    (?P<rest>\s*(?:\#.*)?)$""",
    re.VERBOSE,
)


class CannotBeWritten(ValueError):
    """A value that TOML has no words for."""


def with_settings(text: str, changes: Mapping[Path, Any]) -> str:
    """The text with some settings changed; None takes one out. Raises ``NotToml``.

    Lines are changed where that does what is meant; where it does not (a value over several lines,
    say) the text is written anew, and its comments are lost.
    """
    for path, value in changes.items():
        text = _changed(text, path, value)
    return text


def written(value: Any) -> str:
    """A value as TOML. Raises ``CannotBeWritten``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        # What JSON escapes TOML does, but for DEL, which it forbids.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(name)} = {written(one)}" for name, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    raise CannotBeWritten(f"{type(value).__name__} is nothing that a plan holds")


def _changed(text: str, path: Path, value: Any) -> str:
    meant = _meant(parsed(text), path, value)
    for attempt in (_in_its_line(text, path, value), _in_its_table(text, path, value)):
        if attempt is not None and _read(attempt) == meant:
            return attempt
    return _anew(meant)


def _meant(data: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    *tables, name = path
    inner = data
    for one in tables:
        inner = inner.setdefault(one, {})
    if value is None:
        inner.pop(name, None)
    else:
        inner[name] = value
    return data


def _in_its_line(text: str, path: Path, value: Any) -> str | None:
    """Where the setting stands in a line of its own."""
    at = lines_of(text).get(path)
    if not at:
        return None
    lines = text.split("\n")
    if isinstance(value, dict) or lines[at - 1].lstrip().startswith("["):
        return _without_table(lines, path) if value is None else None
    if value is None:
        return "\n".join(lines[: at - 1] + lines[at:])
    found = _LINE.match(lines[at - 1])
    if found is None:
        return None
    lines[at - 1] = f"{found['key']}{written(value)}{found['rest']}"
    return "\n".join(lines)


def _without_table(lines: Sequence[str], path: Path) -> str:
    """Without a table and those in it."""
    headers = re.compile(r"^\s*\[+(.*?)\]+\s*(?:#.*)?$")
    kept, inside = [], False
    for line in lines:
        if found := headers.match(line):
            inside = _parts(found[1])[: len(path)] == path
        if not inside:
            kept.append(line)
    return "\n".join(kept)


def _in_its_table(text: str, path: Path, value: Any) -> str | None:
    """Where the setting is new: at the end of its table, or of a new one at the end."""
    if value is None:
        return text
    *tables, name = path
    lines = text.split("\n")
    if isinstance(value, dict):
        body = [f"{_key(key)} = {written(one)}" for key, one in value.items()]
        return "\n".join([text.rstrip("\n"), "", f"[{_dotted(path)}]", *body, ""])
    line = f"{_key(name)} = {written(value)}"
    starts = [n for n, one in enumerate(lines) if one.lstrip().startswith("[")]
    if not tables:
        end = starts[0] if starts else len(lines)
        return "\n".join(_put(lines, end, line))
    mine = [n for n in starts if _header(lines[n]) == tuple(tables)]
    if not mine:
        return "\n".join([text.rstrip("\n"), "", f"[{_dotted(tables)}]", line, ""])
    end = next((n for n in starts if n > mine[0]), len(lines))
    return "\n".join(_put(lines, end, line))


def _put(lines: Sequence[str], end: int, line: str) -> list[str]:
    """A line before ``end``, behind the last one that is no comment and not empty."""
    while end and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return [*lines[:end], line, *lines[end:]]


def _header(line: str) -> Path:
    return _parts(line.strip().split("]")[0].lstrip("["))


def _parts(dotted: str) -> Path:
    try:
        inner: Any = parsed(f"[{dotted}]")
    except NotToml:
        return ()
    parts = []
    while isinstance(inner, dict) and inner:
        name, inner = next(iter(inner.items()))
        parts.append(name)
    return tuple(parts)


def _read(text: str) -> dict[str, Any] | None:
    try:
        return parsed(text)
    except NotToml:
        return None


def _anew(data: Mapping[str, Any]) -> str:
    """All of it, plain values first."""
    lines: list[str] = []

    def table(path: Path, inner: Mapping[str, Any]) -> None:
        plain = {name: one for name, one in inner.items() if not isinstance(one, dict)}
        tables = {name: one for name, one in inner.items() if isinstance(one, dict)}
        if path and (plain or not tables):
            lines.extend(["", f"[{_dotted(path)}]"])
        lines.extend(f"{_key(name)} = {written(one)}" for name, one in plain.items())
        for name, one in tables.items():
            table((*path, name), one)

    table((), data)
    return "\n".join(lines).lstrip("\n") + "\n"


def _dotted(path: Sequence[str]) -> str:
    return ".".join(map(_key, path))


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else written(name)
