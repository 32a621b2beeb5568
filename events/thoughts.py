"""What a mind that thinks has concluded. In stream ``agent-<episode>.<seat>``, beside its calls.

All that one decision led to is one event, appended before the answer is sent: after a crash either
all of it is there, and is answered again, or nothing, and the decision is made again from the
recorded answers of its calls.
"""

from typing import Generic, Literal

import msgspec

from events.base import Event, Value
from events.episode import A, ActionFailure


class Block(Value, frozen=True, kw_only=True):
    """A stretch of a day's schedule."""

    start: int
    """Minutes after midnight, 0 to 1,439."""
    minutes: int
    """How long it is; 1 to 1,440."""
    text: str
    """What is to be done."""
    address: str = ""
    """Where, ``world:sector:arena:object`` as far as it is decided; empty: not yet."""
    emoji: str = ""
    """A sign for it."""


class Thought(Value, frozen=True, kw_only=True, tag=True):
    """The root of what a mind can conclude."""


class DayPlanned(Thought, frozen=True, kw_only=True):
    """A day was planned, or the rest of it anew."""

    day: int
    """0 the first day of the episode, then 1, 2, …"""
    wake: int = 0
    """When the day begins for it: minutes after midnight."""
    plan: tuple[str, ...] = ()
    """The day in broad strokes, in its order."""
    schedule: tuple[Block, ...] = ()
    """The whole day, from midnight to midnight, without holes."""
    why: str = ""
    """What made it plan: empty: the day began."""


class MemoryAdded(Thought, frozen=True, kw_only=True):
    """A memory."""

    id: int
    """0, 1, 2, … in one agent."""
    kind: Literal["event", "thought", "talk"]
    """Something noticed or done; something concluded; what was said."""
    text: str
    """It in a sentence."""
    at: float
    """Seconds since the episode's own time began."""
    importance: float = 1.0
    """How much it matters: 1 to 10."""
    subject: str = ""
    """Whom or what it is about; empty: nobody in particular."""
    evidence: tuple[int, ...] = ()
    """Ids of the memories it was concluded from."""
    expires: float | None = None
    """When it is forgotten, in seconds as ``at``; None: never."""
    embedding: bytes = b""
    """What an embedding model answered: 32-bit floats, little-endian; empty: the embedder that the
    mind has makes it anew from the text, at no cost."""


class MemoriesRetrieved(Thought, frozen=True, kw_only=True):
    """Memories were looked up, and count as used."""

    ids: tuple[int, ...]
    """The best first."""
    at: float
    """Seconds since the episode's own time began."""
    query: str = ""
    """What they were looked up by."""


class Reflected(Thought, frozen=True, kw_only=True):
    """It thought about what it had lived through."""

    questions: tuple[str, ...] = ()
    """What it asked itself."""
    insights: tuple[int, ...] = ()
    """Ids of the thoughts that came of it."""


class StatusRevised(Thought, frozen=True, kw_only=True):
    """What it is about these days, in words of its own."""

    currently: str
    """All of it, as it reads now."""


class TaskPlanned(Thought, frozen=True, kw_only=True):
    """Target-driven planning (STSS, section 4): made once, before it begins."""

    plan: str
    """The general plan: some sentences."""
    reminder: str
    """What is put into the first day's plan."""
    checklist: tuple[str, ...]
    """What is to be got done, shown with every utterance."""


class FellBack(Thought, frozen=True, kw_only=True):
    """Something could not be concluded, since no usable answer came, and what was done without."""

    what: str
    """What was to be concluded, in a word or two: ``importance``, ``reflection``."""
    failure: ActionFailure
    """Why it was not."""
    instead: str
    """What was done without it, in a sentence."""


AnyThought = (
    DayPlanned
    | MemoryAdded
    | MemoriesRetrieved
    | Reflected
    | StatusRevised
    | TaskPlanned
    | FellBack
)


class Decided(Event, Generic[A], frozen=True, kw_only=True):
    """A question was decided on. ``action`` is sent to the episode, whose own ``ActionTaken`` says
    whether it was taken."""

    turn: int
    """The episode's turn: 1, 2, 3, …"""
    question: int = 0
    """Which of the seat's questions in this turn."""
    thoughts: tuple[AnyThought, ...] = ()
    """What it concluded on the way, in order."""
    action: A
    """The answer: the environment's own."""
    failure: ActionFailure | None = None
    """Why there is no better one."""
    at: float = msgspec.field(default=0.0)
    """Seconds since the episode's own time began."""
    noticed: int = -1
    """The number of the last event of the episode that it has taken in; -1: none yet."""
