"""Commands are decided on with what waits behind them."""

import pytest

from actors.episodes.process.decisions import Decisions
from actors.episodes.rules.decide import Continue, Start
from actors.episodes.rules.state import INITIAL, EpisodeState, evolve
from actors.episodes.views.inconsistent_history import OddHistory
from actors.runtime.actors.inbox import LoopEnvelope, LoopInbox
from actors.runtime.errors import CommandRefused
from actors.social.setup import EpisodeRules
from events.base import Event
from events.episode import ActionTaken, EpisodeEnded, EpisodeFailed, TurnOpened
from events.wire.messages import Answer, StopEpisode, TakeAction, TakeActions
from tests.support.builders import act, mind, opened, started

TOGETHER = EpisodeRules(turn_cap=1, order="simultaneous")
SPOKEN = act("speak", "Hello.")


class Desk:
    """Decisions on one episode in a state, and what was refused beside them."""

    def __init__(self, *events: Event) -> None:
        self.state: EpisodeState = INITIAL
        for event in events:
            self.state = evolve(self.state, event)
        self.decisions = Decisions()
        self.inbox = LoopInbox()
        self.refusals: list[CommandRefused] = []

    def decide(self, command: object) -> list[Event]:
        return list(
            self.decisions.decide(self.state, command, self.inbox, self.refusals.append)  # type: ignore[arg-type]
        )


def both_asked() -> Desk:
    return Desk(started(rules=TOGETHER), opened(1, (0, 1)))


def of_seat(seat: int, turn: int = 1) -> TakeAction:
    return TakeAction(seat=seat, turn=turn, action=SPOKEN)


def test_an_episode_begins_once_and_is_gone_on_with_then():
    begin = Start(started=started())
    desk = Desk()
    assert [type(event) for event in desk.decide(begin)] == [type(begin.started), TurnOpened]
    assert [type(event) for event in Desk(begin.started).decide(begin)] == [TurnOpened]
    assert [type(event) for event in Desk(begin.started).decide(Continue())] == [TurnOpened]


def test_one_that_cannot_begin_is_given_up():
    (failed,) = Desk().decide(Start(started=started(minds=(mind("only"),))))
    assert isinstance(failed, EpisodeFailed)
    assert "seat" in failed.reason


def test_one_that_cannot_be_told_is_given_up_where_it_is_to_go_on():
    desk = both_asked()
    desk.decisions.odd = OddHistory("social", "a turn without a question")
    for command in (Continue(), Start(started=started())):
        (failed,) = desk.decide(command)
        assert isinstance(failed, EpisodeFailed)
        assert "a turn without a question" in failed.reason
    assert [type(event) for event in desk.decide(StopEpisode())] == [EpisodeEnded]


def test_answers_to_one_turn_that_wait_are_taken_together():
    desk = both_asked()
    together = TakeActions(seat=1, turn=1, answers=(Answer(question=0, action=SPOKEN),))
    for message in (of_seat(1, turn=9), together):
        desk.inbox.put(LoopEnvelope(message))
    events = desk.decide(of_seat(0))
    assert [type(event) for event in events] == [ActionTaken, ActionTaken, EpisodeEnded]
    assert [one.code for one in desk.refusals] == ["not_asked"]
    assert desk.inbox.empty()


@pytest.mark.parametrize(
    ("message", "reply_to"), [(of_seat(1), object()), (StopEpisode(), None)], ids=["ask", "stop"]
)
def test_what_is_no_answer_or_wants_a_reply_waits_on(message, reply_to):
    desk = both_asked()
    desk.inbox.put(LoopEnvelope(message, reply_to))
    assert [type(event) for event in desk.decide(of_seat(0))] == [ActionTaken]
    assert desk.inbox.waiting() == 1


def test_once_nobody_is_asked_any_more_nothing_is_taken_out_of_the_inbox():
    desk = Desk(started(), opened(1, (0,)))
    desk.inbox.put(LoopEnvelope(of_seat(1)))
    desk.decide(of_seat(0))
    assert desk.inbox.waiting() == 1


def test_of_several_answers_the_refusals_are_told_and_one_raised_where_none_is_taken():
    desk = both_asked()
    answers = tuple(Answer(question=number, action=SPOKEN) for number in (7, 8))
    with pytest.raises(CommandRefused, match="no question 8"):
        desk.decide(TakeActions(seat=0, turn=1, answers=answers))
    assert ["no question 7" in one.reason for one in desk.refusals] == [True]


def test_states_of_an_earlier_decision_are_forgotten():
    desk = both_asked()
    desk.decide(of_seat(0))
    (taken,) = desk.decide(of_seat(1))
    after = desk.decisions.foreseen.after(desk.state, (taken,))
    assert [asked.seat for asked in after.unanswered] == [0]
