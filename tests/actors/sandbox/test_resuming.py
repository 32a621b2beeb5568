"""What a town costs that goes on from its log: counted in calls, which no other work changes."""

import cProfile
import pstats

from actors.episodes.delivery.notices import Noticing
from actors.episodes.rules.state import INITIAL, EpisodeState, evolve
from actors.sandbox.catalog.generator import generated
from actors.sandbox.environment import TOWN
from actors.sandbox.setup import Settings, Town
from events.base import Event
from events.serialization.codec import decode_event, encode
from events.serialization.registry import EVENTS
from events.wire.messages import Observation
from tests.actors.sandbox.lives import lived

PEOPLE = 25
MOST_CALLS_AN_EVENT = 120
"""Calls for each event of the log, all that the seats are shown again included: 95 when this was
written, a fifth of a second for 10,000 events."""


def read_back(rows: list[tuple[str, bytes]]) -> tuple[EpisodeState, list[bytes]]:
    """The state after a stored history, and what each seat is sent when it looks."""
    state, noticing = INITIAL, Noticing()
    for number, (tag, payload) in enumerate(rows):
        event = decode_event(tag, EVENTS[tag].SCHEMA, payload)
        state = evolve(state, event)
        noticing.look(number, event)
    started = state.started
    assert started is not None
    sent = [
        encode(
            Observation(
                episode="e",
                seat=seat,
                turn=state.turn,
                news=tuple(noticing.everything(started, seat)),
                background=TOWN.sight.background("e", started, seat, ""),
                questions=(),
            )
        )
        for seat in range(PEOPLE)
    ]
    return state, sent


def test_a_town_goes_on_from_its_log_without_a_snapshot() -> None:
    town, people = generated(1, PEOPLE)
    settings = Settings(steps=2_880, step_s=60, seed=1)
    history, worlds = lived(Town(map=town, inhabitants=people, settings=settings), most=2_000)
    rows = [stored(event) for event in history]
    read_back(rows[:50])  # what is loaded and kept once
    profile = cProfile.Profile()
    profile.enable()
    state, sent = read_back(rows)
    profile.disable()
    assert state.world == worlds[-1]
    assert len(sent) == PEOPLE
    calls = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
    assert calls / len(rows) < MOST_CALLS_AN_EVENT


def stored(event: Event) -> tuple[str, bytes]:
    """As the log has it."""
    return type(event).__name__, encode(event)
