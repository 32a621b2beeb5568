"""A seat's answers are sent once, and again where the question is repeated."""

from typing import Any

import pytest

from actors.episodes.delivery import seat_answers
from actors.episodes.delivery.seat_answers import SeatAnswers, answer_to
from actors.episodes.mind import Decision, Scene
from actors.social.actions import ACT, NOTHING, Action
from actors.social.environment import GAME
from actors.worldtree.setup import NoChoice
from events.episode import ActionFailure
from events.serialization.codec import decode_command
from events.untrusted.limits import MOST_DETAIL, MOST_RAW
from events.wire.messages import Look, Observation, Posed, TakeAction, TakeActions
from tests.support.builders import act


class SentCommands:
    """A bus that keeps what is sent."""

    space = "test"

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, head: bytes, data: bytes) -> None:
        assert b"episode.e1" in head
        self.sent.append(decode_command(data))

    def taken(self) -> list[Any]:
        """What was sent since the last call."""
        taken, self.sent = self.sent, []
        return taken


def asked(turn: int, *questions: int) -> Observation:
    posed = tuple(Posed(id=question, question=ACT) for question in questions)
    return Observation(episode="e1", seat=0, turn=turn, news=(), questions=posed)


def answer(question: int, text: str = "Hm.", turn: int = 1) -> tuple[Posed, TakeAction]:
    action = TakeAction(seat=0, turn=turn, question=question, action=act("speak", text))
    return Posed(id=question, question=ACT), action


@pytest.fixture
def bus():
    return SentCommands()


@pytest.fixture
def answers(bus):
    return SeatAnswers(bus, "e1", 0, GAME)


def test_what_was_answered_is_said_again_and_what_was_not_is_left(bus, answers):
    assert [posed.id for posed in answers.left(asked(1, 0, 1))] == [0, 1]
    answers.give([answer(0)])
    (first,) = bus.taken()
    assert [posed.id for posed in answers.left(asked(1, 0, 1))] == [1]
    assert bus.taken() == [first]


def test_of_an_earlier_turn_nothing_is_left(bus, answers):
    answers.left(asked(2, 0))
    assert answers.left(asked(1, 0)) == ()
    assert [posed.id for posed in answers.left(asked(3, 0))] == [0]
    assert bus.taken() == []


def test_another_mind_answers_for_itself(bus, answers):
    answers.left(asked(1, 0))
    answers.give([answer(0)])
    answers.clear()
    bus.taken()
    assert [posed.id for posed in answers.left(asked(1, 0))] == [0]
    assert bus.taken() == []


def test_several_answers_go_in_one_message_where_they_fit(bus, answers, monkeypatch):
    answers.left(asked(1, 0, 1))
    answers.give([answer(0), answer(1)])
    (together,) = bus.taken()
    assert isinstance(together, TakeActions)
    assert [one.question for one in together.answers] == [0, 1]
    monkeypatch.setattr(seat_answers, "MOST_COMMAND_BYTES", 200)
    answers.give([answer(0, "a" * 90), answer(1, "b" * 90)])
    assert [type(one) for one in bus.taken()] == [TakeAction, TakeAction]


def test_an_answer_that_is_too_long_is_a_failure(bus, answers, monkeypatch):
    monkeypatch.setattr(seat_answers, "MOST_COMMAND_BYTES", 200)
    answers.left(asked(1, 0))
    answers.give([answer(0, "a" * 500)])
    (sent,) = bus.taken()
    assert sent.action["kind"] == "none"
    assert "it may have 200 at most" in sent.failure.detail
    answers.left(asked(1, 0))
    assert bus.taken() == [sent]


def test_questions_that_have_no_answer_get_the_reason(bus, answers):
    failure = ActionFailure(reason="too_long", detail="left out")
    answers.left(asked(1, 0, 1))
    answers.fail(1, asked(1, 0, 1).questions, failure)
    (sent,) = bus.taken()
    assert [(one.action["kind"], one.failure) for one in sent.answers] == [("none", failure)] * 2
    assert answers.left(asked(1, 0, 1)) == []


def test_a_seat_can_ask_for_everything(bus, answers):
    answers.look()
    assert bus.taken() == [Look(seat=0)]


SCENE = Scene(background=None, seen=[], turn=3, question=ACT, question_id=2, seat=1, seats=2)


def test_a_decision_answers_the_scenes_question():
    spoken = Action(kind="speak", text="Hm.")
    sent = answer_to(SCENE, Decision(action=spoken), GAME)
    assert sent == TakeAction(seat=1, turn=3, question=2, action=spoken)


def test_an_action_that_could_not_be_read_again_is_recorded_as_a_failure():
    sent = answer_to(SCENE, Decision(action=NoChoice()), GAME)
    assert sent.action == NOTHING
    assert sent.failure is not None
    assert "uses NoChoice, which is not in its vocabulary's actions" in sent.failure.detail


def test_an_action_that_the_episode_would_refuse_is_recorded_as_a_failure(monkeypatch):
    monkeypatch.setattr(GAME.rules, "action_fault", lambda *_: "that is no answer")
    sent = answer_to(SCENE, Decision(action=NOTHING), GAME)
    assert sent.failure == ActionFailure(reason="mind_error", detail="that is no answer")


def test_a_failure_is_cut_to_what_a_command_may_hold():
    long = ActionFailure(reason="unreadable", detail="d" * 9_000, raw="r" * 900_000)
    failure = answer_to(SCENE, Decision(action=NOTHING, failure=long), GAME).failure
    assert failure is not None
    assert (len(failure.detail), len(failure.raw)) == (MOST_DETAIL, MOST_RAW)
