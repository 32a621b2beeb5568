"""What the fields of SOTOPIA's published catalog say, read without trusting them.

Each function reports what it cannot read to the row's ``Place`` and answers with nothing.
"""

import ast
import re
from collections.abc import Iterable
from typing import Final

import msgspec

from actors.social import markup
from actors.social.catalog_items import BigFive, RelationshipKind
from actors.social.formats.rows import RowPlace

KINDS: Final = tuple(RelationshipKind)
"""Published code 0 is a stranger, 1 known by name, … 5 family."""
SEATS: Final = 2
"""Every published scenario is for two."""
YOUNGEST: Final = 0
OLDEST: Final = 150

_NOTHING = ("", "nan", "none", "null", "[]")
_TRAITS = {
    "openness to experience": "openness",
    "openness": "openness",
    "conscientiousness": "conscientiousness",
    "extraversion": "extraversion",
    "agreeableness": "agreeableness",
    "neuroticism": "neuroticism",
}


def words(values: Iterable[str]) -> tuple[str, ...]:
    """The words that are not empty, without the spaces around them."""
    return tuple(filter(None, (value.strip() for value in values)))


def is_nothing(text: str | None) -> bool:
    """Whether a field says that there is nothing, as "nan" does."""
    return text is None or text.strip().lower() in _NOTHING


def kind_of(code: int | str, place: RowPlace) -> RelationshipKind | None:
    """From a code, as a number or in quotes."""
    word = str(code).strip()
    if word.isascii() and word.isdigit() and int(word) < len(KINDS):
        return KINDS[int(word)]
    place.fault("relationship", f"must be a code of 0 (stranger) to 5 (family), not {code!r}")
    return None


def big_five_of(text: str, place: RowPlace) -> BigFive:
    """From "Openness to Experience - High; Conscientiousness - Low; …"."""
    traits: dict[str, str] = {}
    for part in text.split(";"):
        name, dash, degree = part.partition("-")
        trait = _TRAITS.get(name.strip().lower())
        if not part.strip():
            continue
        if trait is None or not dash or not degree.strip() or trait in traits:
            place.fault("big_five", f"must be '<trait> - <degree>; …', each once; found {part!r}")
            return BigFive()
        traits[trait] = degree.strip().lower()
    return BigFive(**traits)


def ages_of(text: str | None, place: RowPlace) -> tuple[tuple[int, int], ...]:
    """From "[(18, 70), (18, 70)]"."""
    if text is None or is_nothing(text):
        return ()
    try:
        ages = msgspec.convert(ast.literal_eval(text.strip()), tuple[tuple[int, int], ...])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError, msgspec.MsgspecError):
        ages = ()
    if len(ages) != SEATS or not all(YOUNGEST <= young <= old <= OLDEST for young, old in ages):
        place.fault("age_constraint", f"must be like '[(18, 70), (18, 70)]', not {text!r}")
        return ()
    return ages


def occupations_of(text: str | None, place: RowPlace) -> tuple[str, ...]:
    """From "[actor, actor]"; a seat without a constraint has ``nan``."""
    if text is None or is_nothing(text):
        return ()
    bracketed = re.fullmatch(r"\s*\[(.*)\]\s*", text, re.DOTALL)
    given = [word.strip(" '\"") for word in bracketed[1].split(",")] if bracketed else []
    if len(given) != SEATS:
        place.fault("occupation_constraint", f"must be like '[actor, actor]', not {text!r}")
        return ()
    return tuple("" if is_nothing(word) else word for word in given)


def check_markup(field: str, text: str, place: RowPlace) -> None:
    """Whether a text's markup can be read."""
    try:
        markup.parse(text)
    except markup.BadMarkup as bad:
        place.fault(field, str(bad))
