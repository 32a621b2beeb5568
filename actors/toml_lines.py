"""Finds the line number of every key in a TOML file."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

Place = tuple[str | int, ...]
"""Keys, and places in arrays from 0, from the top of the file down."""

TOKEN: Final = re.compile(
    r'''(?P<blank>[ \t\r]+|\#[^\n]*)
    |(?P<text>"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+(?:"{3,5})?|\'{3}(?:[^']++|'{1,2}(?!'))*+(?:\'{3,5})?
        |"(?:[^"\\\n]++|\\.)*+"?|'[^'\n]*+'?)
    |(?P<end>\n)
    |(?P<mark>[\[\]{},=.])
    |(?P<word>[^\s\[\]{},=."'\#]+)''',
    re.DOTALL | re.VERBOSE,
)
"""The parts of a text, be it TOML or not, in time that grows with its length alone. A string
without an end goes to the end of the text: ``tomllib`` reads nothing after it either."""


class _Token(NamedTuple):
    text: str
    line: int


def lines_of(text: str) -> Mapping[Place, int]:
    """The line, from 1, of every key, table and array element of a text that ``tomllib`` reads."""
    return _Lines(text).found


def line_of(lines: Mapping[Place, int], path: Place) -> int:
    """The line of a path, or of the nearest thing around it; 0 where there is none."""
    return next(
        (lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines),
        0,
    )


def dotted(path: Place) -> str:
    """A path as a person writes it: ``minds.gpt.stop[1]``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")


class _Lines:
    """Goes through the tokens once."""

    def __init__(self, text: str) -> None:
        self.found: dict[Place, int] = {}
        self._counts: dict[Place, int] = {}
        """How many tables each array of tables has so far."""
        self._tokens = list(_tokens(text))
        self._next = 0
        table: Place = ()
        while (token := self._take()).text:
            if token.text == "[":
                table = self._header(token.line)
            elif token.text != "\n":
                self._next -= 1
                self._pair(table)

    def _take(self) -> _Token:
        self._next += 1
        return self._tokens[self._next - 1]

    def _peek(self) -> str:
        return self._tokens[self._next].text

    def _header(self, line: int) -> Place:
        many = self._peek() == "["
        self._next += many
        path: Place = ()
        keys = self._keys()
        self._next += many
        for number, key in enumerate(keys, 1):
            path = (*path, key)
            if many and number == len(keys):
                self._counts[path] = self._counts.get(path, 0) + 1
            self.found.setdefault(path, line)
            if path in self._counts:
                path = (*path, self._counts[path] - 1)
                self.found.setdefault(path, line)
        return path

    def _pair(self, above: Place) -> None:
        line = self._tokens[self._next].line
        path = above
        for key in self._keys():
            path = (*path, key)
            self.found.setdefault(path, line)
        self._value(path)

    def _keys(self) -> list[str]:
        """The parts of a key, and what ends it."""
        keys = []
        while (part := self._take().text) not in ("=", "]", ""):
            if part != ".":
                keys.append(_key(part))
        return keys

    def _value(self, path: Place) -> None:
        match self._take().text:
            case "[":
                self._elements(path)
            case "{":
                while self._peek() not in ("}", ""):
                    if self._peek() in (",", "\n"):
                        self._next += 1
                    else:
                        self._pair(path)
                self._next += 1
            case _:
                while self._peek() not in (",", "]", "}", "\n", ""):
                    self._next += 1

    def _elements(self, path: Place) -> None:
        number = 0
        while self._peek() not in ("]", ""):
            if self._peek() in (",", "\n"):
                self._next += 1
                continue
            self.found.setdefault((*path, number), self._tokens[self._next].line)
            self._value((*path, number))
            number += 1
        self._next += 1


def _tokens(text: str) -> Iterator[_Token]:
    line = 1
    for match in TOKEN.finditer(text):
        if match.lastgroup != "blank":
            yield _Token(match[0], line)
        line += match[0].count("\n")
    yield _Token("", line)


def _key(token: str) -> str:
    if token[0] == "'":
        return token[1:-1]
    if token[0] == '"':
        return str(next(iter(tomllib.loads(f"{token} = 0"))))
    return token
