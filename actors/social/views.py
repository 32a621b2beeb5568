"""What somebody may see of a social episode: the shapes that ``actors.social.sight`` fills."""

from typing import Final

import msgspec

from actors.episodes.port.game import Shapes
from actors.episodes.port.sight import Viewer
from actors.social.catalog_items import Character
from actors.social.modes import Mode
from actors.social.prompt_names import FIRST
from actors.social.setup import Plain, SocialSetup, TurnOrder
from events.base import Value


class VisibleCharacter(Value, frozen=True, kw_only=True):
    """A character as somebody may see it: what is hidden is None."""

    seat: int
    """Whose character it is, from 0."""
    label: str
    """How the viewer's transcript calls them: the name where it may be known, else ``Person 2``,
    …"""
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


class OtherSeat(VisibleCharacter, frozen=True, kw_only=True):
    """Another character as a seat may see it."""

    relationship: str
    """How the two stand to each other."""
    story: str = ""
    """The shared background."""
    secret: str | None = None
    """Set where each seat knows the profiles of all."""
    goal: str | None = None
    """Set where each seat knows the goals of all."""


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
    advice: tuple[str, ...] = ()
    """Passages of the goal that say how to go about it, and nothing that is the case."""
    others: tuple[OtherSeat, ...]
    turn_cap: int
    order: TurnOrder
    seed: int
    memory: str = ""
    """What this seat remembers of earlier episodes, ready to be read; empty: nothing."""
    prompt: str = FIRST
    """The template by which a language model in this seat is asked to act."""
    plain: Plain = "unreadable"
    """What a model's prose is."""
    mode: Mode = "interactive"
    """Whether the seat knows the profiles and goals of all, or its mind writes for all seats."""
    play: SocialSetup | None = None
    """Everything, for a mind that writes for all seats; None: it plays this one."""


class SeenAction(Value, frozen=True, kw_only=True):
    """An action as a seat noticed it."""

    number: int
    """The event's number in the episode's history."""
    turn: int
    seat: int
    """Who acted; -1: nobody, a narrator tells it."""
    label: str
    """Who acted, as this seat calls them."""
    kind: str
    """The action's, or ``narrated``."""
    text: str
    whisper: bool = False
    """True when only some seats notice it."""
    to: tuple[int, ...] = ()
    """The seats a whisper was for, to those who notice it."""
    failure: str = ""
    """Why the seat's mind gave no answer, so that ``kind`` is no choice of the character's. For the
    narrator, the judge and spectators: who plays notices nothing of it."""
    plain: bool = False
    """It was prose, taken for speech. For those as well."""


class Profile(VisibleCharacter, frozen=True, kw_only=True):
    """A character in a view of a whole episode."""

    secret: str | None = None
    """Set for the seat itself, the narrator and the judge, and where the episode is omniscient for
    every seat."""
    goal: str | None = None
    """As ``secret``."""


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


SHAPES: Final = Shapes(Background, SeenAction, View)
