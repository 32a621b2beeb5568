"""What somebody may see of a whole episode: the shapes that ``actors.social.visibility`` fills."""

from typing import Literal

from events.base import Value
from events.messages import SeenAction

Viewer = int | Literal["narrator", "judge", "spectator"]
"""A seat; or ``narrator`` and ``judge``, who may know everything; or ``spectator``, who may know
what is public."""


class Profile(Value, frozen=True, kw_only=True):
    """A character as the viewer may see it: what is hidden is None."""

    seat: int
    label: str
    """How the viewer's transcript calls them."""
    name: str | None = None
    age: int | None = None
    gender: str | None = None
    pronouns: str | None = None
    occupation: str | None = None
    public_info: str | None = None
    personality: str | None = None
    big_five: str | None = None
    moral_values: tuple[str, ...] | None = None
    schwartz_values: tuple[str, ...] | None = None
    decision_style: str | None = None
    secret: str | None = None
    """Set for the seat itself, the narrator and the judge."""
    goal: str | None = None
    """Set for the seat itself, the narrator and the judge."""


class Bond(Value, frozen=True, kw_only=True):
    """The relationship of two seats, as the viewer may know it."""

    seats: tuple[int, int]
    kind: str
    story: str = ""
    """Empty where there is none or the viewer may not know it."""


class View(Value, frozen=True, kw_only=True):
    """An episode after some event, as one viewer may see it."""

    viewer: Viewer
    context: str
    profiles: tuple[Profile, ...]
    """One a seat, in seat order."""
    bonds: tuple[Bond, ...]
    """A seat knows its own; pairs without one are strangers."""
    lines: tuple[SeenAction, ...]
    """What the viewer noticed, in order."""
    turn: int
    """The last turn opened."""
    ended: str = ""
    """``turn_cap``, ``left``, ``stale``, ``stopped`` or ``failed``; empty while it goes on."""
    detail: str = ""
    """More about the end; for narrator and judge."""
    memory: str = ""
    """What the viewer's seat remembers of earlier episodes; empty: nothing, or no seat."""

    @property
    def labels(self) -> tuple[str, ...]:
        """How the viewer calls each seat."""
        return tuple(profile.label for profile in self.profiles)
