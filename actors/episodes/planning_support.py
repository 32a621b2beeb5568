"""What a planning mind needs to know of an environment: its persona, its experiences, and its
questions, in terms that are the same for every environment.

``planning.living`` of a game answers with one of these for a seat's background, or with None: in
that case a planning mind stores the lines of the account as its memories, and is asked like any
other model.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

from actors.episodes.mind import Scene
from events.environments import Action
from events.thoughts import Block


class Persona(NamedTuple):
    """Who a thinking mind is (Generative Agents, section 4: the agent's summary description)."""

    name: str
    age: int = 0
    """Years; 0: not said."""
    innate: str = ""
    """Traits, with commas between."""
    learned: str = ""
    """What has become of it: occupation, interests; some sentences."""
    currently: str = ""
    """What it is about these days; with the goal, where it has one."""
    lifestyle: str = ""
    """When it sleeps, wakes and eats."""
    home: str = ""
    """``world:sector:arena``."""
    daily: str = ""
    """What each of its days must hold; empty: nothing."""


class Aim(NamedTuple):
    """A task that one has been set."""

    goal: str
    """What is wanted, addressed to it."""
    brief: str
    """The same in the third person."""
    criteria: str
    """When it counts as reached."""


class Experience(NamedTuple):
    """Something a seat has noticed or done, as a sentence."""

    number: int
    """The number of the event it came of."""
    at: float
    """Seconds since the episode's own time began."""
    kind: Literal["event", "talk"]
    text: str
    subject: str = ""
    """Whom or what it is about."""
    own: bool = False
    """It did it itself."""
    places: tuple[str, ...] = ()
    """Addresses that it knows from now on."""


class Met(NamedTuple):
    """Somebody in view."""

    seat: int
    name: str
    doing: str
    address: str = ""
    """Where they do it, as far as one can see."""


class Situation(NamedTuple):
    """What a seat is asked, and where and when."""

    asked: Literal["act", "say", "recap", "other"]
    """What it does next; what it says; what was agreed, to be told afterwards; anything else."""
    why: Literal["begins", "day", "done", "met", "parted", ""]
    """Why it is asked what it does: all begins; a new day begins; what it did is done; somebody
    came into view (it may go on with what it does); a talk is over."""
    at: float
    """Seconds since the episode's own time began."""
    now: datetime | None
    """The date and time there; None: there is no clock."""
    step_s: float = 60.0
    """Seconds of the shortest stretch of time there."""
    place: str = ""
    """The address it stands at."""
    doing: str = ""
    """What it is about; empty: nothing. After a talk: the talk."""
    since: float = 0.0
    """When that began, in seconds as ``at``."""
    until: float = 0.0
    """When that ends, in seconds as ``at``."""
    met: tuple[Met, ...] = ()
    """Who has come into view, for ``met``; the partner, for ``parted``, ``say`` and ``recap``."""
    around: tuple[Met, ...] = ()
    """All who are in view."""
    said: tuple[tuple[str, str], ...] = ()
    """The talk so far, or the one that is over: who, and what."""
    rounds_left: int = 0
    """How many utterances of one's own are left in the talk, this one among them."""


class Living(Protocol):
    """One seat's life, for the mind that leads it. Pure; nothing but what the seat may know."""

    persona: Persona
    aim: Aim | None
    known: Sequence[str]
    """Addresses that it knows when it begins."""
    remembered: Sequence[str]
    """What it remembers when it begins, a sentence each."""

    def lived(self, notices: Sequence[Any]) -> Sequence[Experience]:
        """What notices of the seat come to, oldest first."""
        ...

    def situation(self, scene: Scene) -> Situation:
        """What a scene's question is about."""
        ...

    def act(self, block: Block) -> Action:
        """To do what a block of a schedule says, from now on."""
        ...

    def carry_on(self) -> Action:
        """To go on with what one does."""
        ...

    def talk_to(self, seat: int) -> Action:
        """To begin a talk with somebody in view."""
        ...

    def say(self, text: str, ends: bool, about: str) -> Action:
        """To say something; ``ends``: it was one's last word; ``about``: what the talk is about, in
        a few words, where one knows."""
        ...

    def recap(self, text: str) -> Action:
        """To tell what came of a talk."""
        ...
