"""What an episode of the sandbox begins with, what is asked, answered, and what happens.

Time is counted in steps from 0; a step has ``step_s`` seconds, and nobody goes further than one
tile in it. Nothing here holds a tick: only what changes.
"""

from typing import Annotated, ClassVar, Final, Literal

from msgspec import Meta

from actors.sandbox.catalog_items import Case as Case
from actors.sandbox.catalog_items import Inhabitant, Task
from actors.sandbox.catalog_items import Partner as Partner
from actors.sandbox.map.town_map import TownMap
from actors.sandbox.prompt_names import FIRST
from events import environments
from events.base import Value

NAME: Final = "sandbox"
"""The environment's name."""
ENDINGS: Final = {
    "lived": "its time was over",
    "talked": "the talk was over",
}
"""Why an episode is over, in words."""

Tile = tuple[int, int]
"""Column from the left and row from the top, from 0."""


class Settings(environments.Settings, frozen=True, kw_only=True, tag="sandbox.Settings"):
    """How long a town lives and how its inhabitants perceive."""

    start: str = "2023-02-13 00:00:00"
    """The date and time of step 0."""
    steps: Annotated[int, Meta(ge=1, le=100_000)] = 2800
    """How many steps it lives."""
    step_s: Annotated[int, Meta(ge=1, le=3600)] = 60
    """Seconds a step."""
    radius: Annotated[int, Meta(ge=1, le=50)] = 8
    """How far one sees, in tiles to each side, within one's arena."""
    attention: Annotated[int, Meta(ge=1, le=100)] = 8
    """How many of the nearest events one perceives at once."""
    retention: Annotated[int, Meta(ge=0, le=100)] = 8
    """What one of so many perceived last was, is not new."""
    rounds: Annotated[int, Meta(ge=1, le=50)] = 8
    """Utterances each in a talk, at most."""
    talk_gap: Annotated[int, Meta(ge=0)] = 800
    """Steps before the same two talk again."""
    meet_gap: Annotated[int, Meta(ge=0)] = 60
    """Steps before somebody who came into view and was not talked to is asked about again."""
    talk_until: Annotated[int, Meta(ge=0, le=24)] = 23
    """The hour from which on nobody begins a talk."""
    know: Literal["own", "all"] = "own"
    """Which places all know at the start: their own home and what is nobody's, or all."""
    prompt: str = FIRST
    """The template by which plain models are asked what they say."""
    seed: int = 0
    """Decides what chance decides."""


class Town(environments.Setup, frozen=True, kw_only=True, tag="sandbox.Town"):
    """A town lives, and one of it has a task. Seat 0 is the performer's."""

    map: TownMap
    inhabitants: tuple[Inhabitant, ...]
    """One a seat. The performer's ``currently`` holds the goal."""
    task: Task | None = None
    settings: Settings = Settings()


# ---------------------------------------------------------------- questions and answers


Why = Literal["begins", "day", "done", "met", "parted"]
"""Why somebody is asked what they do."""


class WhatToDo(environments.Question, frozen=True, kw_only=True, tag="sandbox.WhatToDo"):
    """What do you do?"""

    at: int
    """The step."""
    why: Why
    """All begins; a new day begins; what was done is done; somebody came into view; a talk is
    over."""
    met: tuple[int, ...] = ()
    """Seats of those who came into view and can be talked to."""
    near: tuple[int, ...] = ()
    """Seats of others in view who can be talked to, where one does not just go on."""
    place: str = ""
    """Where one stands."""


class WhatToSay(environments.Question, frozen=True, kw_only=True, tag="sandbox.WhatToSay"):
    """What do you say?"""

    at: int
    talk: int
    """Talks of a town are counted from 0."""
    to: int
    """The partner's seat."""
    left: int
    """How many utterances of one's own are left, this one among them."""


class WhatWasAgreed(environments.Question, frozen=True, kw_only=True, tag="sandbox.WhatWasAgreed"):
    """What came of the talk? Put to the target of a case."""

    at: int = 0
    talk: int = 0
    to: int = 0


class Act(environments.Action, frozen=True, kw_only=True, tag="sandbox.Act"):
    """To do something somewhere for a while."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]
    """``making coffee``; it holds no ``@``."""
    address: Annotated[str, Meta(max_length=300)] = ""
    """``world:sector:arena:object`` or less of it; empty: where one stands."""
    emoji: Annotated[str, Meta(max_length=20)] = ""
    minutes: Annotated[int, Meta(ge=1, le=1440)] = 10


class CarryOn(environments.Action, frozen=True, kw_only=True, tag="sandbox.CarryOn"):
    """To go on with what one does."""


class TalkTo(environments.Action, frozen=True, kw_only=True, tag="sandbox.TalkTo"):
    """To begin a talk with somebody who came into view."""

    seat: Annotated[int, Meta(ge=0)]


class Say(environments.Action, frozen=True, kw_only=True, tag="sandbox.Say"):
    """To say something."""

    said: ClassVar[tuple[str, ...]] = ("text", "about")
    text: Annotated[str, Meta(max_length=2000)]
    ends: bool = False
    """It was the last word."""
    about: Annotated[str, Meta(max_length=200)] = ""
    """What the talk is about, in a few words: both then act ``conversing about …``."""
    to: int = -1
    """The partner's seat. Filled in where it is recorded."""


class Recap(environments.Action, frozen=True, kw_only=True, tag="sandbox.Recap"):
    """The question to a target to report the outcome of a talk."""

    text: Annotated[str, Meta(max_length=4000)]


class Idle(environments.Action, frozen=True, kw_only=True, tag="sandbox.Idle"):
    """No answer: recorded for a seat whose mind failed."""


# ---------------------------------------------------------------- what happens


class Fact(Value, frozen=True, kw_only=True, tag=True):
    """The root of what happens in an instant."""


class ActionStarted(Fact, frozen=True, kw_only=True):
    """Somebody does something from now on, or goes there to do it."""

    seat: int
    text: str
    address: str
    """As declared: from departure on."""
    emoji: str = ""
    until: int
    """The step at which it is done."""
    fault: str = ""
    """Why it is not what was wanted: ``unknown_place``, ``unreachable``, ``no_answer``; empty: it
    is."""


class Departed(Fact, frozen=True, kw_only=True):
    """Somebody goes, one tile a step. At this instant they stand on ``tile``."""

    seat: int
    tile: Tile
    way: str
    """A letter a step: ``N``, ``E``, ``S``, ``W``; ``.``: stays; empty: stands there."""


class Seen(Value, frozen=True, kw_only=True):
    """Somebody in view, and what they do."""

    seat: int
    text: str
    address: str
    came: bool = False
    """They have just come into view."""


class Noticed(Fact, frozen=True, kw_only=True):
    """Somebody perceives something new."""

    seat: int
    seen: tuple[Seen, ...] = ()
    """The nearest first."""
    learned: tuple[str, ...] = ()
    """Places that they know from now on."""


class TalkOpened(Fact, frozen=True, kw_only=True):
    """Two talk."""

    talk: int
    seats: tuple[int, int]
    """Who began it first."""


class TalkClosed(Fact, frozen=True, kw_only=True):
    """A talk is over; what it took passes now."""

    talk: int
    seats: tuple[int, int]
    about: str
    until: int
    """The step until which both act as conversing."""


AnyFact = ActionStarted | Departed | Noticed | TalkOpened | TalkClosed


class Happened(environments.Change, frozen=True, kw_only=True, tag="sandbox.Happened"):
    """All that happens in an instant before somebody is asked again, in the order of seats."""

    at: int
    """The step."""
    facts: tuple[AnyFact, ...]
    turn: int = 0
    """The last turn opened."""


class Told(environments.Change, frozen=True, kw_only=True, tag="sandbox.Told"):
    """A narrator says something."""

    text: str
    seats: tuple[int, ...] = ()
    """To whom; empty: to all."""
