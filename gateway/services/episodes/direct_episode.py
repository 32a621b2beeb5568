"""Pause, step, edit and narrate a running episode from a terminal, whichever process plays it."""

import asyncio
import getpass
from collections.abc import Iterator
from typing import Final

import msgspec
from nats import errors as nats_errors

from actors.episodes.port.words import Entry
from actors.episodes.process.commands import answer_from_store
from actors.episodes.registry import game_of
from actors.episodes.rules.decide import EpisodeState
from actors.episodes.views.inconsistent_history import state_after
from actors.runtime.errors import CommandRefused
from events.base import Event
from events.episode import ActionTaken
from events.serialization.codec import decode_reply, encode
from events.wire import subjects
from events.wire.messages import Command, Refused, Reply
from gateway.process.discovery import connected
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model.episode_history import read_history

ANSWER_S: Final = 5.0
"""How long an episode's actor may take, in seconds."""
PATIENCE_S: Final = 10.0
"""How long what may be taken a little later is tried again, in seconds."""
AGAIN_S: Final = 0.3
NOBODY: Final = Refused(reason="nobody plays it at present", code="not_playing")


def by() -> str:
    """The name of this terminal's user in events."""
    try:
        return getpass.getuser()
    except OSError:
        return "terminal"


def direct(settings: Settings, store: EventStore, episode: str, command: Command) -> Reply:
    """The reply of whoever plays an episode (its id in full); where nobody does, what the log says
    of it. Blocking. Raises ``NatsAway``."""
    reply = _asked(settings, episode, command)
    if reply is not NOBODY:
        return reply
    try:
        return answer_from_store(store, episode, command)
    except CommandRefused as refused:
        return Refused(reason=refused.reason, code=refused.code)


def _asked(settings: Settings, episode: str, command: Command) -> Reply:

    async def ask() -> Reply:
        reply: Reply = NOBODY
        async with connected(settings) as buses:
            end = asyncio.get_running_loop().time() + PATIENCE_S
            while True:
                for bus in buses:
                    subject = subjects.command(bus.space, "episode", episode)
                    try:
                        answer = await bus.nats.request(subject, encode(command), timeout=ANSWER_S)
                    except nats_errors.NoRespondersError:
                        continue
                    except (nats_errors.Error, TimeoutError):
                        # It may have been taken: a step that is sent again is another one.
                        why = "no answer came; `troupe show` says what was done"
                        return Refused(reason=why, code="try_again")
                    reply = decode_reply(answer.data)
                    if not _elsewhere(reply):
                        return reply
                if not _later(reply) or asyncio.get_running_loop().time() >= end:
                    return reply
                await asyncio.sleep(AGAIN_S)

    return asyncio.run(ask())


def _elsewhere(reply: Reply) -> bool:
    """Whether another process may have it."""
    return isinstance(reply, Refused) and reply.code in ("not_playing", "try_again")


def _later(reply: Reply) -> bool:
    return isinstance(reply, Refused) and reply.code == "try_again"


class EpisodeControlState(msgspec.Struct, frozen=True, kw_only=True):
    """How an episode stands, for those who direct it."""

    paused: bool
    turn: int
    """The last turn opened."""
    ended: str = ""
    """The ending's name; empty while it goes on."""
    waiting: tuple[int, ...] = ()
    """Seats that have not answered, from 0."""
    proposed: tuple[str, ...] = ()
    """What minds answered while it was paused, as lines of the narrator's transcript."""


def standing_now(store: EventStore, episode: str) -> EpisodeControlState:
    """Takes an id in full. Blocking."""
    history = [numbered.event for numbered in read_history(store, episode)]
    state = state_after(history)
    return EpisodeControlState(
        paused=state.paused,
        turn=state.turn,
        ended=state.ended or "",
        waiting=state.waiting,
        proposed=tuple(entry.line for entry in proposals(state, history)),
    )


def proposals(state: EpisodeState, history: list[Event]) -> Iterator[Entry]:
    """What is proposed, as entries of the narrator's account."""
    if state.started is None or not state.proposed:
        return
    game = game_of(state.started)
    eyes = game.sight.reducer(state.started, "narrator")
    write = game.words.entry_writer(state.started, "narrator")
    for number, event in enumerate(history):
        eyes.apply(number, event)
    for number, one in enumerate(state.proposed, start=len(history)):
        taken = ActionTaken(
            turn=one.turn,
            seat=one.seat,
            question=one.question,
            action=one.action,
            failure=one.failure,
        )
        yield from map(write, eyes.apply(number, taken))
