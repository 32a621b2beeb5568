"""What somebody may see of a social episode: the shapes that ``actors.social.sight`` fills."""

import msgspec

from actors.episodes.environment import Viewer
from actors.social.catalog_items import Character
from actors.social.setup import TurnOrder
from events.base import Value


class OtherSeat(Value, frozen=True, kw_only=True):
    """Another character as this seat may see it: hidden fields are None, the secret always is."""

    seat: int
    label: str
    """How the transcript calls them: the name where it may be known, else ``Person 2``, …"""
    relationship: str
    story: str = ""
    """The shared background."""
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


class Background(Value, frozen=True, kw_only=True):
    """Who a seat is, what it wants, and what it knows before the first turn."""

    episode: str
    seat: int
    character: Character
    """The seat's own character, secret included."""
    context: str
    """The situation, as this seat may read it."""
    goal: str
    """The seat's private goal with its own hints, markup resolved."""
    others: tuple[OtherSeat, ...]
    turn_cap: int
    order: TurnOrder
    seed: int
    memory: str = ""
    """What this seat remembers of earlier episodes, ready to be read; empty: nothing."""


class SeenAction(Value, frozen=True, kw_only=True):
    """An action as a seat noticed it."""

    number: int
    """The event's number in the episode's history."""
    turn: int
    seat: int
    label: str
    """Who acted, as this seat calls them."""
    kind: str
    text: str
    whisper: bool = False
    """True when only some seats notice it."""
    to: tuple[int, ...] = ()
    """The seats a whisper was for, to those who notice it."""


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


class SeenRelationship(Value, frozen=True, kw_only=True):
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
    relationships: tuple[SeenRelationship, ...] = msgspec.field(name="bonds")
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
