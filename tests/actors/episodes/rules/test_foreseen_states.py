"""A state that was computed to decide is the state once its event is stored."""

import pytest

from actors.episodes.rules import foreseen_states
from actors.episodes.rules.foreseen_states import ForeseenStates
from actors.episodes.rules.state import INITIAL, evolve
from tests.support.builders import opened, started, taken

EVENTS = (started(), opened(1, (0,)), taken(1, 0, "Hello."))


def states():
    state = INITIAL
    for event in EVENTS:
        state = evolve(state, event)
        yield state


@pytest.fixture
def computed(monkeypatch):
    """Events whose states were computed."""
    events = []

    def counted(state, event):
        events.append(event)
        return evolve(state, event)

    monkeypatch.setattr(foreseen_states, "evolve", counted)
    return events


def test_a_state_is_computed_once(computed):
    foreseen = ForeseenStates()
    first = foreseen.foresee(INITIAL, EVENTS[0])
    second = foreseen.foresee(first, EVENTS[1])
    assert foreseen.last is second
    assert foreseen.after(INITIAL, EVENTS) == list(states())[-1]
    assert computed == list(EVENTS)
    assert foreseen.last is None


def test_what_was_foreseen_of_another_decision_is_not_taken(computed):
    foreseen = ForeseenStates()
    foreseen.foresee(INITIAL, started(run="other"))
    assert foreseen.after(INITIAL, EVENTS[:1]) == evolve(INITIAL, EVENTS[0])
    foreseen.foresee(INITIAL, EVENTS[0])
    foreseen.clear()
    assert foreseen.last is None
    assert foreseen.after(INITIAL, EVENTS[:1]) == evolve(INITIAL, EVENTS[0])
    assert len(computed) == 4


def test_the_witness_is_told_every_state_that_is_stored_and_no_other():
    seen = []
    foreseen = ForeseenStates(seen.append)
    foreseen.foresee(INITIAL, EVENTS[0])
    assert seen == []
    foreseen.after(INITIAL, EVENTS)
    assert seen == list(states())
