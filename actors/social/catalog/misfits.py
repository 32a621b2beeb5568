"""Whether characters fit a scenario: relationship, age and occupation (SOTOPIA, section 2.1)."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from actors.social.catalog_items import Character, RelationshipKind, Scenario

Constraint = Literal["relationship", "age", "occupation"]
"""What a scenario asks of its cast."""


class Misfit(NamedTuple):
    """A constraint that a cast does not satisfy."""

    constraint: Constraint
    reason: str


def kind_fits(scenario: Scenario, kind: RelationshipKind) -> bool:
    """Whether the scenario may be played by two who stand to each other like this."""
    return not scenario.relationships or kind in scenario.relationships


def seat_misfits(scenario: Scenario, seat: int, character: Character) -> tuple[Misfit, ...]:
    """What of a seat's constraints a character does not satisfy."""
    found = []
    if seat < len(scenario.ages):
        low, high = scenario.ages[seat]
        if not low <= character.age <= high:
            asked = f"seat {seat + 1} asks for an age of {low} to {high}"
            found.append(Misfit("age", f"{asked}, {character.name} is {character.age}"))
    word = scenario.occupations[seat] if seat < len(scenario.occupations) else ""
    if word.casefold() not in character.occupation.casefold():
        asked = f"seat {seat + 1} asks for the occupation {word!r}"
        occupation = f"has {character.occupation!r}" if character.occupation else "has none"
        found.append(Misfit("occupation", f"{asked}, {character.name} {occupation}"))
    return tuple(found)


def misfits(
    scenario: Scenario, cast: Sequence[Character], kinds: Sequence[RelationshipKind]
) -> tuple[Misfit, ...]:
    """What of a scenario's constraints a cast, and the relationships in it, do not satisfy."""
    found = [
        Misfit(
            "relationship",
            f"the scenario asks for {' or '.join(scenario.relationships)}, they are {kind}",
        )
        for kind in kinds
        if not kind_fits(scenario, kind)
    ]
    for seat, character in enumerate(cast):
        found += seat_misfits(scenario, seat, character)
    return tuple(found)
