"""The rules of a free line: one seat, one turn."""

from typing import Final

import msgspec

from actors.episodes.port.limits import Limits
from actors.episodes.port.rules import Ask, End, Happening, Rules
from actors.worldtree.free_lines.setup import (
    MOST_CHARACTERS,
    NoLine,
    WriteLine,
    Writing,
    WritingView,
    Wrote,
)
from actors.worldtree.trees.abilities import ABILITIES
from events.environments import Action
from events.episode import ActionTaken, Asked


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """The state of an episode."""

    setup: Writing
    taken: bool = False
    """The seat was asked, and has answered or failed; where it has failed the episode is given
    up."""


class LineRules(Rules[Writing, Page, WriteLine, Action]):
    """The line is asked for, and that is all."""

    def setup_fault(self, setup: Writing, seats: int) -> str | None:
        """One mind writes, and there is something to compare its line with."""
        if seats != 1:
            return f"one mind writes a line, not {seats}"
        return None if setup.candidates else "there is no line to compare with"

    def initial(self, setup: Writing) -> Page:
        """Before the turn."""
        return Page(setup=setup)

    def evolve(self, world: Page, event: Happening) -> Page:
        """The seat has answered."""
        return Page(setup=world.setup, taken=True) if isinstance(event, ActionTaken) else world

    def next_step(self, world: Page) -> Ask | End:
        """The line, or the end."""
        setup = world.setup
        if not world.taken:
            return Ask(asked=(Asked(seat=0, question=WriteLine(length=setup.length)),))
        summary: dict[str, str | int | float | bool] = {
            "kind": "line",
            "tree": setup.tree,
            "node": setup.node,
            "language": setup.language,
            "orientation": setup.orientation,
        }
        return End(reason="written", summary=summary)

    def action_fault(
        self, question: WriteLine, action: Action, seat: int, seats: int
    ) -> str | None:
        """No line, or one that is too long, or that shows what is no ability."""
        if not isinstance(action, Wrote):
            return "must be a line"
        if not action.text.strip():
            return "the line is empty"
        if len(action.text) > MOST_CHARACTERS:
            return f"the line has {len(action.text):,} characters; {MOST_CHARACTERS:,} at most"
        unknown = [one for one in action.abilities if one not in ABILITIES]
        return f"{unknown[0]!r} is none of the 32 abilities" if unknown else None

    def nothing(self, question: WriteLine) -> NoLine:
        return NoLine()


class LineLimits(Limits[Writing, WritingView]):
    def questions(self, setup: Writing, seats: int) -> tuple[int, ...]:
        return (1,)

    def reasks(self, background: WritingView) -> int:
        """As the settings say."""
        return background.reasks


RULES: Final = LineRules()
LIMITS: Final = LineLimits()
