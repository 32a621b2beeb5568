"""How languages, scopes and rows of tables are called, and what is said below all of them."""

from collections.abc import Collection, Sequence
from typing import Final, TypeVar

from actors.text.amounts import many
from actors.worldtree.trees.tree import Language
from evaluators.worldtree.values.ability_values import AbilityRow
from evaluators.worldtree.values.goal_values import GoalRow
from evaluators.worldtree.values.results import LeftOut

R = TypeVar("R", GoalRow, AbilityRow)

REHEARSAL: Final = "rehearsal: no language model"
GROUP_NAMES: Final = {"prosocial": "Prosocial", "proself": "Proself", "antisocial": "Antisocial"}
LANGUAGE_NAMES: Final[dict[Language, str]] = {"zh": "Chinese", "en": "English"}
PEOPLE: Final = ("average", "best", "person")
"""Kinds of rows that are about participants."""
BOUNDS: Final = ("chance", "ceiling")
"""Kinds of rows that are about nobody: their cells have no counts."""
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
        case "chance" | "ceiling":
            return row.who.capitalize()
    return row.who


def short_label(row: GoalRow | AbilityRow) -> str:
    """A row's name where there is little room; a rehearsal mind's ends with ``*``."""
    match row.kind:
        case "average":
            return "People, mean"
        case "best":
            return "People, best"
        case "person":
            return f"Best: {row.who}"
        case "chance" | "ceiling":
            return row.who.capitalize()
    return f"{row.who}{'*' * row.rehearsal}"


def grouped(rows: Sequence[R]) -> list[list[R]]:
    """Rows as sheets part them: people, minds, bounds; those that there are."""
    kinds: tuple[Collection[str], ...] = (PEOPLE, ("mind",), BOUNDS)
    parts = ([row for row in rows if row.kind in kind] for kind in kinds)
    return [part for part in parts if part]


def chip_of(row: GoalRow | AbilityRow) -> str:
    """What has to be known of a row's mind."""
    return REHEARSAL if row.rehearsal else ""


def notes_on(rows: Sequence[GoalRow] | Sequence[AbilityRow], left: LeftOut) -> str:
    """What else has to be known to read rows with ``short_label``, a line each; and what no table
    counts."""
    people = next((row.participants for row in rows if row.kind == "average"), 0)
    not_counted = left_out_words(left)
    return (
        f"\nPeople: the mean of {people}; of each cell the best, pooled upward, which nobody need "
        "have got; the best single one."
        * bool(people)
        + "\n* a rehearsal mind: fixed rules, no language model, no finding."
        * any(row.rehearsal for row in rows)
        + f"\nNot counted: {not_counted}." * bool(not_counted)
    )


def left_out_words(left: LeftOut) -> str:
    """The episodes that no table counts; empty: there are none."""
    parts = (
        (left.unfinished, "not ended"),
        (left.given_up, "given up without an answer"),
        (left.forks, "forked off"),
        (left.superseded, "played again"),
        (left.others, "of other kinds or of trees that are not here"),
    )
    return ", ".join(f"{many(count, 'episode')} {what}" for count, what in parts if count)
