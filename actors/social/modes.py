"""The modes in which a social episode can be played (Zhou et al. 2024, 2403.05020): who decides for
the characters, and what that one knows."""

from collections.abc import Sequence
from typing import Final, Literal

from events.minds import MindSpec

Mode = Literal["interactive", "omniscient", "script-turn", "script"]
"""``interactive``: each seat has a mind of its own, which knows what its character may know.
``omniscient``: so it is, and each knows the profiles and goals of all. ``script-turn``: one mind
knows everything and writes one turn after the other, for whoever acts in it. ``script``: it writes
the whole dialogue at once."""

SCRIPTED: Final = frozenset({"script-turn", "script"})
"""Modes in which one mind writes for all seats: no seat has a view of its own."""

PROMPT_OF: Final[dict[Mode, str]] = {
    "omniscient": "omniscient-1",
    "script-turn": "script-turn-1",
    "script": "script-1",
}
"""The templates of the modes that bring one of their own."""

MOST_LINES: Final = 400
"""Actions of a script."""


def minds_fault(mode: Mode, minds: Sequence[MindSpec]) -> str | None:
    """Why these minds, one a seat, cannot play in a mode, as a sentence; None if they can."""
    if mode not in SCRIPTED:
        return None
    writes = f"in mode {mode!r} one mind writes for all seats"
    for mind in minds:
        if mind.kind == "person":
            return f"{writes} and knows everything, so a person cannot sit in one"
        if mind.kind == "generative":
            why = "a generative mind lives one character's life; name a mind of another kind"
            return f"{writes}, and {mind.name!r} cannot: {why}"
    if any(mind != minds[0] for mind in minds):
        names = ", ".join(dict.fromkeys(repr(mind.name) for mind in minds))
        return f"{writes}, so each seat needs the same; named are {names}"
    return None
