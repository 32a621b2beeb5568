"""The questions that a researcher may answer in the place of a seat's mind."""

from actors.episodes.odd_histories import state_after, telling
from actors.episodes.registry import game_of
from gateway.episode_views import memory_of, parse_viewer, read_begun
from gateway.live.asking import posed_question
from gateway.live.frames import AskedNow
from store import queries
from store.log import EventStore


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
