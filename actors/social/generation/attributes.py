"""Draws what characters are before a model writes about them (SOTOPIA, appendix C.2.1)."""

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Annotated, Final

import msgspec

from actors.seeded_draws import SeededDraws
from actors.social.catalog_items import BigFive, Character
from actors.toml_file import read_toml
from events.ids import derived_id

Texts = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
CHARACTER: Final = "c"
"""First letter of the ids of generated characters."""
TAGS: Final = ("generated",)
_PRONOUNS: Final = {"woman": "she/her", "man": "he/him", "nonbinary": "they/them"}


class NobodyLeft(ValueError):
    """Every first name is taken."""

    def __init__(self, names: int) -> None:
        super().__init__(f"all {names} first names are taken; there is nobody left to be drawn")
        self.names = names


class AttributeLists(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What characters are drawn from."""

    women: Texts
    men: Texts
    nonbinary: Texts
    last_names: Texts
    occupations: Texts
    ages: tuple[int, int]
    """The youngest and the oldest."""
    degrees: Texts
    """Of each of the five traits."""
    moral_values: Texts
    schwartz_values: Texts
    decision_styles: Texts

    @property
    def first_names(self) -> dict[str, str]:
        """The gender of each."""
        of = (("woman", self.women), ("man", self.men), ("nonbinary", self.nonbinary))
        return {name: gender for gender, names in of for name in names}


@cache
def attribute_lists() -> AttributeLists:
    """Those that come with Troupe. Raises ``BadFile``."""
    return read_toml(Path(__file__).parent / "attributes.toml", AttributeLists)


def draw_attributes(
    lists: AttributeLists, number: int, seed: int, taken: Collection[str] = ()
) -> Character:
    """The character of a number, from 0, that belongs to a seed, without a secret and without
    anything in prose. No two of the first 80 have a first name or an occupation in common, and none
    has one of the first names ``taken``. Raises ``NobodyLeft``."""
    all_of = SeededDraws("social-characters", str(seed))
    genders = lists.first_names
    names = [one for one in all_of.order("first", list(genders)) if one not in taken]
    if not names:
        raise NobodyLeft(len(genders))
    lasts = all_of.order("last", lists.last_names)
    first = names[number % len(names)]
    occupations = all_of.order("occupation", lists.occupations)
    # Whoever has a first name for the second time has another last name.
    last = lasts[(number + number // len(names)) % len(lasts)]
    draws = SeededDraws("social-character", str(seed), str(number))
    youngest, oldest = lists.ages
    traits = {name: draws.one(name, lists.degrees) for name in BigFive.__struct_fields__}
    return Character(
        id=derived_id(CHARACTER, str(seed), str(number), first, last),
        first_name=first,
        last_name=last,
        age=youngest + draws.below("age", oldest - youngest + 1),
        gender=genders[first],
        pronouns=_PRONOUNS[genders[first]],
        occupation=occupations[number % len(occupations)],
        big_five=BigFive(**traits),
        moral_values=tuple(draws.some("morals", lists.moral_values, 1 + draws.below("m", 2))),
        schwartz_values=tuple(draws.some("values", lists.schwartz_values, 2 + draws.below("v", 2))),
        decision_style=draws.one("style", lists.decision_styles),
        tags=TAGS,
    )
