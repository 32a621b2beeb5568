"""Writes values as TOML, such that ``toml_text`` reads back the same values."""

import datetime
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from events.untrusted.safe_text import shortened

WIDTH: Final = 79
"""Columns of comments; longer lists are written a line an element."""
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


class NotInToml(ValueError):
    """TOML has no word for a value. ``where`` is its path, such as ``minds.gpt.seed``."""

    def __init__(self, where: str, value: object) -> None:
        super().__init__(f"{shortened(where)} holds a {type(value).__name__}")
        self.where, self.value = where, value


def table_text(table: Mapping[str, object]) -> str:
    """A whole file: what the table holds, then its ``[sections]``. Raises ``NotInToml``."""
    return "\n".join(_lines(table, ())).strip("\n") + "\n"


def _lines(table: Mapping[str, object], path: tuple[str, ...]) -> Iterator[str]:
    inner = {name: value for name, value in table.items() if isinstance(value, Mapping)}
    for name, value in table.items():
        if name not in inner:
            try:
                yield f"{key_text(name)} = {value_text(value)}"
            except TypeError:
                raise NotInToml(".".join((*path, str(name))), value) from None
    for name, value in inner.items():
        yield f"\n[{'.'.join(map(key_text, (*path, name)))}]"
        yield from _lines(value, (*path, name))


def value_text(value: object, *, indent: str = "", inline: bool = False) -> str:
    """A value in TOML. ``inline``: on one line, as tables in braces ask for. Raises ``TypeError``
    where TOML has no word for it."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return int.__repr__(value)  # of a subclass, too: NumPy's floats are of one
        case float():
            return float.__repr__(value)
        case str():
            return _text(value, inline=inline)
        case dict():
            pairs = [
                f"{key_text(key)} = {value_text(one, inline=True)}" for key, one in value.items()
            ]
            return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
        case list() | tuple():
            return _array(value, indent, inline=inline)
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
    raise TypeError(type(value).__name__)


def _array(values: Sequence[object], indent: str, *, inline: bool) -> str:
    deeper = indent + "  "
    texts = [value_text(one, indent=deeper, inline=inline) for one in values]
    line = f"[{', '.join(texts)}]"
    if inline or (len(line) <= WIDTH and "\n" not in line):
        return line
    return "[\n" + "".join(f"{deeper}{text},\n" for text in texts) + f"{indent}]"


def _text(text: str, *, inline: bool) -> str:
    lines = [_escaped(line) for line in text.split("\n")]
    if inline or len(lines) == 1:
        return '"' + "\\n".join(lines) + '"'
    return '"""\n' + "\n".join(lines) + '"""'


def _escaped(text: str) -> str:
    """JSON's escapes are TOML's, but that TOML does not take DEL as it is."""
    return json.dumps(text, ensure_ascii=False)[1:-1].replace("\x7f", "\\u007f")


def key_text(name: str) -> str:
    return name if _BARE.fullmatch(name) else f'"{_escaped(name)}"'
