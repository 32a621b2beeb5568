"""Whether two characters can be to each other what their relationship says: what family they may
be, and how far apart in age."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from actors.social.catalog_items import Character, Kinship, Relationship, RelationshipKind

ADULT: Final = 18
"""Years from which on somebody may be in a romance."""

YEARS_OLDER: Final[Mapping[Kinship, tuple[int, int]]] = MappingProxyType(
    {
        Kinship.PARENT: (14, 60),
        Kinship.GRANDPARENT: (30, 100),
        Kinship.STEP_PARENT: (10, 60),
        Kinship.PARENT_IN_LAW: (10, 60),
        Kinship.AUNT_OR_UNCLE: (-15, 60),
        Kinship.SIBLING: (-30, 30),
        Kinship.COUSIN: (-50, 50),
    }
)
"""How many years at least, and at most, somebody is older than the one to whom they are this; less
than none: younger. Other kin may be of any ages."""

_INVERSE: Final[Mapping[Kinship, Kinship]] = MappingProxyType(
    {
        Kinship.CHILD: Kinship.PARENT,
        Kinship.GRANDCHILD: Kinship.GRANDPARENT,
        Kinship.STEP_CHILD: Kinship.STEP_PARENT,
        Kinship.CHILD_IN_LAW: Kinship.PARENT_IN_LAW,
        Kinship.NIECE_OR_NEPHEW: Kinship.AUNT_OR_UNCLE,
    }
)
"""What the other is to somebody who is this to them."""


def kinship_fault(relationship: Relationship, two: Sequence[Character]) -> str:
    """What is odd about their kinship and their ages, as a sentence; empty where nothing is."""
    kin = relationship.kin
    if kin is not None and relationship.kind is not RelationshipKind.FAMILY:
        return f"is for family, and the two are {relationship.kind}"
    if relationship.kind is RelationshipKind.ROMANTIC or kin is Kinship.SPOUSE:
        for who in two:
            if who.age < ADULT:
                return f"the two are a couple, and {who.name} is {who.age}"
    if kin in _INVERSE:
        kin, two = _INVERSE[kin], two[::-1]
    if kin not in YEARS_OLDER:
        return ""
    least, most = YEARS_OLDER[kin]
    one, other = two
    if least <= one.age - other.age <= most:
        return ""
    asked = f"{least} to {most} years older" if least > 0 else f"{-least} years younger at most"
    if one.age - other.age > most:
        asked = f"{most} years older at most"
    return (
        f"{one.name} ({one.age}) is {other.name}'s {_words(kin)} and has to be {asked} than they"
        f" are ({other.age})"
    )


def _words(kin: Kinship) -> str:
    return kin.replace("_", " ").replace(" in law", "-in-law").replace("step ", "step-")
