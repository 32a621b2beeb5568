"""Commands to episodes. Each command gets an answer, also if no process plays the episode.

An episode that is being played listens to its inbox, and so does a passivated one. Messages to its
command subject, from programs in its seats, are received by one process of the space and forwarded;
if nothing listens to the inbox, the answer is taken from the store. Answers of minds in this
process go directly to the inbox, at no extra cost.

Each seat has a command subject of its own. A command that arrives there is forwarded only if it
concerns that seat, so a client whose permissions cover only this subject cannot act for other
seats.
"""

import asyncio
import functools
from typing import Final

import msgspec
import structlog
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError

from actors.episodes.registry import UnknownEnvironment
from actors.episodes.rules.decide import INITIAL, check_seat, decide, evolve, over_for, taken_before
from actors.runtime.actors.bus_bridge import Bridge
from actors.runtime.actors.supervision import is_outage
from actors.runtime.bus.client import Listener
from actors.runtime.bus.errors import BusError
from actors.runtime.bus.headers import CONTENT_TYPE, content_type, media_type
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.errors import CommandRefused
from actors.runtime.log_throttle import seldom
from events.serialization.codec import JSON, Form, encode, form_of
from events.untrusted.limits import MIB, MOST_COMMAND_BYTES
from events.untrusted.safe_text import shortened
from events.wire import subjects
from events.wire.messages import (
    Accepted,
    Command,
    EpisodeOver,
    GoOn,
    Look,
    PauseEpisode,
    Refused,
    ReleaseSeat,
    Reply,
    TakeAction,
    TakeActions,
    TakeSeat,
)
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.projections.tables import episodes
from store.read_model import queries
from store.read_model.episode_history import BrokenFork, read_history

log = structlog.get_logger(__name__)

QUEUE: Final = "troupe"
"""Of the processes that subscribe with this name one hears each command."""
PATIENCE_S: Final = 60.0
"""How long an episode elsewhere may take to answer, in seconds; then the sender tries again."""
_STANDING: Final = (TakeSeat, ReleaseSeat, PauseEpisode, GoOn)
"""Of these the log says whether they were done before, or cannot be done."""
MOST: Final = 1000
"""Commands that may be on their way to elsewhere at once."""
MOST_BYTES: Final = 32 * MIB
"""And their bytes together."""


class EpisodeCommands:
    """Hears commands to all episodes of a space, as long as its bus is there."""

    def __init__(self, store: EventStore, bus: Bus, bridge: Bridge) -> None:
        """``bridge`` listens for the episodes that are played here."""
        self.store, self.bus, self.bridge = store, bus, bridge
        self._passing: set[asyncio.Task[None]] = set()
        self._passing_bytes = 0
        bus.listen_now(subjects.all_commands(bus.space, "episode"), self._received, queue=QUEUE)
        bus.listen_now(subjects.all_seat_commands(bus.space), self._received_of_seat, queue=QUEUE)

    def _received(
        self, _: Listener, subject: bytes, data: bytes, reply: bytes, headers: bytes | None
    ) -> None:
        episode = subjects.parse_stream_subject(subject.decode(errors="replace")).id
        self._take(episode, data, reply, headers)

    def _received_of_seat(
        self, _: Listener, subject: bytes, data: bytes, reply: bytes, headers: bytes | None
    ) -> None:
        form = form_of(data, media_type(headers))
        try:
            episode, seat = subjects.parse_seat_command(subject.decode(errors="replace"))[1:]
            command = form.decode_command(data)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            why = shortened(str(error))
            seldom.warning(log, "message_unreadable", subject="seat", error=why)
            self._reply(reply.decode(), form, _unreadable(why))
            return
        if why := _not_of_seat(command, seat):
            seldom.warning(log, "command_not_of_seat", episode=shortened(episode), error=why)
            self._reply(reply.decode(), form, Refused(reason=why, code="not_yours"))
            return
        self._take(episode, data, reply, headers)

    def _take(self, episode: str, data: bytes, reply: bytes, headers: bytes | None) -> None:
        if len(data) > MOST_COMMAND_BYTES:
            why = f"it has {len(data):,} bytes; a command has {MOST_COMMAND_BYTES:,} at most"
            seldom.warning(log, "message_unreadable", episode=shortened(episode), error=why)
            form = form_of(data, media_type(headers))
            self._reply(reply.decode(), form, _unreadable(why))
            return
        if self.bridge.listens("episode", episode):
            # Over NATS all the same: another process that takes the episode for its own has to
            # hear it, too, or it would not learn that it is not.
            inbox = subjects.inbox(self.bus.space, "episode", episode)
            self._send(inbox, data, reply.decode(), headers or b"")
            return
        form = form_of(data, media_type(headers))
        if len(self._passing) >= MOST or self._passing_bytes + len(data) > MOST_BYTES:
            why = f"{len(self._passing)} commands are on their way already; send it again later"
            seldom.warning(log, "command_not_taken", episode=shortened(episode), error=why)
            self._reply(reply.decode(), form, Refused(reason=why, code="try_again"))
            return
        self._passing_bytes += len(data)
        passing = asyncio.get_running_loop().create_task(
            self._pass_on(episode, data, reply.decode(), form)
        )
        self._passing.add(passing)
        passing.add_done_callback(functools.partial(self._passed, len(data)))

    def _passed(self, size: int, passing: asyncio.Task[None]) -> None:
        self._passing.discard(passing)
        self._passing_bytes -= size

    async def _pass_on(self, episode: str, data: bytes, reply: str, form: Form) -> None:
        try:
            inbox = subjects.inbox(self.bus.space, "episode", episode)
            answer = await self.bus.nats.request(
                inbox, data, PATIENCE_S, headers={CONTENT_TYPE: form.media_type}
            )
        except (subjects.BadSubject, NoRespondersError):
            self._reply(reply, form, await self._answer(episode, data, form))
        except NatsError as error:
            # Whether it was taken is not known: who sent it tries again.
            seldom.warning(
                log, "command_unanswered", episode=episode, error_type=type(error).__name__
            )
        else:
            self._send(reply, answer.data, headers=_headers(form))

    async def _answer(self, episode: str, data: bytes, form: Form) -> Reply:
        try:
            command = form.decode_command(data)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            why = shortened(str(error))
            seldom.warning(log, "message_unreadable", episode=shortened(episode), error=why)
            return _unreadable(why)
        try:
            answer = await asyncio.to_thread(answer_from_store, self.store, episode, command)
        except CommandRefused as error:
            return Refused(reason=error.reason, code=error.code, questions=error.questions)
        except (UnknownEnvironment, BrokenFork) as error:
            return Refused(reason=str(error))
        except Exception as error:
            if not is_outage(error):
                raise
            seldom.warning(
                log, "command_not_answered", episode=episode, error_type=type(error).__name__
            )
            return Refused(reason="the database is away; send it again later", code="try_again")
        if isinstance(answer, EpisodeOver):
            self._tell(answer)
        return answer

    def _tell(self, over: EpisodeOver) -> None:
        """Who only listens to a seat hears of the end as well."""
        subject = subjects.seat(self.bus.space, over.episode, over.seat)
        self._send(subject, encode(over))
        self._send(subjects.as_json(subject), JSON.encode(over))

    def _reply(self, reply: str, form: Form, answer: Reply) -> None:
        self._send(reply, form.encode(answer), headers=_headers(form))

    def _send(self, subject: str, data: bytes, reply: str = "", headers: bytes = b"") -> None:
        if not subject:
            return
        try:
            self.bus.publish(subject, data, reply, headers)
        except BusError as error:
            seldom.warning(
                log, "message_not_sent", subject=shortened(subject), error=shortened(str(error))
            )


def _not_of_seat(command: Command | TakeActions, seat: int) -> str:
    """Why a command is not one that a seat gives for itself; empty where it is."""
    match command:
        case TakeAction() | Look() | TakeSeat() | ReleaseSeat() if command.seat != seat:
            return f"this subject is for seat {seat} only, not for seat {command.seat}"
        case TakeAction() | Look() | TakeSeat(by=""):
            return ""
        case ReleaseSeat(mind=None, reason="left", by=""):
            return ""
        case TakeSeat() | ReleaseSeat():
            return "a seat says nothing of who seats or removes its people, or follows them"
    return f"a seat's own subject takes no {type(command).__name__}"


def _unreadable(why: str) -> Refused:
    return Refused(reason=f"the message cannot be read: {why}", code="unreadable")


def _headers(form: Form) -> bytes:
    return content_type(form.media_type) if form is JSON else b""


def answer_from_store(store: EventStore, episode: str, command: Command | TakeActions) -> Reply:
    """The reply to a command to an episode that nobody plays at present. Blocking. Raises
    ``CommandRefused`` and what reading raises."""
    state = INITIAL
    try:
        history = read_history(store, episode)
    except UnknownId:
        if queries.episodes_where(store, episodes.c.id == episode):
            raise CommandRefused(f"episode {episode} has not begun", "not_playing") from None
        why = f"there is no episode {shortened(episode)!r}"
        raise CommandRefused(why, "unknown_episode") from None
    for numbered in history:
        state = evolve(state, numbered.event)
    version = history[-1].envelope.version
    if isinstance(command, TakeAction | Look):
        check_seat(state, command.seat)
    if isinstance(command, TakeAction) and taken_before(state, command):
        return Accepted(version=version, before=True)
    if state.ended is None:
        if isinstance(command, _STANDING) and not decide(state, command):
            return Accepted(version=version, before=True)
        raise CommandRefused(
            f"nobody plays episode {episode} here at present; its seats are asked when it goes on"
            f"{'' if isinstance(command, TakeAction | Look) else ', and that can be done then'}",
            "not_playing",
        )
    if isinstance(command, Look):
        return over_for(episode, state, command.seat)
    # Nothing can happen any more: what would have to is refused.
    assert isinstance(command, TakeActions) or not decide(state, command), "the episode is over"
    return Accepted(version=version)
