"""What somebody may see of a town or a case; ``actors.sandbox.sight`` fills it in."""

from typing import Final

from actors.episodes.port.game import Shapes
from actors.episodes.port.sight import Viewer
from actors.sandbox.catalog_items import Inhabitant, Task
from actors.sandbox.map.town_map import TownMap
from actors.sandbox.prompt_names import FIRST
from actors.sandbox.setup import Tile
from events.base import Value


class TaskKnown(Value, frozen=True, kw_only=True):
    """A task, as its performer knows it."""

    goal: str
    """What is wanted, addressed to them."""
    brief: str
    """The same in the third person."""
    criteria: str
    """When it counts as reached."""


class Resident(Value, frozen=True, kw_only=True, tag="town"):
    """Who a seat of a town is and what it knows before the first turn."""

    episode: str
    seat: int
    me: Inhabitant
    names: tuple[str, ...]
    """Who lives there, by seat."""
    world: str
    """The town's name, with which every address begins."""
    start: str
    """The date and time of step 0: ``2023-02-13 00:00:00``."""
    step_s: int
    """Seconds a step."""
    steps: int
    """How many the town lives."""
    rounds: int
    """Utterances each in a talk, at most."""
    known: tuple[str, ...]
    """Addresses of the places it knows at the beginning."""
    place: str
    """Where it stands."""
    task: TaskKnown | None = None
    """The performer's."""
    seed: int = 0
    """For rehearsal minds."""
    prompt: str = FIRST
    """The template by which a plain model is asked what it says."""
    memory: str = ""
    """What it remembers of earlier episodes."""


class Speaker(Value, frozen=True, kw_only=True, tag="case"):
    """Who a seat of a case is and what it knows before the talk."""

    episode: str
    seat: int
    me: Inhabitant
    names: tuple[str, ...]
    """The two, by seat."""
    start: str
    """The date and time of the talk."""
    rounds: int
    """Utterances each, at most."""
    doing: str = ""
    """What it was about when the talk opened."""
    place: str = ""
    """Where it is."""
    partner_doing: str = ""
    """What the other one was about."""
    memories: tuple[str, ...] = ()
    """What came to its mind, the best first."""
    schedule: tuple[str, ...] = ()
    """What is left of its day, a line each."""
    task: TaskKnown | None = None
    """The performer's."""
    seed: int = 0
    """For rehearsal minds."""
    prompt: str = FIRST
    """The template by which a plain model is asked what it says."""
    memory: str = ""
    """What it remembers of earlier episodes."""


class Did(Value, frozen=True, kw_only=True, tag="did"):
    """Somebody does something from now on, or goes there to do it. A seat notices its own; what
    others do it perceives."""

    number: int
    """The event's number in the episode's history."""
    turn: int
    at: int
    """The step."""
    seat: int
    text: str
    address: str
    emoji: str = ""
    until: int
    """The step at which it is done."""
    fault: str = ""
    """``unknown_place``, ``unreachable``, ``no_answer``; empty: it is what was wanted."""
    tile: Tile | None = None
    """Where they stand, where they set out or stop."""
    way: str = ""
    """From there, a letter a step."""


class Person(Value, frozen=True, kw_only=True):
    """Somebody in view."""

    seat: int
    name: str
    text: str
    """What they do."""
    address: str
    came: bool = False
    """They have just come into view."""


class Ground(Value, frozen=True, kw_only=True):
    """Where a place is that somebody has come to know. Tiles are counted row by row, in runs
    ``first:count`` with blanks between."""

    address: str
    inside: str
    """Tiles of the place and of all its parts."""
    free: str = ""
    """Those of them that are known with it and are not solid."""


class Perceived(Value, frozen=True, kw_only=True, tag="perceived"):
    """A seat perceives something new."""

    number: int
    turn: int
    at: int
    seat: int
    seen: tuple[Person, ...] = ()
    """The nearest first."""
    learned: tuple[str, ...] = ()
    """Places that it knows from now on."""
    ground: tuple[Ground, ...] = ()
    """Where these are, for a map: what it was told of at first has them not."""


class TalkBegun(Value, frozen=True, kw_only=True, tag="talk_begun"):
    """Two begin to talk; a seat notices its own talks."""

    number: int
    turn: int
    at: int
    talk: int
    seats: tuple[int, int]
    """Who began it first."""
    names: tuple[str, str]


class Said(Value, frozen=True, kw_only=True, tag="said"):
    """An utterance."""

    number: int
    turn: int
    at: int
    seat: int
    to: int
    text: str
    ends: bool = False
    """It was the last word."""


class TalkDone(Value, frozen=True, kw_only=True, tag="talk_done"):
    """A talk is over."""

    number: int
    turn: int
    at: int
    talk: int
    seats: tuple[int, int]
    about: str
    until: int
    """The step until which both act as conversing."""


class Recapped(Value, frozen=True, kw_only=True, tag="recapped"):
    """What came of a case's talk, as its target tells it. The performer does not notice it."""

    number: int
    turn: int
    seat: int
    text: str


class Unanswered(Value, frozen=True, kw_only=True, tag="unanswered"):
    """A seat's mind gave no answer; for those who have no seat."""

    number: int
    turn: int
    at: int = 0
    seat: int
    failure: str
    """Why."""


class Narrated(Value, frozen=True, kw_only=True, tag="narrated"):
    """A narrator says something."""

    number: int
    turn: int
    at: int = 0
    text: str
    seats: tuple[int, ...] = ()
    """To whom; empty: to all."""


Notice = Did | Perceived | TalkBegun | Said | TalkDone | Recapped | Unanswered | Narrated


class View(Value, frozen=True, kw_only=True):
    """A town or a case after some event, as one viewer may see it."""

    viewer: Viewer
    people: tuple[Inhabitant, ...]
    """By seat, as far as the viewer may know them."""
    start: str
    """The date and time of step 0."""
    step_s: int = 60
    """Seconds a step."""
    steps: int = 0
    """How many a town lives; 0: it is a case."""
    radius: int = 0
    """How far one sees."""
    task: TaskKnown | None = None
    """For narrator, judge and the performer."""
    full_task: Task | None = None
    """With what counts; for narrator and judge."""
    map: TownMap | None = None
    """To a seat, with the places alone that it knows at the beginning."""
    known: tuple[str, ...] = ()
    """The addresses of these; of a seat."""
    tiles: tuple[Tile | None, ...] = ()
    """Where everybody stands at step 0, as far as the viewer may know it."""
    place: str = ""
    """Where a seat is at first."""
    noticed: tuple[Notice, ...] = ()
    """In order."""
    turn: int = 0
    """The last turn opened."""
    ended: str = ""
    """The ending's name; empty while it goes on."""
    detail: str = ""
    """More about the end; for narrator and judge."""
    memory: str = ""
    """What the seat remembers of earlier episodes."""


TOWN_SHAPES: Final = Shapes(Resident, Notice, View)
CASE_SHAPES: Final = Shapes(Speaker, Notice, View)
