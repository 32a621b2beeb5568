"""From what a client wants to a command, and from the reply to a frame."""

import asyncio
from collections.abc import Mapping
from typing import Final

import structlog

from actors.episodes.registry import game_of
from events.environments import Action, Question
from events.untrusted.safe_text import shortened
from events.wire.messages import (
    Accepted,
    Command,
    EditAction,
    GoOn,
    Narrate,
    PauseEpisode,
    Refused,
    ReleaseSeat,
    Reply,
    StepEpisode,
    StopEpisode,
    TakeAction,
    TakeSeat,
)
from gateway.errors import BadArgument
from gateway.live.viewer_connection import ViewerConnection
from gateway.services.episodes.recorded_actions import (
    NotPossible,
    Recorded,
    action_of,
    recorded,
)
from gateway.services.participants.link_participants import NOT_LET_IN, make_key
from gateway.services.viewers.frames import Act, Direct, Done, LeaveMySeat, NotDone, TakeMySeat
from store.errors import KeysNotShared, KeysUnavailable

log = structlog.get_logger(__name__)

LONG: Final = 2_000
"""Characters of an answer from which on it is read in a thread: what is odd is looked at long."""

_TOLD: Final[Mapping[str, str]] = {
    "not_yours": "you do not sit in that seat, or no longer",
    "seat_taken": "somebody else sits in that seat",
    "episode_over": "it is over, and nothing more is done in it",
    "not_playing": "it waits for the server that plays it",
}
"""What people are told in place of a reason that says who is asked now, or what kind of mind sits
where."""

Wish = Act | TakeMySeat | LeaveMySeat | Direct


async def command_for(client: ViewerConnection, wish: Wish) -> Command:
    """The command that is wished for. Raises ``NotPossible``."""
    principal = client.principal
    match wish:
        case Act():
            return await _act(client, wish)
        case TakeMySeat(seat=seat):
            seat = _seat(client, seat)
            if principal.study and client.episode.course.participant(seat) != principal.name:
                # The study seats its own, once: whoever left or was late was replaced for good.
                raise NotPossible("forbidden", "your part in this episode has ended")
            sealed = await _sealed(client)
            return TakeSeat(seat=seat, participant=principal.name, sealed=sealed)
        case LeaveMySeat(seat=seat):
            seat = _seat(client, seat)
            sits = client.episode.course.participant(seat)
            if principal.knows_all and sits not in ("", principal.name):
                return ReleaseSeat(seat=seat, participant=sits, reason="removed", by=principal.name)
            return ReleaseSeat(seat=seat, participant=principal.name)
        case Direct():
            if not principal.knows_all:
                raise NotPossible("forbidden", "only researchers direct an episode")
            return await _direct(client, wish)


async def _sealed(client: ViewerConnection) -> bool:
    """Whether what the principal says is sealed: then their key is there. Raises
    ``NotPossible``."""
    principal = client.principal
    if principal.role != "participant":
        return False
    try:
        return await asyncio.to_thread(make_key, client.episode.store, principal)
    except BadArgument as error:
        raise NotPossible("forbidden", str(error)) from None
    except (KeysNotShared, KeysUnavailable) as error:
        log.warning("people_not_let_in", error=str(error))
        raise NotPossible("not_playing", NOT_LET_IN) from None


def _seat(client: ViewerConnection, seat: int | None) -> int:
    """The seat that is meant, which must be the principal's to act for."""
    seat = client.seat if seat is None else seat
    if seat is None:
        raise NotPossible("forbidden", "no seat is named, and you watch from none")
    if seat >= client.track.course.seats:
        raise NotPossible("no_such_seat", f"there is no seat {seat + 1}")
    if not client.principal.may_sit(client.episode.id, seat):
        raise NotPossible("forbidden", f"seat {seat + 1} is not yours")
    return seat


async def _act(client: ViewerConnection, act: Act) -> TakeAction:
    seat = _seat(client, None)
    question = client.track.question(act.turn, act.question)
    if question is None:
        # What is shown with a delay is not to be found out by trying.
        shown = None if client.principal.knows_all else client.episode.clock()
        question = (await _look_up(client, seat, act.turn, act.question, shown)).question
    if question is None:
        turn = client.track.course.state.turn
        why = f"you were not asked that in turn {act.turn}; turn {turn} is open"
        raise NotPossible("not_asked", why)
    action = await _action(client, seat, question, act.answer, act.text)
    # Somebody else may have seated them.
    await _sealed(client)
    return TakeAction(
        seat=seat,
        turn=act.turn,
        question=act.question,
        action=action,
        participant=client.principal.name,
    )


async def _direct(client: ViewerConnection, wish: Direct) -> Command:
    by = client.principal.name
    match wish.what:
        case "pause":
            return PauseEpisode(by=by)
        case "step":
            return StepEpisode(by=by)
        case "go_on":
            return GoOn(by=by)
        case "stop":
            return StopEpisode(detail=shortened(wish.text, 1_000) or f"stopped by {by}")
        case "narrate":
            if not wish.text.strip():
                raise NotPossible("bad_frame", "there is nothing to narrate: text is empty")
            return Narrate(text=wish.text, seats=wish.seats, by=by)
        case "edit":
            if wish.seat is None:
                raise NotPossible("bad_frame", "whose action is edited: seat is missing")
            seat = _seat(client, wish.seat)
            found = await _look_up(client, seat, wish.turn, wish.question)
            if found.question is None:
                why = f"seat {seat + 1} was not asked that in turn {wish.turn}"
                raise NotPossible("not_asked", why)
            action = await _action(client, seat, found.question, wish.answer, wish.text)
            return EditAction(
                seat=seat, turn=wish.turn, question=wish.question, action=action, by=by
            )


async def _look_up(
    client: ViewerConnection, seat: int, turn: int, question: int, shown: int | None = None
) -> Recorded:
    return await asyncio.to_thread(
        recorded, client.episode.store, client.episode.id, seat, turn, question, shown
    )


async def _action(
    client: ViewerConnection, seat: int, question: Question, answer: object, text: str
) -> Action:
    """The action that an answer means. Raises ``NotPossible``."""
    started = client.track.course.started
    game = game_of(started)
    background = client.track.background
    if background is None or seat != client.seat:
        background = game.sight.background(client.episode.id, started, seat, "")

    given = (game, question, background, answer, text)
    size = len(text) if answer is None else len(str(answer))
    return await asyncio.to_thread(action_of, *given) if size > LONG else action_of(*given)


async def frame_for(
    client: ViewerConnection, wish: Wish, command: Command, reply: Reply
) -> Done | NotDone:
    """What the client is told."""
    if isinstance(reply, Refused):
        reason = reply.reason
        if not client.principal.knows_all:
            reason = _TOLD.get(reply.code, reason)
        if reply.code == "not_asked" and isinstance(command, TakeAction):
            over = f"turn {command.turn} is over, or it is not your turn"
            reason = f"{over}: {reason}" if client.principal.knows_all else over
        return NotDone(ref=wish.ref, code=reply.code, reason=reason)
    before = isinstance(reply, Accepted) and reply.before
    if before and isinstance(command, TakeAction):
        return await _counted_before(client, wish, command)
    return Done(ref=wish.ref, before=before)


async def _counted_before(
    client: ViewerConnection, wish: Wish, command: TakeAction
) -> Done | NotDone:
    """A question that has its answer: the same again is done; another one came too late."""
    assert command.question is not None, "it was named"
    found = await _look_up(client, command.seat, command.turn, command.question)
    taken = found.taken
    if taken is None:
        return NotDone(ref=wish.ref, code="not_asked", reason="that turn went by without an answer")
    if taken.failure is not None:
        why = f"time was up in turn {command.turn}: your answer came too late and does not count"
        return NotDone(ref=wish.ref, code="not_asked", reason=why)
    recording, asked = game_of(client.track.course.started).recording, found.question
    if asked is None or recording.canonical(asked, command.action) != taken.action:
        why = f"turn {command.turn} was answered before, with something else, which counts"
        return NotDone(ref=wish.ref, code="not_asked", reason=why)
    return Done(ref=wish.ref, before=True)
