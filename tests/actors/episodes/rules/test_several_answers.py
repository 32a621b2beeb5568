"""Several answers of a seat to one turn are each taken or refused as if they had come alone."""

from actors.episodes.rules.answers import failed_answers, take_actions
from actors.episodes.rules.foreseen_states import ForeseenStates
from actors.episodes.rules.state import INITIAL, evolve
from actors.social.actions import ACT
from events.base import Event
from events.episode import ActionProposed, ActionTaken, Asked, EpisodePaused, TurnOpened
from events.wire.messages import Answer, TakeActions
from tests.support.builders import act, started

OPENED = TurnOpened(
    turn=1, asked=tuple(Asked(seat=0, id=number, question=ACT) for number in (0, 1))
)


def after(*events: Event):
    state = INITIAL
    for event in (started(), OPENED, *events):
        state = evolve(state, event)
    return state


def answers(*questions: int) -> TakeActions:
    said = [Answer(question=one, action=act("speak", f"To {one}.")) for one in questions]
    return TakeActions(seat=0, turn=1, answers=tuple(said))


def test_one_that_is_refused_leaves_the_others():
    foreseen = ForeseenStates()
    events, refusals = take_actions(after(), answers(7, 0), foreseen)
    assert [(type(one), one.question) for one in events] == [(ActionTaken, 0)]
    assert [one.code for one in refusals] == ["not_asked"]
    assert foreseen.last is not None
    assert [asked.id for asked in foreseen.last.unanswered] == [1]


def test_the_last_one_opens_the_next_turn():
    events, refusals = take_actions(after(), answers(1, 0), ForeseenStates())
    assert [type(one) for one in events] == [ActionTaken, ActionTaken, TurnOpened]
    assert refusals == []


def test_of_two_to_one_question_the_first_is_taken():
    for state in (after(), after(EpisodePaused(by="r"))):
        events, refusals = take_actions(state, answers(0, 0), ForeseenStates())
        assert len(events) == 1
        assert refusals == []


def test_while_the_episode_waits_they_are_proposed():
    foreseen = ForeseenStates()
    state = after(EpisodePaused(by="r"))
    events, _ = take_actions(state, answers(0, 1), foreseen)
    assert [type(one) for one in events] == [ActionProposed, ActionProposed]
    assert foreseen.after(state, events).open == ()


def test_a_seat_that_was_given_up_answers_nothing_that_it_is_asked():
    state = after(*take_actions(after(), answers(0), ForeseenStates())[0])
    command = failed_answers(state, 0, "a bug")
    (failed,) = command.answers
    assert (failed.question, failed.action.kind) == (1, "none")
    assert failed.failure is not None
    assert (failed.failure.reason, failed.failure.detail) == ("mind_error", "a bug")
    assert failed_answers(state, 1, "a bug").answers == ()
