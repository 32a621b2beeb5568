"""What travels but is not stored: commands, observations, replies and jobs.

What belongs to an environment (actions, questions, what a seat notices) is its own: a reader who
knows which environment an episode is of decodes it as that (``actors.episodes.delivery.wire``).
"""

from typing import Annotated, Any, Generic, Literal

from msgspec import Meta, field
from typing_extensions import TypeVar

from events.base import Value
from events.episode import A, ActionFailure, Q
from events.minds import MindSpec
from events.untrusted.limits import MOST_DETAIL, MOST_ID, MOST_NARRATED

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
    """The episode's id."""
    seat: int
    """From 0."""
    mind: str = ""
    """How the plan calls the mind in this seat, so that programs that share a plan know theirs."""
    turn: int
    """The turn to answer with ``TakeAction``."""
    news: tuple[N, ...]
    """All it noticed since it last acted; since the start when ``background`` is set."""
    left_out: int = 0
    """How many entries before the first of ``news`` were left out, the oldest ones, because all
    would not fit into one message. ``Look`` with ``before`` asks for them."""
    background: B | None = None
    """Who the seat is and what it knows before the first turn. Set in a seat's first observation
    and in answers to ``Look``."""
    questions: tuple[Posed[Q], ...] = ()
    """What it is asked in this turn and has not answered."""


class News(Message, Generic[N], frozen=True, kw_only=True):
    """What a remote seat notices while it is not asked anything. Published on
    ``troupe.<space>.seat.<episode>.<seat>.news`` for programs that follow the episode; the next
    observation repeats it, and each entry has its ``number``."""

    episode: str
    """The episode's id."""
    seat: int
    """From 0."""
    mind: str = ""
    """How the plan calls the mind in this seat."""
    news: tuple[N, ...]
    """All it noticed since it last acted, in order; in answer to a ``Look`` with ``before``, all it
    noticed before that."""
    left_out: int = 0
    """How many entries before the first of ``news`` were left out; as in ``Observation``."""


class EpisodeOver(Message, frozen=True, kw_only=True):
    """Told to every seat when the episode has ended, and to whoever looks at it afterwards: nothing
    more will be asked."""

    episode: str
    """The episode's id."""
    seat: int
    """From 0."""
    mind: str = ""
    """How the plan calls the mind in this seat."""
    reason: str
    """How it ended: one of the environment's endings, ``stopped``, ``failed``, or ``over``."""


# ---------------------------------------------------------------- commands


# No wider: what is wrong with a number is said with the number.
_Number = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
_Detail = Annotated[str, Meta(max_length=MOST_DETAIL)]
_Name = Annotated[str, Meta(max_length=MOST_ID)]


class TakeAction(Message, Generic[A], frozen=True, kw_only=True):
    """A seat acts. To ``troupe.<space>.episode.<id>.command``, or to its own
    ``troupe.<space>.seat.<id>.<seat>.command``."""

    seat: _Number
    """From 0."""
    turn: _Number
    """That of the observation."""
    question: _Number | None = None
    """The id of the question that is answered; None: the first that waits."""
    action: A
    """The environment's own. Where the environment has one kind of action, or one that all others
    extend, its tag may be left out."""
    failure: ActionFailure | None = None
    """Why the mind gave no usable action, where it did not."""
    participant: _Name = ""
    """The pseudonym of the person who acts; empty: it is a mind or a program that does. A seat that
    a person has taken is theirs alone."""


class Answer(Value, Generic[A], frozen=True, kw_only=True):
    """One of ``TakeActions``."""

    question: _Number | None = None
    """The question's id."""
    action: A
    """The environment's own."""
    failure: ActionFailure | None = None
    """Why there is no usable action, where there is none."""


class TakeActions(Message, Generic[A], frozen=True, kw_only=True):
    """A seat's answers to several questions of one turn. From an agent to the episode that the same
    worker plays: each is taken or refused as if it had come alone. Programs send a ``TakeAction``
    for each."""

    seat: _Number
    """From 0."""
    turn: _Number
    """That of the observation."""
    answers: tuple[Answer[A], ...]
    """One for each question."""


class Look(Message, frozen=True, kw_only=True):
    """A seat asks for everything it may know. If it is asked something now, its whole observation
    is sent again, else its next one will be whole; of an episode that is over it is told so."""

    seat: _Number
    """From 0."""
    before: _Number | None = None
    """Where an observation or ``News`` left something out: the ``number`` of its first entry. What
    came before that is sent as ``News``, and nothing else is."""


class StopEpisode(Message, frozen=True, kw_only=True):
    """The episode is to end now."""

    detail: _Detail = ""
    """Why, for those who may know everything. At most 2,000 characters."""


class TakeSeat(Message, frozen=True, kw_only=True):
    """A person sits down: in a free seat, or in the place of its mind. Their own seat again changes
    nothing."""

    seat: _Number
    """From 0."""
    participant: _Name
    """The person's pseudonym; not empty."""
    by: _Name = ""
    """Who seats them, where they do not themselves."""
    sealed: bool = False
    """Their words are to be sealed: refused where their key is not found."""


class ReleaseSeat(Message, frozen=True, kw_only=True):
    """A person's seat is to be somebody else's."""

    seat: _Number
    """From 0."""
    participant: _Name
    """The pseudonym of who sits there."""
    mind: MindSpec | None = None
    """Who takes it; None: as the episode's ``PeopleRules`` say."""
    reason: Literal["left", "late", "away", "removed"] = "left"
    """As in ``SeatReleased``."""
    by: _Name = ""
    """Who has it released, where they do not themselves."""


class PauseEpisode(Message, frozen=True, kw_only=True):
    """The episode is to wait: what minds answer is proposed. A paused one stays so."""

    by: _Name = ""
    """Who wants it."""


class StepEpisode(Message, frozen=True, kw_only=True):
    """What is proposed is to be taken, and a paused episode to go on by one turn."""

    by: _Name = ""
    """Who wants it."""


class GoOn(Message, frozen=True, kw_only=True):
    """A paused episode is to go on. One that is not paused does."""

    by: _Name = ""
    """Who wants it."""


class EditAction(Message, Generic[A], frozen=True, kw_only=True):
    """An action is to be taken in the place of what a seat's mind answers, or would."""

    seat: _Number
    """From 0."""
    turn: _Number
    """The open turn."""
    question: _Number | None = None
    """The id of the question that is answered; None: the first that waits."""
    action: A
    """The environment's own."""
    by: _Name
    """The researcher."""


class Narrate(Message, frozen=True, kw_only=True):
    """A narrator is to say something in the episode's world."""

    text: Annotated[str, Meta(min_length=1, max_length=MOST_NARRATED)]
    """What happens, in words."""
    seats: tuple[_Number, ...] = ()
    """Who notices it, from 0; empty: everybody."""
    by: _Name
    """The researcher."""


Command = (
    TakeAction
    | Look
    | StopEpisode
    | TakeSeat
    | ReleaseSeat
    | PauseEpisode
    | StepEpisode
    | GoOn
    | EditAction
    | Narrate
)


class Accepted(Message, frozen=True, kw_only=True):
    """The command was taken (or had been before)."""

    version: int
    """The last version of the stream after it."""
    before: bool = False
    """The turn was answered before, perhaps in other words, or what was wished for was so already:
    this command changed nothing."""


RefusalCode = Literal[
    "unreadable",
    "bad_action",
    "not_asked",
    "no_such_seat",
    "episode_over",
    "not_playing",
    "unknown_episode",
    "not_yours",
    "seat_taken",
    "not_paused",
    "no_narrator",
    "try_again",
    "refused",
]


class Refused(Message, Generic[Q], frozen=True, kw_only=True):
    """The command was not taken; nothing changed."""

    reason: str
    """Why, as a sentence."""
    code: RefusalCode = "refused"
    """Why, for programs. ``unreadable``: the message is no command; ``bad_action``: the action is
    no answer to its question, which waits for another; ``not_asked``: the seat is not asked that
    in this turn; ``no_such_seat``; ``episode_over``; ``not_playing``: nobody plays the episode at
    present, because it has not begun or its run waits, and its seats are asked when it goes on;
    ``unknown_episode``; ``not_yours``: somebody else sits there; ``seat_taken``: a person sits
    there already; ``not_paused``; ``no_narrator``: the environment has no words for one;
    ``try_again``: the same may be taken a little later; ``refused``: for
    another reason."""
    questions: tuple[Posed[Q], ...] = ()
    """With ``bad_action``: what the seat has still to answer in this turn."""


Reply = Accepted | Refused[Any] | EpisodeOver
"""``EpisodeOver`` answers a ``Look`` only."""


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
    """Episodes it has in hand that are played; not those that wait for people."""
    evaluation_slots: int
    """Evaluations it does at once."""
    evaluations: int
    """Evaluations it has in hand."""
    draining: bool = False
    """Takes no more jobs, and ends when those in hand are done or handed over."""
    runs: tuple[str, ...] = ()
    """Ids of the runs that it carries out: it queues what of them is not done."""
    serves: bool = False
    """Takes up runs that are left to a server."""
    waiting: dict[str, int] = field(default_factory=dict)
    """How many of its episodes wait for people, and take no place, by run; under the empty word
    those of none."""


# ---------------------------------------------------------------- jobs


class PlayEpisode(Message, frozen=True, kw_only=True):
    """Play an episode of a run to its end."""

    run: str
    """The run's id."""
    episode: str
    """The episode's id, which the run plans."""


class ContinueEpisode(Message, frozen=True, kw_only=True):
    """Play an episode whose stream exists already to its end."""

    episode: str
    """The episode's id."""
    run: str = ""
    """The run it is played for; empty for a fork."""


class Evaluate(Message, frozen=True, kw_only=True):
    """Score an episode with a judge, which is read from the log: what a job says decides neither
    what is asked nor where. The whole judge that earlier versions sent along is ignored."""

    evaluation: str
    """The id of the evaluation to be."""
    episode: str
    """The id of the episode to score."""
    judge_hash: str = ""
    """The judge's fingerprint. Empty: of an earlier version, which scores with one of the run's."""
    run: str = ""
    """The run it is done for; empty: none."""
    again_of: str = ""
    """The evaluation it is to better; empty: none."""


Job = PlayEpisode | ContinueEpisode | Evaluate
JobKind = Literal["episode", "evaluation"]
