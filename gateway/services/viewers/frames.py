"""What a websocket carries: JSON texts, each one of these structs, named by its ``type``.

A field that has its default may be left out. Versions count what one viewer has been told, 1, 2,
3, … without holes, from the episode's beginning: they are the same on every gateway, and say
nothing of what happened unseen.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from actors.episodes.port.words import Entry, Portrait
from events.base import Value
from events.serialization.struct_types import decodable
from events.untrusted.limits import MOST_ID, MOST_NARRATED
from events.wire.messages import Message

PROTOCOL: Final = 1
"""Raised when what is said here changes its meaning."""

_Id = Annotated[str, Meta(max_length=MOST_ID)]
_Ref = Annotated[int, Meta(ge=0, le=2**53 - 1)]
_Seat = Annotated[int, Meta(ge=0, le=10_000)]


# ---------------------------------------------------------------- from the gateway


class Scene(Value, frozen=True, kw_only=True):
    """What the viewer knows before the first turn."""

    situation: str
    """What is given."""
    portraits: tuple[Portrait, ...]
    """One a seat, with what the viewer may know of it."""
    relationships: tuple[str, ...] = ()
    """What is between seats, a sentence or two each."""
    notes: tuple[tuple[str, str], ...] = ()
    """More that the viewer knows, each under a heading."""
    opening: Any = None
    """The environment's own view of the beginning, for its stage piece."""


LOCAL_MODEL: Final = "local model"
"""The kind of minds that are shown not to be any model: what they do is no finding."""


class Seated(Value, frozen=True, kw_only=True):
    """Who sits in a seat; told to those who know everything, and to nobody else."""

    seat: int
    """From 0."""
    mind: str
    """How the plan calls the mind."""
    kind: str
    """What kind of mind it is; of one that asks a local model ``local model``."""
    participant: str = ""
    """The pseudonym of the person there; empty: nobody."""
    waiting: bool = False
    """It is asked something and has not answered."""


class Happened(Message, frozen=True, kw_only=True):
    """One event, as the viewer noticed it."""

    version: int
    """1, 2, 3, … of what this viewer was told."""
    number: int | None = None
    """The event's number in the history; for those who know everything."""
    tag: str = ""
    """What kind of event it was; for those who know everything."""
    at: int
    """When it happened, or was to be seen, in microseconds since 1970-01-01 UTC."""
    turn: int
    """The last turn opened."""
    entries: tuple[Entry, ...] = ()
    """What was noticed, in words. To those who do not know everything an entry's ``number`` is the
    ``version``."""
    notices: tuple[Any, ...] = ()
    """The same as the environment's own structs, for its stage piece."""
    waiting: tuple[int, ...] = ()
    """The seats that the open turn asks, as far as the viewer may know; empty: none is open."""
    seats: tuple[Seated, ...] | None = None
    """Who sits where from here on, where that changed or is told first; for those who know
    everything."""
    paused: bool = False
    """The episode waits for a researcher; for those who know everything."""
    proposed: tuple[Entry, ...] = ()
    """What minds answered while it was paused; for those who know everything."""
    by: str = ""
    """The researcher whose doing it is; for those who know everything."""
    unnoticed: bool = False
    """No other seat has noticed it when it happens, though nobody is named who alone may: a choice
    that is hidden, for good or until the turn is closed. For those who know everything."""
    ended: str = ""
    """The ending's name; empty while it goes on."""
    ending: str = ""
    """The ending, as half a sentence."""
    detail: str = ""
    """More about the end; for those who know everything."""


class Welcome(Message, frozen=True, kw_only=True):
    """The answer to ``Hello``: the state as the viewer may know it."""

    protocol: int = PROTOCOL
    """Of this gateway."""
    episode: str
    """Its id in full."""
    viewer: str
    """``narrator``, ``spectator``, or ``seat``."""
    seat: int | None = None
    """Which seat, from 0."""
    environment: str
    """The environment's name: its stage piece is ``/static/environments/<name>/stage.js``."""
    stage_piece: bool = False
    """Whether it has one."""
    title: str = ""
    """What is played; for those who know everything."""
    version: int
    """Of the last thing in ``happened``, or that the viewer knew already."""
    scene: Scene | None = None
    """None: the viewer has resumed, and knows it."""
    happened: tuple[Happened, ...] = ()
    """All that the viewer was not told yet, oldest first."""
    more: bool = False
    """``happened`` goes on in ``Happenings`` that follow at once."""
    heartbeat_s: float
    """After how many seconds of silence a ``Ping`` comes; after three times as many the other side
    is gone."""


class Happenings(Message, frozen=True, kw_only=True):
    """Several ``Happened`` at once: what goes on behind a ``Welcome``, or was held up."""

    happened: tuple[Happened, ...]
    """Oldest first."""
    more: bool = False
    """There are more that follow at once."""


class PosedQuestion(Value, frozen=True, kw_only=True):
    """A question that waits for the viewer's seat."""

    id: int = 0
    """To be named in ``Act``."""
    question: Any
    """The environment's own."""
    text: str = ""
    """What is asked, in words."""
    options: tuple[tuple[str, str], ...] = ()
    """What can be chosen from: as the answer names it, and what it means."""
    hint: str = ""
    """How ``Act.text`` is typed."""
    answer_schema: dict[str, Any] | None = None
    """The JSON Schema of ``Act.answer``; None: only ``Act.text`` is taken."""


class AskedNow(Message, frozen=True, kw_only=True):
    """What the viewer's seat is asked now; no questions: nothing. Sent whenever that changes and
    behind each ``Welcome``."""

    turn: int
    """The turn to answer in."""
    questions: tuple[PosedQuestion, ...] = ()
    """Those without an answer."""
    until: int | None = None
    """When time is up, in microseconds since 1970-01-01 UTC; None: there is no limit."""
    nudge: bool = False
    """It is late: they are reminded."""
    missed: int = 0
    """How many turns in a row, up to the last that asked the seat, passed because the person there
    did not answer in time; 0 once they have answered."""


class SeatState(Message, frozen=True, kw_only=True):
    """How the viewer's own seat stands. Sent behind ``Welcome`` and whenever it changes."""

    mine: bool
    """The viewer sits there and may act."""
    free: bool = False
    """Nobody sits there who would act."""
    may_take: bool = False
    """``TakeMySeat`` would be taken."""


class Standing(Message, frozen=True, kw_only=True):
    """Why nothing happens, where that is no seat's doing; empty ``waits``: it goes on."""

    waits: str = ""
    """As a sentence: the process that plays it does not answer, the database is away."""


class TypingNow(Message, frozen=True, kw_only=True):
    """Somebody in another seat is at it. Never stored."""

    seat: int
    """From 0."""


class Done(Message, frozen=True, kw_only=True):
    """What was asked for under ``ref`` is done, or was before."""

    ref: int
    """As it was sent."""
    before: bool = False
    """It was done before; this time nothing changed."""


class NotDone(Message, frozen=True, kw_only=True):
    """What was asked for under ``ref`` is not done; nothing changed."""

    ref: int
    """As it was sent."""
    code: str
    """For programs: one of ``events.wire.messages.RefusalCode``, ``forbidden``, or
    ``bad_frame``."""
    reason: str
    """Why, as a sentence."""


LeavingReason = Literal["restart", "slow", "expired"]


class Leaving(Message, frozen=True, kw_only=True):
    """The gateway is about to close the socket; the client is to connect again."""

    reason: LeavingReason
    """Why."""
    after_s: float = 0.0
    """When to come back, in seconds."""


class Ping(Message, frozen=True, kw_only=True):
    """Are you there?"""


ServerFrame = (
    Welcome
    | Happened
    | Happenings
    | AskedNow
    | SeatState
    | Standing
    | TypingNow
    | Done
    | NotDone
    | Leaving
    | Ping
)


# ---------------------------------------------------------------- from the client


class Hello(Message, frozen=True, kw_only=True):
    """The first frame. What a viewer may be follows from the token; who knows everything may look
    as somebody else."""

    token: str = ""
    """Empty: that of the session's cookie."""
    episode: _Id
    """Its id."""
    viewer: Annotated[str, Meta(max_length=20)] = ""
    """``narrator``, ``spectator``, or a seat from 1, as people count; empty: what the token is
    for."""
    version: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    """The last that the client was told; 0: nothing."""


class Act(Message, frozen=True, kw_only=True):
    """An answer to a question: by its schema, or as a person types it."""

    ref: _Ref
    """Named by the reply. The same frame may be sent again: it counts once."""
    turn: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    """That of ``AskedNow``."""
    question: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    """The question's id."""
    answer: Any = None
    """By ``answer_schema``; None: ``text`` it is."""
    text: Annotated[str, Meta(max_length=100_000)] = ""
    """As a person types it at a terminal."""


class TakeMySeat(Message, frozen=True, kw_only=True):
    """Sit down: in the seat that the token is for; who knows everything may name another."""

    ref: _Ref
    """Named by the reply."""
    seat: _Seat | None = None
    """From 0; None: the viewer's."""


class LeaveMySeat(Message, frozen=True, kw_only=True):
    """Hand the seat back."""

    ref: _Ref
    """Named by the reply."""
    seat: _Seat | None = None
    """From 0; None: the viewer's."""


class Direct(Message, frozen=True, kw_only=True):
    """A researcher intervenes."""

    ref: _Ref
    """Named by the reply."""
    what: Literal["pause", "step", "go_on", "stop", "narrate", "edit"]
    """``narrate`` needs ``text``; ``edit`` needs ``seat``, ``turn`` and an answer."""
    text: Annotated[str, Meta(max_length=MOST_NARRATED)] = ""
    """What happens; why it is stopped; an answer as it would be typed."""
    seats: Annotated[tuple[_Seat, ...], Meta(max_length=100)] = ()
    """Who notices what is narrated; empty: everybody."""
    seat: _Seat | None = None
    """Whose action is edited."""
    turn: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    """The turn of it."""
    question: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    """The question of it."""
    answer: Any = None
    """The action instead, by the question's schema."""


class Typing(Message, frozen=True, kw_only=True):
    """The viewer is writing."""


class Pong(Message, frozen=True, kw_only=True):
    """Yes."""


ClientFrame = Hello | Act | TakeMySeat | LeaveMySeat | Direct | Typing | Pong

CLOSED: Final[dict[int, str]] = {
    1012: "the gateway restarts: connect again, perhaps elsewhere, with the last version",
    1013: "who you are cannot be looked up, for the database is away: connect again later",
    4000: "the client does not keep up: connect again with the last version",
    4001: "no token, one that is not valid, or one that was revoked",
    4003: "the token does not let its holder do that",
    4004: "there is no such episode",
    4008: "the other side was silent for too long",
    4009: "the token's seat is held by another connection: this one is closed",
    4022: "a frame that cannot be read",
    4029: "too many connections or frames",
}
"""Close codes, and what each means."""

client_frames: Final = msgspec.json.Decoder(decodable(ClientFrame))
"""Reads what a client sends. Raises ``msgspec.MsgspecError``."""
