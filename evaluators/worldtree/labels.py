"""How rows and scopes are called."""

from typing import Final

from actors.worldtree.tree import Language
from evaluators.worldtree.ability_values import AbilityRow
from evaluators.worldtree.goal_values import GoalRow

REHEARSAL: Final = "rehearsal: no language model"
GROUP_NAMES: Final = {"prosocial": "Prosocial", "proself": "Proself", "antisocial": "Antisocial"}
LANGUAGE_NAMES: Final[dict[Language, str]] = {"zh": "Chinese", "en": "English"}
PEOPLE: Final = ("average", "best", "person")
"""Kinds of rows that are about participants."""
BOUNDS: Final = ("chance", "ceiling")
POLARITIES: Final = {1: "positive", 0: "neutral", -1: "negative"}


def row_label(row: GoalRow | AbilityRow) -> str:
    """A row's name."""
    match row.kind:
        case "average":
            return f"People, average of {row.participants}"
        case "best":
            return "People, best in each cell"
        case "person":
            return f"Best single person, {row.who}"
        case "chance":
            return "Chance"
        case "ceiling":
            return "Ceiling"
    return row.who


def chip_of(row: GoalRow | AbilityRow) -> str:
    """What has to be known of a row's mind."""
    return REHEARSAL if row.rehearsal else ""
