"""The items of a town catalog: towns, inhabitants, tasks, and cases (single talks cut from played
towns)."""

from typing import Literal

from actors.sandbox.map.town_map import TownMap
from actors.sandbox.prompt_names import FIRST
from events import environments
from events.base import Value

TaskKind = Literal["public", "appointment", "companions", "online", "help"]


class Inhabitant(Value, frozen=True, kw_only=True):
    """A character who lives in a town."""

    id: str
    """The full name."""
    first_name: str = ""
    last_name: str = ""
    age: int = 0
    """Years; 0: not said."""
    innate: str = ""
    """Traits, with commas between."""
    learned: str = ""
    """Occupation and interests, in some sentences."""
    currently: str = ""
    """What they are about these days."""
    lifestyle: str = ""
    """When they sleep, wake and eat."""
    home: str = ""
    """``world:sector:arena``."""
    daily: str = ""
    """What each day must hold; empty: nothing."""
    occupation: str = ""
    """A word or two, for rehearsal minds and lists; empty: to be found in ``learned``."""
    workplace: str = ""
    """``world:sector:arena``, where rehearsal minds spend their working hours."""
    temper: str = ""
    """How a rehearsal mind plays them; empty: as chance has it."""
    tags: tuple[str, ...] = ()


class Goal(Value, frozen=True, kw_only=True):
    """Something that is to be done (a sub-task where there are several, in their order)."""

    keyword: str
    """What an action's text holds that counts as doing it."""
    other_keywords: tuple[str, ...] = ()
    """Others that count as well."""
    start: str = ""
    """``2023-02-14 19:00``, in the town's time; empty: at any time."""
    minutes: int = 0
    """How long the window is."""
    place: str = ""
    """A part of the address it must be done at; empty: anywhere."""
    required: tuple[str, ...] = ()
    """Who must take part, as published."""


class Task(Value, frozen=True, kw_only=True):
    """A social task (STSS, section 3.1): one performer, background characters, and what counts."""

    id: str
    kind: TaskKind
    type: str = ""
    """As its authors call it: ``Party``."""
    town: str
    """The id of the map."""
    goal: str
    """What the performer wants, addressed to them."""
    brief: str
    """The same in the third person (published: FPG)."""
    description: str
    """When it counts as reached (published: Description)."""
    goals: tuple[Goal, ...]
    people: int
    """How many are to take part, the performer among them (published: target_num)."""
    targets: tuple[str, ...] = ()
    """Whom an appointment is to be made with."""
    performer: str
    characters: tuple[str, ...]
    """Everybody in the town, the performer first: who sits where."""
    performer_knows: tuple[str, ...] = ()
    """Places the performer knows beyond their own (published: required_spatial_mem)."""
    all_know: tuple[str, ...] = ()
    """Places that all know (published: shared_spatial_mem)."""
    note: str = ""
    environment_name: str = ""
    """As published: env_name."""
    tags: tuple[str, ...] = ()


class Partner(Value, frozen=True, kw_only=True):
    """One of the two who talk in a case."""

    inhabitant: Inhabitant
    doing: str = ""
    """What they were about when the talk opened."""
    address: str = ""
    memories: tuple[str, ...] = ()
    """What came to their mind, the best first."""
    schedule: tuple[str, ...] = ()
    """What is left of their day, a line each."""


class Case(environments.Setup, frozen=True, kw_only=True, tag="sandbox.Case"):
    """One talk, cut from a town's history (STSS, section 3.2). Seat 0 is the performer's, seat 1
    the target's, who tells afterwards what came of it."""

    id: str
    task: Task
    at: str
    """The date and time, ``2023-02-13 09:12:00``."""
    performer: Partner
    target: Partner
    source: str = ""
    """The episode it was cut from, and the number of the event: ``<episode>#<number>``."""
    rounds: int = 8
    """Utterances each, at most."""
    places: tuple[str, ...] = ()
    """Names of the town's sectors, for judges that go by words."""
    prompt: str = FIRST
    """The template by which plain models are asked what they say."""
    seed: int = 0
    """Decides what chance decides."""


class FrozenTask(Value, frozen=True, kw_only=True):
    """A task in whose towns it was looked for cases, whether there were any or not."""

    id: str
    kind: TaskKind
    towns: int = 0
    """How many of its towns were looked through."""


class Catalog(environments.Catalog, frozen=True, kw_only=True, tag="sandbox.Catalog"):
    """Towns, who lives there, and tasks."""

    towns: tuple[TownMap, ...] = ()
    inhabitants: tuple[Inhabitant, ...] = ()
    tasks: tuple[Task, ...] = ()
    cases: tuple[Case, ...] = ()
    """Talks cut from runs, to be played each by itself."""
    frozen_tasks: tuple[FrozenTask, ...] = ()
    """Where the cases are from."""
