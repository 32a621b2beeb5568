"""Deadlines run from what is stored, and from when it is shown."""

import pytest

from actors.episodes.delivery.deadlines import ShownDeadlines
from actors.episodes.rules.state import INITIAL, evolve
from events.episode import PeopleRules, SeatTaken
from events.minds import MindSpec
from tests.support.builders import numbered, opened, started, taken

SECOND = 1_000_000
SAT = SeatTaken(seat=1, participant="p-ann", mind=MindSpec(name="person", kind="person"))


def read(people: PeopleRules):
    """The state, the deadlines and the history of an episode that waits for a person."""
    events = (started(people=people), SAT, opened(1, (0,)), taken(1, 0, "Hi."), opened(2, (1,)))
    history = numbered(events)
    state, deadlines = INITIAL, ShownDeadlines()
    for one in history:
        state = evolve(state, one.event)
        deadlines.note_stored(one)
    return state, deadlines, history


def test_time_runs_from_the_opening_of_the_turn():
    state, deadlines, history = read(PeopleRules(deadline_s=5, nudge_s=2))
    opened_at = history[-1].envelope.recorded_at
    assert deadlines.until(state, 1) == deadlines.next(state) == opened_at + 5 * SECOND
    assert deadlines.nudge_at(state, 1) == opened_at + 2 * SECOND
    assert deadlines.until(state, 0) is None
    assert deadlines.late(state, opened_at + 5 * SECOND - 1) == []
    assert deadlines.late(state, opened_at + 5 * SECOND) == [1]


def test_time_runs_from_when_the_answer_before_is_shown():
    state, deadlines, history = read(PeopleRules(deadline_s=5, reply_delay_s=3))
    said_at = history[-2].envelope.recorded_at
    assert deadlines.until(state, 1) == said_at + 8 * SECOND


@pytest.mark.parametrize("people", [PeopleRules(), PeopleRules(nudge_s=1)])
def test_without_a_limit_nobody_is_late(people: PeopleRules):
    state, deadlines, history = read(people)
    assert deadlines.next(state) is None
    assert deadlines.late(state, history[-1].envelope.recorded_at + 100 * SECOND) == []
