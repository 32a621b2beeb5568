"""Verifies quotes: whether the words occur in an episode, and which seat said or did them."""

import re
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Final, NamedTuple

from actors.models.response_formats.schemas import Schema, list_schema, wording

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_GAP: Final = re.compile(r"\[?(?:…|\.{3,})\]?")
LEAST_WORDS: Final = 2
"""A single word is no evidence, unless it is all there was."""

MOST_QUOTED: Final = 200
"""Characters of a quote that a model is held to; it is read at any length."""
MOST_QUOTES: Final = 3
"""Quotes for one judgement that a model is held to."""


class Passage(NamedTuple):
    """What can be quoted from: one thing that somebody said or did."""

    seat: int
    number: int | None
    """The event; None in an earlier episode."""
    text: str
    head: str = ""
    """How the transcript introduces it, which is no part of a quote."""


class Quoted(NamedTuple):
    """Where a quote stands."""

    text: str
    """The words as they stand there."""
    seat: int
    number: int | None
    """The event; None in an earlier episode."""


class _Cut(NamedTuple):
    """A passage, cut into words."""

    seat: int
    number: int | None
    head: Sequence[str]
    text: str
    words: Sequence[str]
    spans: Sequence[tuple[int, int]]


class Quotable:
    """An episode, and perhaps earlier ones, to be quoted from."""

    def __init__(self, lines: Iterable[Passage], earlier: Iterable[Passage] = ()) -> None:
        self._lines = [_cut(line) for line in lines]
        self._earlier = [_cut(line) for line in earlier]

    def find(
        self, quote: str, seat: int, *, near: Container[int] = (), look_back: bool = False
    ) -> list[Quoted]:
        """Where a quote stands; empty where it stands nowhere. Case, punctuation and the spaces
        between words do not matter, and "…" may stand for words left out of one action.

        Of several places, those in the events ``near`` come before others, and those of ``seat``
        before those of others. ``look_back``: earlier episodes count, too.
        """
        parts = [words for part in _GAP.split(quote) if (words := _words(part))]
        if not parts:
            return []
        places = sorted(self._lines, key=lambda line: (line.number not in near, line.seat != seat))
        for line in [*places, *(self._earlier if look_back else ())]:
            found = _in(parts, line)
            if found:
                return [Quoted(text, line.seat, line.number) for text in found]
        return []

    def schema(self, fits: Callable[[str], bool], values: int, least: int = 1) -> Schema:
        """The schema of quotes that stand somewhere: the beginning of each passage that ``fits``
        where these are at most ``values``, else any words. The list is empty where none fits."""
        passages = dict.fromkeys(_beginning(line.text) for line in self._lines)
        fitting = [text for text in passages if text and fits(text)]
        several = len(fitting) > values
        quote = wording(MOST_QUOTED) if several else {"type": "string", "enum": fitting}
        return list_schema(quote, MOST_QUOTES, least)


def _beginning(text: str) -> str:
    """The first ``MOST_QUOTED`` characters of a passage, up to the end of a word, on one line and
    without marks that some servers take in no value."""
    plain = " ".join(text.replace('"', " ").replace("\\", " ").split())
    if len(plain) <= MOST_QUOTED:
        return plain
    return plain[: MOST_QUOTED + 1].rpartition(" ")[0]


def _cut(line: Passage) -> _Cut:
    found = list(_WORD.finditer(line.text))
    return _Cut(
        seat=line.seat,
        number=line.number,
        head=_words(line.head),
        text=line.text,
        words=[_plain(word[0]) for word in found],
        spans=[word.span() for word in found],
    )


def _in(parts: Sequence[Sequence[str]], line: _Cut) -> list[str]:
    """The passages of a line that are the parts of a quote, in order; empty where one is not."""
    first = _headless(parts[0], line.head)
    parts = [first, *parts[1:]] if first else parts[1:]
    found, begin = [], 0
    for part in parts:
        at = _index(part, line.words, begin)
        if at is None:
            return []
        begin = at + len(part)
        found.append(line.text[line.spans[at][0] : line.spans[begin - 1][1]])
    enough = sum(map(len, parts)) >= min(LEAST_WORDS, len(line.words))
    return found if enough else []


def _headless(part: Sequence[str], head: Sequence[str]) -> Sequence[str]:
    """A quote without the number, the turn and the name before what was said."""
    for begin in range(len(head)):
        if list(part[: len(head) - begin]) == list(head[begin:]):
            return part[len(head) - begin :]
    return part


def _index(part: Sequence[str], words: Sequence[str], begin: int) -> int | None:
    for at in range(begin, len(words) - len(part) + 1):
        if list(words[at : at + len(part)]) == list(part):
            return at
    return None


def _words(text: str) -> list[str]:
    return [_plain(word) for word in _WORD.findall(text)]


def _plain(word: str) -> str:
    return word.casefold().replace("’", "'")
