"""Actions of commands are read as their environment's, or refused with what was asked."""

import msgspec
import pytest

from actors.episodes.delivery.command_actions import read_action, read_actions
from actors.episodes.rules.state import INITIAL, evolve
from actors.runtime.errors import CommandRefused
from actors.social.actions import ACT
from events.wire.messages import Answer, EditAction, Posed, TakeAction, TakeActions
from tests.support.builders import act, opened, started

STATE = evolve(evolve(INITIAL, started()), opened(1, (0,)))
SPOKEN = act("speak", "Hello.")
PLAIN = msgspec.to_builtins(SPOKEN)


def test_plain_data_becomes_the_environments_own():
    taken = TakeAction(seat=0, turn=1, action=PLAIN)
    edited = EditAction(seat=0, turn=1, question=0, action=PLAIN, by="r")
    for command in (taken, edited):
        assert read_action(command, STATE) == msgspec.structs.replace(command, action=SPOKEN)
    answers = (Answer(question=0, action=PLAIN), Answer(question=1, action=SPOKEN))
    read = read_actions(TakeActions(seat=0, turn=1, answers=answers), STATE)
    assert [one.action for one in read.answers] == [SPOKEN, SPOKEN]


def test_before_the_episode_begins_nothing_is_read():
    command = TakeAction(seat=0, turn=1, action=PLAIN)
    assert read_action(command, INITIAL) is command
    several = TakeActions(seat=0, turn=1, answers=(Answer(question=0, action=PLAIN),))
    assert read_actions(several, INITIAL) is several


BAD = {"kind": "dance"}


@pytest.mark.parametrize(
    ("read", "command"),
    [
        (read_action, TakeAction(seat=0, turn=1, action=BAD)),
        (read_actions, TakeActions(seat=0, turn=1, answers=(Answer(question=0, action=BAD),))),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_questions_that_are_open(read, command):
    with pytest.raises(CommandRefused, match="the action cannot be read") as refused:
        read(command, STATE)
    assert refused.value.code == "bad_action"
    assert refused.value.questions == (Posed(id=0, question=ACT),)
