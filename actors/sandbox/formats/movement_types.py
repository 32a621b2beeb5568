"""The files in which Generative Agents and STSS keep what everybody did.

``movement/N.json`` holds step N of all, ``reverie/meta.json`` how long a step is, and
``master_movement.json`` of each step only who changed. Pickled states beside them are never read.
"""

from datetime import datetime
from typing import Final

import msgspec

STEPS: Final = "movement"
META: Final = "reverie/meta.json"
MASTER: Final = "master_movement.json"
BETWEEN: Final = " @ "
"""Between what one does and where."""
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)


class Moved(msgspec.Struct, frozen=True):
    """One person in one step."""

    movement: tuple[int, int]
    """Column and row."""
    pronunciatio: str
    """A sign for what they do."""
    description: str
    """``ACTION @ ADDRESS``."""
    chat: list[tuple[str, str]] | None = None
    """The talk they are in: who, and what; None: none."""


class StepMeta(msgspec.Struct, frozen=True):
    """When a step was."""

    curr_time: str
    """``February 13, 2023, 00:00:00``."""


class MovementStep(msgspec.Struct, frozen=True):
    """All of a town in one step: ``movement/N.json``."""

    persona: dict[str, Moved]
    meta: StepMeta


Master = dict[str, dict[str, Moved]]
"""By step, who changed in it."""


class Decider(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Troupe's: who decided for one person."""

    name: str = ""
    kind: str = ""
    """An ``events.minds.MindKind``."""
    model: str = ""
    agent: str = ""
    """``ga``, ``ga+tdp``, either with ``-coached``, or a temper."""


class Meta(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``reverie/meta.json``."""

    sec_per_step: int
    start_date: str = ""
    """``February 13, 2023``: its midnight is step 0, unless ``start_time`` says otherwise."""
    curr_time: str = ""
    """After the last step."""
    persona_names: list[str] = []
    """Everybody, in the order of their seats where Troupe wrote it."""
    step: int = 0
    """How many steps there are."""
    fork_sim_code: str = ""
    maze_name: str = ""
    start_time: str = ""
    """Troupe's: the moment of step 0."""
    task: str = ""
    """Troupe's: the task's id."""
    catalog: str = ""
    """Troupe's: the catalog that the task is of."""
    episode: str = ""
    """Troupe's: the episode that was written."""
    run: str = ""
    """Troupe's: the name of its run."""
    minds: list[Decider] = []
    """Troupe's: who decided, one a person, in the order of ``persona_names``."""


def clock_text(moment: datetime) -> str:
    """A moment as these files have it, whatever the language of this machine."""
    return f"{_MONTHS[moment.month - 1]} {moment:%d, %Y, %H:%M:%S}"


def clock_of(text: str) -> datetime:
    """The moment that a text says. Raises ``ValueError``."""
    month, _, rest = text.partition(" ")
    if month not in _MONTHS:
        raise ValueError(f"{text!r} is no time like 'February 13, 2023, 00:00:00'")
    try:
        return datetime.strptime(f"{_MONTHS.index(month) + 1} {rest}", "%m %d, %Y, %H:%M:%S")
    except ValueError:
        raise ValueError(f"{text!r} is no time like 'February 13, 2023, 00:00:00'") from None
