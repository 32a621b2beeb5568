"""What is said at a table, and what can be understood of it: accusations, claims, hints at a word.

Sentences are read by the names and the few words of ``phrases.toml`` in them, whoever said them;
what is not understood counts for nothing.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

from actors.games.deals import places_of
from actors.games.rehearsal.purposes import bare
from events.serialization.struct_types import decodable

Temper = Literal["open", "cautious", "scheming"]


class HeardWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words by which a sentence is understood."""

    accusing: tuple[str, ...]
    clearing: tuple[str, ...]
    denying: tuple[str, ...]


class GamePhrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said, as ``phrases.toml`` has it."""

    heard: HeardWords
    small_talk: dict[Temper, tuple[str, ...]]
    suspect: tuple[str, ...]
    trust: tuple[str, ...]
    learned: tuple[str, ...]
    claim: tuple[str, ...]
    size: tuple[str, ...]
    half: tuple[str, ...]
    vague: tuple[str, ...]
    offer: dict[Temper, tuple[str, ...]]


@cache
def phrases() -> GamePhrases:
    """Those of the file beside this module."""
    text = Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), decodable(GamePhrases))


class Statement(NamedTuple):
    """What a sentence says of a seat."""

    about: int
    team: str = ""
    """Whose it is said to be; empty: nothing is said of that."""
    blames: bool = False
    """Whether it accuses; else it clears."""


class Hint(NamedTuple):
    """What a sentence says of the speaker's own word."""

    kind: Literal["size", "half"]
    value: str


class Understood(NamedTuple):
    """All that is understood of what somebody said."""

    statements: tuple[Statement, ...] = ()
    claims: tuple[str, ...] = ()
    """Names of roles, without their articles, that the speaker says to have."""
    hints: tuple[Hint, ...] = ()


_SENTENCES: Final = re.compile(r"[.!?;\n]+")
_CLAIM: Final = re.compile(r"\b(?:i am|i'm|i’m) (?:a |an |the )?")
_SIZE: Final = re.compile(r"\bis a (long|short) word\b")
_HALF: Final = re.compile(r"\bin the (first|second) half of the alphabet\b")
_LONG: Final = 7
"""Letters from which on a word is long."""


@lru_cache(maxsize=4096)
def understood(
    text: str, names: tuple[str, ...], titles: tuple[tuple[str, str], ...]
) -> Understood:
    """What a text says. ``names``: the players' in the order of seats; ``titles``: names of roles
    and teams in lower case, each with the team."""
    called = _called(names)
    statements: list[Statement] = []
    claims: list[str] = []
    hints: list[Hint] = []
    for sentence in _SENTENCES.split(text.casefold()):
        words = frozenset(re.findall(r"[\w'’-]+", sentence))
        if not words:
            continue
        hints += _hints(sentence)
        if words & _denying():
            continue
        for found in _CLAIM.finditer(sentence):
            rest = sentence[found.end() :]
            claims += [title for title, _ in titles if _begins(rest, title)][:1]
        about = [seat for seat, ways in enumerate(called) if ways & _runs(words, sentence, ways)]
        if about:
            statements += _statements(sentence, words, about, titles)
    return Understood(tuple(statements), tuple(claims), tuple(hints))


def _begins(text: str, title: str) -> bool:
    return text.startswith(title) and not text[len(title) : len(title) + 1].isalnum()


@lru_cache(maxsize=1024)
def _called(names: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """How each is called: by the whole name, or by a first name that no other has."""
    folded = [name.casefold() for name in names]
    firsts = [name.split()[0] for name in folded]
    return tuple(
        [
            frozenset({name, first} if firsts.count(first) == 1 else {name})
            for name, first in zip(folded, firsts, strict=True)
        ]
    )


def _runs(words: frozenset[str], sentence: str, ways: frozenset[str]) -> frozenset[str]:
    """Which of the ways to call somebody stand in a sentence."""
    return frozenset(way for way in ways if way in (words if " " not in way else sentence))


@cache
def _denying() -> frozenset[str]:
    return frozenset(phrases().heard.denying)


def _statements(
    sentence: str,
    words: frozenset[str],
    about: Sequence[int],
    titles: tuple[tuple[str, str], ...],
) -> Iterator[Statement]:
    named = next((team for title, team in titles if f" {title}" in sentence), "")
    heard = phrases().heard
    for seat in about:
        if named and words & {"is", "was", "with", "are"}:
            yield Statement(seat, team=named)
        elif words & frozenset(heard.clearing):
            yield Statement(seat)
        elif words & frozenset(heard.accusing):
            yield Statement(seat, blames=True)


def _hints(sentence: str) -> list[Hint]:
    found = [Hint("size", one) for one in _SIZE.findall(sentence)]
    return found + [Hint("half", one) for one in _HALF.findall(sentence)]


def fits(hint: Hint, word: str) -> bool:
    """Whether a word is as a hint says."""
    return hint in hints_at(word)


def hints_at(word: str) -> tuple[Hint, Hint]:
    """What can be told of a word that many others share."""
    long = sum(one.isalpha() for one in word) >= _LONG
    first = word.strip()[:1].casefold() <= "m"
    return Hint("size", "long" if long else "short"), Hint("half", "first" if first else "second")


def secret_values(template: str, told: str) -> Mapping[str, str]:
    """The drawn values that a secret tells, by their ids: ``told`` is ``template`` filled in."""
    names = places_of(template)
    parts = re.split(r"\{[a-z0-9.-]+\}", template)
    if not names or len(parts) != len(names) + 1:
        return {}
    found = re.fullmatch("(.+?)".join(map(re.escape, parts)), told, re.DOTALL)
    return {} if found is None else dict(zip(names, found.groups(), strict=True))


def with_the(team: str) -> str:
    """A team as phrases name it."""
    return "the " + bare(team.replace("-", " "))
