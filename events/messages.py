"""What travels but is not stored: commands, observations, replies and jobs.

What belongs to an environment (actions, questions, what a seat notices) is its own: a reader who
knows which environment an episode is of decodes it as that (``actors.episodes.wire``).
"""

from typing import Any, Generic, Literal

from typing_extensions import TypeVar

from events.base import Value
from events.episode import A, ActionFailure, Q
from events.evaluation import JudgeSpec

B = TypeVar("B", default=Any)
N = TypeVar("N", default=Any)


class Message(Value, frozen=True, kw_only=True, tag=True):
    """The root of the tagged structs that are sent."""


# ---------------------------------------------------------------- what a seat is shown


class Posed(Value, Generic[Q], frozen=True, kw_only=True):
    """A question that waits for a seat's answer."""

    id: int = 0
    """To be named in ``TakeAction``."""
    question: Q
    """The environment's own."""


class Observation(Message, Generic[B, N, Q], frozen=True, kw_only=True):
    """What one seat is shown when it is asked something. Sent again until it is answered."""

    episode: str
    seat: int
    """From 0."""
    turn: int
    """The turn to answer with ``TakeAction``."""
    news: tuple[N, ...]
    """All it noticed since it last acted; since the start when ``background`` is set."""
    background: B | None = None
    """Who the seat is and what it knows before the first turn. Set in a seat's first observation
    and in answers to ``Look``."""
    questions: tuple[Posed[Q], ...] = ()
    """What it is asked in this turn and has not answered."""


class News(Message, Generic[N], frozen=True, kw_only=True):
    """What a remote seat notices while it is not asked anything. To
    ``troupe.<space>.seat.<episode>.<seat>.news``, for those who want to follow; it comes again in
    the next observation, and each entry has its ``number``."""

    episode: str
    seat: int
    news: tuple[N, ...]


class EpisodeOver(Message, frozen=True, kw_only=True):
    """Told to every seat when the episode has ended: nothing more will be asked of it."""

    episode: str
    seat: int
    reason: str


# ---------------------------------------------------------------- commands


class TakeAction(Message, Generic[A], frozen=True, kw_only=True):
    """A seat acts. To ``troupe.<space>.episode.<id>.command``."""

    seat: int
    """From 0."""
    turn: int
    """That of the observation."""
    question: int | None = None
    """The id of the question that is answered; None: the first that waits."""
    action: A
    """The environment's own. Where the environment has one kind of action its tag may be left
    out."""
    failure: ActionFailure | None = None
    """Why the mind gave no usable action, where it did not."""


class Look(Message, frozen=True, kw_only=True):
    """A seat asks for everything it may know: its whole observation is sent again."""

    seat: int


class StopEpisode(Message, frozen=True, kw_only=True):
    """The episode is to end now."""

    detail: str = ""


Command = TakeAction | Look | StopEpisode


class Accepted(Message, frozen=True, kw_only=True):
    """The command was taken (or had been before)."""

    version: int
    """The last version of the stream after it."""


class Refused(Message, frozen=True, kw_only=True):
    """The command was not taken; nothing changed."""

    reason: str


Reply = Accepted | Refused


# ---------------------------------------------------------------- the fleet


class WorkerReport(Message, frozen=True, kw_only=True):
    """What a worker answers to a request on ``troupe.<space>.workers``."""

    worker: str
    """``<host>-<process id>``."""
    software: str
    """Version of Troupe."""
    episode_slots: int
    """Episodes it plays at once."""
    episodes: int
    """Episodes it has in hand."""
    evaluation_slots: int
    evaluations: int
    draining: bool = False
    """Takes no more jobs, and ends when those in hand are done or handed over."""


# ---------------------------------------------------------------- jobs


class PlayEpisode(Message, frozen=True, kw_only=True):
    """Play an episode of a run to its end."""

    run: str
    episode: str


class ContinueEpisode(Message, frozen=True, kw_only=True):
    """Play an episode whose stream exists already to its end."""

    episode: str
    run: str = ""
    """The run it is played for; empty for a fork."""


class Evaluate(Message, frozen=True, kw_only=True):
    """Score an episode with a judge."""

    evaluation: str
    episode: str
    judge: JudgeSpec
    run: str = ""


Job = PlayEpisode | ContinueEpisode | Evaluate
JobKind = Literal["episode", "evaluation"]
