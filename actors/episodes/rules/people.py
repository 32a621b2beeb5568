"""The state of people in an episode: which seats they hold, and whether a researcher has paused
it."""

from typing import Final

import msgspec

from events.episode import ActionProposed
from events.minds import MindSpec

PERSON: Final = MindSpec(name="person", kind="person")
"""The mind of whoever sits down where a plan has none for people."""


class People(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The part of an episode's state that stays as it is where nobody takes part."""

    participants: tuple[str, ...] = ()
    """For each seat the pseudonym of the person there; empty: nobody. No seats: nobody anywhere."""
    displaced: tuple[MindSpec, ...] = ()
    """For each seat the last mind that was no person's; where a plan keeps it for people, theirs.
    No seats: those that are there."""
    paused: bool = False
    """A researcher has the episode wait."""
    stepping: bool = False
    """Though it is paused it goes on until the next turn is open."""
    proposed: tuple[ActionProposed, ...] = ()
    """What minds answered to questions of the open turn while it waited."""

    @property
    def held(self) -> bool:
        """What is answered is proposed only, and no turn is opened."""
        return self.paused and not self.stepping

    def participant(self, seat: int) -> str:
        """Who sits in a seat that there is; empty: no person."""
        return self.participants[seat] if self.participants else ""


NOBODY: Final = People()
OUTSIDE: Final = frozenset(("remote", "person"))
"""Kinds of minds whose seats are played from elsewhere: by a program, or by a person."""


def is_outside(mind: MindSpec) -> bool:
    """Whether a seat with this mind is played from elsewhere."""
    return mind.kind in OUTSIDE
