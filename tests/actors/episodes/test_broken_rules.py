"""What no environment may do is named, instead of waited for."""

import pytest

from actors.episodes.port.rules import Ask, End
from actors.episodes.rules import decide as rules
from actors.episodes.rules.decide import INITIAL, BrokenRules, Continue, decide, evolve
from actors.social.actions import ACT, NOTHING
from actors.social.environment import GAME
from actors.worldtree.setup import Choose, NoChoice, Stepped
from events.episode import ActionFailure, ActionTaken, Asked
from events.wire.messages import TakeAction
from tests.support.builders import started

FOREIGN = Choose(options=())
"""A question of another environment."""


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (Ask(asked=()), "asks nobody"),
        (Ask(asked=(Asked(seat=2, question=ACT),)), "asks seat 2; seats are 0 to 1"),
        (
            Ask(asked=(Asked(seat=0, question=ACT), Asked(seat=0, question=ACT))),
            "asks seat 0 two questions with id 0",
        ),
        (End(reason="boredom"), "knows no ending 'boredom'"),
        (Ask(asked=(Asked(seat=0, question=FOREIGN),)), "uses Choose, .* vocabulary's questions"),
        (Stepped(edge=0, votes=2), "uses Stepped, .* vocabulary's changes"),
    ],
)
def test_a_step_that_cannot_be_is_refused_with_what_is_wrong(monkeypatch, step, why):
    state = evolve(INITIAL, started())
    monkeypatch.setattr(GAME.rules, "next_step", lambda world: step)
    with pytest.raises(BrokenRules, match=why):
        decide(state, Continue())


def test_what_is_recorded_for_a_mind_that_failed_need_not_be_an_answer(monkeypatch):
    monkeypatch.setattr(GAME.rules, "action_fault", lambda *_: "that is no answer")
    state = rules.evolve(INITIAL, started())
    state = rules.evolve(state, decide(state, Continue())[0])
    failed = TakeAction(
        seat=0, turn=1, action=NOTHING, failure=ActionFailure(reason="timeout", detail="late")
    )
    taken = decide(state, failed)[0]
    assert isinstance(taken, ActionTaken)
    with pytest.raises(rules.CommandRefused, match="that is no answer"):
        decide(state, TakeAction(seat=0, turn=1, action=NOTHING))


def test_a_nothing_that_could_not_be_read_again_is_no_turn(monkeypatch):
    monkeypatch.setattr(GAME.rules, "nothing", lambda _: NoChoice())
    with pytest.raises(BrokenRules, match="uses NoChoice, which is not in its vocabulary's action"):
        decide(evolve(INITIAL, started()), Continue())
