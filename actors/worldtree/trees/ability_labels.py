"""From an ability as a file spells it to one of the 32.

Published labels are dirty: cut in two by the table they were copied from, misspelled, or called by
an older name. The rules are tried in turn, and the one that found the ability is recorded.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from actors.worldtree.trees.abilities import ABILITIES
from actors.worldtree.trees.tree import AbilityQuestion

Rule = Literal["letters", "joined", "prefix", "distance", "alias", "unresolved"]
"""``letters``: the same, but for anything that is no letter, and case; ``joined``: the same with
the question's second piece behind it; ``prefix``: how one ability alone begins or ends;
``distance``: one letter or two away; ``alias``: another name for it."""

MARKER: Final = "#"
"""What ``#question#``, ``#skill#`` and ``#state#`` begin with."""
_MARKER: Final = re.compile(r"#(?:question|skill|state)#")
_LEAST: Final = 5
"""Letters of a prefix or a suffix."""
_FARTHEST: Final = 2
"""Letters to insert, delete or change."""


def letters(text: str) -> str:
    """Its Latin letters alone, lower case."""
    return "".join(sign for sign in text.lower() if "a" <= sign <= "z")


_BY_LETTERS: Final = {letters(ability): ability for ability in ABILITIES}
_ALIASES: Final = {
    letters(alias): ability
    for alias, ability in {
        "responsibility regulation": "Responsibility Management",
        "anger regulation": "Anger Management",
        "information process": "Information Processing Skill",
        "information process skill": "Information Processing Skill",
        "adaptive": "Adaptability",
        "adaptive skill": "Adaptability",
        "communicational": "Conversational Skill",
        "communicational skill": "Conversational Skill",
        "capacity for stress regulation": "Stress Regulation",
    }.items()
}


class Resolved(NamedTuple):
    ability: str | None
    """None: nobody knows."""
    rule: Rule


@lru_cache(maxsize=4096)
def resolve(label: str, second: str = "") -> Resolved:
    """The ability that a label means. ``second``: the second piece of the question it is of, which
    may hold the rest of it."""
    key = letters(label)
    if ability := _BY_LETTERS.get(key):
        return Resolved(ability, "letters")
    if not second.lstrip().startswith(MARKER) and (
        ability := _BY_LETTERS.get(key + letters(second))
    ):
        return Resolved(ability, "joined")
    if len(key) >= _LEAST and (
        ability := _only(one for one in _BY_LETTERS if one.startswith(key) or one.endswith(key))
    ):
        return Resolved(ability, "prefix")
    if ability := _only(one for one in _BY_LETTERS if _near(one, key)):
        return Resolved(ability, "distance")
    if ability := _ALIASES.get(key):
        return Resolved(ability, "alias")
    return Resolved(None, "unresolved")


def abilities_of(labels: Sequence[str], second: str = "") -> tuple[str, ...]:
    """The abilities that some labels mean, each once, without those that mean none."""
    found = (resolve(label, second).ability for label in labels)
    return tuple(dict.fromkeys(ability for ability in found if ability))


def second_piece(question: AbilityQuestion | None) -> str:
    """The piece of a question that may hold the rest of a label."""
    return question.pieces[1] if question and len(question.pieces) > 1 else ""


def stray_marker(pieces: Sequence[str]) -> bool:
    """Whether a question's pieces hold a marker in the midst of a text, or a broken one."""
    return any(
        MARKER in _MARKER.sub("", piece) or _MARKER.search(piece.lstrip()[1:]) for piece in pieces
    )


def is_rest(piece: str) -> bool:
    """Whether a question's further piece is the end of a label that was cut, and none of the text
    that is asked."""
    key = letters(piece)
    return (
        bool(key)
        and len(key) == sum(map(str.isalpha, piece))
        and any(one.endswith(key) for one in _BY_LETTERS)
    )


def _near(one: str, other: str) -> bool:
    return Levenshtein.distance(one, other, score_cutoff=_FARTHEST) <= _FARTHEST


def _only(keys: Iterator[str]) -> str | None:
    """The ability, if there is exactly one."""
    first, second = next(keys, None), next(keys, None)
    return _BY_LETTERS[first] if first and not second else None
