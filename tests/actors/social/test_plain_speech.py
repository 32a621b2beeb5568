"""Prose that a plan has taken for speech: marked where it is read, and counted."""

import msgspec
import pytest

from actors.social.actions import Action
from actors.social.environment import SOCIAL
from actors.social.plan_section import PLANS, Section
from actors.social.render import account, transcript
from actors.social.sight import view
from events.episode import ActionTaken, EpisodeEnded
from events.serialization.codec import decode_event, encode
from events.wire.messages import TakeAction
from gateway.cli.views.transcripts import with_why
from tests.actors.social.table import Game, table

PLAIN = Action(kind="speak", text="Good evening.", plain=True)


def game() -> Game:
    played = Game(table(turn_cap=2))
    played.do(TakeAction(seat=0, turn=1, action=PLAIN))
    played.act("speak", "Evening.")
    return played


def test_a_plan_says_what_prose_is_but_not_beside_the_published_set_up():
    assert PLANS.settings(Section(), 1).plain == "unreadable"
    assert PLANS.settings(Section(plain="speech"), 1).plain == "speech"
    with pytest.raises(msgspec.ValidationError, match='not with prompt = "act-paper"'):
        msgspec.convert({"plain": "speech", "prompt": "act-paper"}, Section)


def test_what_was_recorded_before_was_no_prose():
    old = msgspec.convert({"type": "social.Action", "kind": "speak", "text": "Hi"}, Action)
    assert old.plain is False
    taken = ActionTaken(turn=1, seat=0, action=PLAIN)
    assert decode_event("ActionTaken", ActionTaken.SCHEMA, encode(taken)) == taken


def test_it_is_marked_for_those_who_know_everything_and_for_nobody_who_plays():
    history = game().history
    marked, plain = account(view(history, "narrator")).entries
    assert with_why(marked).endswith('said: "Good evening." (prose, taken for speech)')
    assert plain.note == ""
    for seat in (0, 1):
        assert [one.note for one in account(view(history, seat)).entries] == ["", ""]
    assert "prose" not in transcript(view(history, "judge"))


def test_how_often_is_told_where_episodes_are_listed():
    ended = game().history[-1]
    assert isinstance(ended, EpisodeEnded)
    assert ended.summary == {"plain": 1}
    assert SOCIAL.outcome(ended.reason, ended.summary) == (
        "turn cap; 1 of the actions prose, taken for speech"
    )
    assert SOCIAL.outcome("left", {}) == "left"
