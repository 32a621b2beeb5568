"""The questions that a researcher may answer in the place of a seat's mind."""

from actors.episodes.registry import game_of
from actors.episodes.views.inconsistent_history import state_after, telling
from gateway.services.episodes.episode_details import memory_of, parse_viewer, read_begun
from gateway.services.viewers.frames import AskedNow
from gateway.services.viewers.posed_question import posed_question
from store.log.event_store import EventStore
from store.read_model import queries


def asked_of(store: EventStore, given: str, seat: int) -> AskedNow:
    """The open questions of a seat, from 0, those among them to which an answer is proposed.
    Raises ``UnknownId``, ``BadArgument``, ``OddHistory``."""
    row = queries.episode(store, given)
    state = state_after(numbered.event for numbered in read_begun(store, row))
    started = state.started
    parse_viewer(str(seat + 1), len(state.minds))
    if started is None or state.ended is not None:
        return AskedNow(turn=state.turn)
    with telling(started.environment):
        game = game_of(started)
        memory = memory_of(store, started, seat)
        background = game.sight.background(row.id, started, seat, memory)
        questions = tuple(
            posed_question(game, background, asked)
            for asked in state.unanswered
            if asked.seat == seat
        )
    return AskedNow(turn=state.turn, questions=questions)
