"""What tables say of their rows beside figures, and of what they leave out."""

from collections.abc import Sequence

from evaluators.worldtree.ability_values import AbilityRow
from evaluators.worldtree.goal_values import GoalRow
from evaluators.worldtree.results import LeftOut


def row_name(row: GoalRow | AbilityRow) -> str:
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


def notes_on(rows: Sequence[GoalRow] | Sequence[AbilityRow], left: LeftOut) -> str:
    """What else has to be known to read rows, a line each; and what no table counts."""
    people = next((row.participants for row in rows if row.kind == "average"), 0)
    return (
        f"\nPeople: the mean of {people}; of each cell the best, pooled upward, which nobody need "
        "have got; the best single one."
        * bool(people)
        + "\n* a rehearsal mind: fixed rules, no language model, no finding."
        * any(row.rehearsal for row in rows)
        + left_out_words(left)
    )


def left_out_words(left: LeftOut) -> str:
    """What no table counts, where there is some."""
    parts = [
        (left.unfinished, "not ended"),
        (left.forks, "forked off"),
        (left.superseded, "played again"),
        (left.others, "of other kinds or of trees that are not here"),
    ]
    said = ", ".join(f"{count:,} {what}" for count, what in parts if count)
    return f"\nNot counted: episodes {said}." if said else ""
