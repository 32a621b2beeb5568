"""What tables say of their rows beside figures, and of what they leave out."""

from collections.abc import Iterable

from evaluators.worldtree.ability_values import AbilityRow
from evaluators.worldtree.goal_values import GoalRow
from evaluators.worldtree.report.labels import row_label
from evaluators.worldtree.results import LeftOut


def row_name(row: GoalRow | AbilityRow) -> str:
    """A row's name where there is little room; a rehearsal mind's ends with ``*``."""
    return f"{row_label(row)}{'*' * row.rehearsal}"


def rehearsal_note(marks: Iterable[bool]) -> str:
    """What ``*`` is, where some row has it."""
    if not any(marks):
        return ""
    return "\n* a rehearsal mind: fixed rules, no language model, no finding."


def left_out_words(left: LeftOut) -> str:
    """What no table counts, where there is some."""
    parts = [
        (left.unfinished, "not ended"),
        (left.forks, "forked off"),
        (left.superseded, "played again"),
        (left.others, "of other kinds"),
    ]
    said = ", ".join(f"{count:,} {what}" for count, what in parts if count)
    return f"\nNot counted: episodes {said}." if said else ""
