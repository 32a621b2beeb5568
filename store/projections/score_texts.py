"""The scores of an evaluation as a few texts, to each of which every score adds its part.

A row of a database costs more than all that is in a score, and an evaluation has a dozen of them.
Each text is a JSON array without its brackets, and with a comma behind each part. Where an
evaluation scored the same twice the later part counts.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from store.projections.types import as_key, as_list, as_whole, clean

_encode = msgspec.json.encode
_kinds = msgspec.json.Decoder(list[tuple[int, str, str]]).decode
_numbers = msgspec.json.Decoder(list[float | None]).decode
_words = msgspec.json.Decoder(list[str]).decode
WORDS: Final = ("reasons", "evidence", "quotes")
"""The texts of words; of evidence and quotes each part is a word, too: a JSON list."""


class Kind(NamedTuple):
    """What a score is, but for its value and the words with it."""

    at: int
    """Its place among the parts of each text."""
    seat: int
    """From 0; a log may hold a score of a seat that there is not."""
    dimension: str
    status: str


class Kinds(NamedTuple):
    """The scores of an evaluation that count, by seat and dimension."""

    kinds: tuple[Kind, ...]
    parts: int
    """Of each text, those that count no more among them."""


class SeatScore(NamedTuple):
    """A score without words."""

    seat: int
    dimension: str
    status: str
    value: float | None


def parts(
    seat: int,
    dimension: str,
    status: str,
    value: float | None,
    words: tuple[str, tuple[int, ...], tuple[str, ...]],
) -> dict[str, str]:
    """What a score adds to each text, by column. ``words``: reason, evidence, quotes."""
    reason, evidence, quotes = words
    return {
        "kinds": _kind(seat, dimension, status),
        "numbers": "null," if value is None else f"{value!r},",
        "reasons": _word(reason),
        "evidence": _list(evidence),
        "quotes": _list(quotes),
    }


@lru_cache(maxsize=4096)
def kinds_of(text: str) -> Kinds:
    """What the scores of an evaluation are, from its ``kinds``. Most evaluations of a judge have
    the same."""
    found = _kinds(f"[{text[:-1]}]")
    last = {(seat, name): (at, status) for at, (seat, name, status) in enumerate(found)}
    kinds = (Kind(at, seat, name, status) for (seat, name), (at, status) in sorted(last.items()))
    return Kinds(tuple(kinds), len(found))


def numbers_in(texts: str) -> list[float | None]:
    """The parts of ``numbers``, of one evaluation or of several joined."""
    return _numbers(f"[{texts[:-1]}]")


def words_in(texts: str) -> list[str]:
    """The parts of one of ``WORDS``, of one evaluation or of several joined."""
    return _words(f"[{texts[:-1]}]")


def scores_in(kinds: str, numbers: str) -> Iterator[SeatScore]:
    """The scores of an evaluation, by seat and dimension."""
    values = numbers_in(numbers)
    for at, seat, dimension, status in kinds_of(kinds).kinds:
        yield SeatScore(seat, dimension, status, values[at])


@lru_cache(maxsize=4096)
def _kind(seat: int, dimension: str, status: str) -> str:
    return f"{_encode((as_whole(seat), as_key(dimension), status)).decode()},"


@lru_cache(maxsize=4096)
def _list(items: tuple[int, ...] | tuple[str, ...]) -> str:
    return _word(as_list(items) or "")


def _word(text: str) -> str:
    return f"{_encode(clean(text)).decode()},"
