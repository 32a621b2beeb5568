"""The events of an episode of any environment. Stream ``episode-<id>``.

Event numbers. An episode's *history* is what ``troupe replay --at N`` counts: number N is the
N-th event, from 0. In an episode that was not forked this is the stream's version. A fork shares
its parent's history up to and including ``EpisodeForked.at``; its own events go on from there.
"""

from typing import Annotated, Any, Generic, Literal

import msgspec
from msgspec import Meta
from typing_extensions import TypeVar

from events.base import Event, Value
from events.environments import Action, Change, Question, Setup
from events.minds import MindSpec
from events.untrusted.limits import MOST_DETAIL, MOST_RAW

S = TypeVar("S", bound=Setup, default=Any)
Q = TypeVar("Q", bound=Question, default=Any)
A = TypeVar("A", bound=Action, default=Any)
C = TypeVar("C", bound=Change, default=Any)


class ActionFailure(Value, frozen=True, kw_only=True):
    """Why a seat's mind gave no usable action; the action recorded with it is the environment's
    *nothing*."""

    reason: Literal[
        "unreadable",
        "cut_off",
        "loop",
        "thoughts_only",
        "tool_call",
        "empty",
        "filtered",
        "too_long",
        "refused",
        "model_error",
        "timeout",
        "mind_error",
    ]
    """``unreadable``: no answer could be read; ``cut_off``: the answer reached its longest length
    before it was complete; ``loop``: it reached it saying the same over and over;
    ``thoughts_only``: there was reasoning and no answer; ``tool_call``: a tool was called instead;
    ``empty``: nothing was said; ``filtered``: a content filter withheld it; ``too_long``: the
    request was longer than the model takes; ``refused``: the server refused the request for another
    reason; ``model_error``, ``timeout``: no answer came; ``mind_error``: the mind itself failed, or
    answered what the rules forbid."""
    # Told in the schema, and held where a command is read: what is stored stays readable.
    detail: Annotated[str, Meta(extra_json_schema={"maxLength": MOST_DETAIL})] = ""
    """What went wrong, as a sentence. At most 2,000 characters."""
    raw: Annotated[str, Meta(extra_json_schema={"maxLength": MOST_RAW})] = ""
    """The last answer that could not be read. At most 16,000 characters; all of a model's answer is
    in its ``ModelAnswered``."""


class Origin(Value, frozen=True, kw_only=True):
    """Where an episode comes from that was simulated elsewhere."""

    id: str
    """What it is called there; empty where it has no name."""
    tag: str = ""
    """The experiment it belongs to there; empty where that is not known."""


class PeopleRules(Value, frozen=True, kw_only=True):
    """What is done where people are waited for. Nothing of it concerns seats of other minds."""

    deadline_s: float = 0.0
    """Seconds a person has for a turn; 0: as long as it takes."""
    nudge_s: float = 0.0
    """Seconds after which one who has not answered is reminded; 0: not at all."""
    late: Literal["nothing", "takeover", "end"] = "nothing"
    """What follows where the deadline has passed: the environment's *nothing* is recorded, with the
    failure ``timeout``; ``substitute`` takes the seat; or the episode ends."""
    substitute: MindSpec | None = None
    """Who takes a seat that a person is late in, or leaves. None: the mind that sat there before
    the person; where there was none the seat waits for somebody else."""
    reply_delay_s: float = 0.0
    """Seconds after which participants are shown what a seat did whose mind is no person, so that
    its speed does not give it away."""
    reply_delay_per_character_s: float = 0.0
    """And so many seconds more for each character of it."""


class EpisodeStarted(Event, Generic[S], frozen=True, kw_only=True):
    """Everybody took their seats. Holds all that the episode needs, so that later changes of the
    catalog do not change the past."""

    SCHEMA = 2

    run: str
    """Empty when it belongs to no run."""
    task: str
    """The task's id in the catalog."""
    catalog: str
    """The catalog's name."""
    environment: str
    """The environment's name, whose values are in ``setup`` and in all that follows."""
    setup: S
    """The environment's own."""
    scenario: str = ""
    """The id of what is played with this cast."""
    title: str = ""
    """What is played, as lists call it."""
    characters: tuple[str, ...] = ()
    """Who is in the seats, by name, one a seat."""
    minds: tuple[MindSpec, ...]
    """One mind a seat."""
    tags: tuple[str, ...] = ()
    """The task's tags, and those of whoever began the episode."""
    chain: str = ""
    """The chain it belongs to; empty: none."""
    index: int = 0
    """Its place in the chain: 0, 1, 2, …"""
    origin: Origin | None = None
    """Where it was simulated, if not here."""
    people: PeopleRules = PeopleRules()
    """What is done where people are waited for."""
    give_up_after: int = 3
    """So many answers of one seat that fail in a row give the episode up; 0: never."""


class EpisodeForked(Event, frozen=True, kw_only=True):
    """A new episode begins with the past of another. First event of a fork's stream."""

    parent: str
    """The episode forked from."""
    at: int
    """The last event number of the parent's history that is shared."""
    minds: tuple[MindSpec, ...]
    """One mind a seat, from here on."""
    run: str = ""
    """Empty when it belongs to no run."""


class Asked(Value, Generic[Q], frozen=True, kw_only=True):
    """A question put to a seat."""

    seat: int
    """From 0."""
    id: int = 0
    """Which of the questions that are put to this seat in this turn: 0, 1, 2, …"""
    question: Q
    """The environment's own."""


class TurnOpened(Event, Generic[Q], frozen=True, kw_only=True):
    """Some seats are asked something."""

    SCHEMA = 2

    turn: int
    """1, 2, 3, …"""
    asked: tuple[Asked[Q], ...]
    """At least one."""

    @property
    def seats(self) -> tuple[int, ...]:
        """Who is asked, each once."""
        match self.asked:
            case (one,):
                return (one.seat,)
        return tuple(dict.fromkeys(asked.seat for asked in self.asked))


class ActionTaken(Event, Generic[A], frozen=True, kw_only=True):
    """A seat answered a question."""

    SCHEMA = 2

    turn: int
    """The turn it was asked in."""
    seat: int
    """From 0."""
    question: int = 0
    """The question's id within the turn."""
    action: A
    """The environment's own."""
    failure: ActionFailure | None = None
    """Set where the seat's mind gave nothing that could be used: the action is no choice of its."""
    by: str = ""
    """The researcher who put it in the place of what the seat's mind would have done; empty: it is
    the mind's."""


class ActionProposed(Event, Generic[A], frozen=True, kw_only=True):
    """The mind of a seat answered a question while the episode was paused. Nobody notices it, and
    nothing follows from it before somebody has the episode go on."""

    turn: int
    """The turn it was asked in."""
    seat: int
    """From 0."""
    question: int = 0
    """The question's id within the turn."""
    action: A
    """The environment's own."""
    failure: ActionFailure | None = None
    """As in ``ActionTaken``."""


class WorldChanged(Event, Generic[C], frozen=True, kw_only=True):
    """Something happened in the environment that no seat did."""

    change: C
    """The environment's own."""
    by: str = ""
    """The researcher who had it happen; empty: it followed from the rules."""


class SeatTaken(Event, frozen=True, kw_only=True):
    """A person sits down in a seat that was free, or takes it over from its mind."""

    seat: int
    """From 0."""
    participant: str
    """The person's pseudonym."""
    mind: MindSpec
    """The mind in the seat from here on, of kind ``person``."""
    by: str = ""
    """Who seated them, where they did not themselves."""
    sealed: bool = False
    """Their words are sealed: without their key none is stored."""


class SeatReleased(Event, frozen=True, kw_only=True):
    """A person's seat is somebody else's again."""

    seat: int
    """From 0."""
    participant: str
    """The pseudonym of who sat there."""
    mind: MindSpec
    """The mind in the seat from here on; of kind ``person``: it is free."""
    reason: Literal["left", "late", "away", "removed"] = "left"
    """They left or handed it back; they did not answer in time; they were gone for too long; a
    researcher had them go."""
    by: str = ""
    """Who did it, where they did not themselves."""


class EpisodePaused(Event, frozen=True, kw_only=True):
    """The episode waits: what minds answer is proposed, and no turn is opened."""

    by: str = ""
    """Who wants it."""


class EpisodeStepped(Event, frozen=True, kw_only=True):
    """What is proposed is taken, and a paused episode goes on by one turn."""

    by: str = ""
    """Who wants it."""


class EpisodeContinued(Event, frozen=True, kw_only=True):
    """The episode waits no longer."""

    by: str = ""
    """Who wants it."""


class EpisodeEnded(Event, frozen=True, kw_only=True):
    """The episode is over."""

    reason: str
    """One of the environment's endings, or ``stopped``."""
    turn: int
    """The last turn played."""
    detail: str = ""
    """More about it, for those who may know everything."""
    summary: dict[str, str | int | float | bool] = msgspec.field(default_factory=dict)
    """What the environment has lists say of the episode, by a short name."""


class EpisodeFailed(Event, frozen=True, kw_only=True):
    """The episode was given up: its actor failed again and again, or the mind of one of its seats
    did."""

    reason: str
    """What went wrong, as a sentence."""
    attempts: int
    """How often it was tried; where a mind failed, how many of its actions did in a row."""


class EpisodeReopened(Event, frozen=True, kw_only=True):
    """Somebody who has mended what was wrong has an episode that was given up go on after all."""

    detail: str = ""
    """Who asked for it."""
