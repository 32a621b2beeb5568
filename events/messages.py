"""What travels but is not stored: commands, observations, replies and jobs."""

from typing import Literal

from events.base import Value
from events.catalog import Character
from events.episode import Action, ActionFailure, TurnOrder
from events.evaluation import JudgeSpec


class Message(Value, frozen=True, kw_only=True, tag=True):
    """The root of the tagged structs that are sent."""


# ---------------------------------------------------------------- what a seat is shown


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


class Observation(Message, frozen=True, kw_only=True):
    """What one seat is shown when it is asked to act. Sent again until it is answered."""

    episode: str
    seat: int
    turn: int
    """The turn to answer with ``TakeAction``."""
    news: tuple[SeenAction, ...]
    """All it noticed since it last acted; since the start when ``background`` is set."""
    background: Background | None = None
    """Set in a seat's first observation and in answers to ``Look``."""


class EpisodeOver(Message, frozen=True, kw_only=True):
    """Told to every seat when the episode has ended: nothing more will be asked of it."""

    episode: str
    seat: int
    reason: str


# ---------------------------------------------------------------- commands


class TakeAction(Message, frozen=True, kw_only=True):
    """A seat acts. To ``troupe.<space>.episode.<id>.command``."""

    seat: int
    turn: int
    action: Action
    failure: ActionFailure | None = None


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
