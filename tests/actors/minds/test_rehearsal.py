"""Rehearsal minds that fail: an environment's fault, and no seat's behaviour."""

import pytest

from actors.episodes.mind import Decision, Scene
from actors.minds.rehearsal import Rehearsed
from actors.social.actions import ACT, NOTHING
from actors.social.environment import GAME
from tests.support.builders import mind

SCENE = Scene(background=None, seen=[], turn=1, question=ACT, seat=0, seats=2)


class Forgetful:
    """A rehearsal that forgets its lines."""

    def __init__(self) -> None:
        self.tries = 0

    async def decide(self, scene: Scene, calls: object) -> Decision:
        self.tries += 1
        raise KeyError("line 7")


async def test_a_rehearsal_that_raises_is_not_tried_again_but_recorded_as_a_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    forgetful = Forgetful()
    monkeypatch.setattr(GAME, "rehearsal", lambda temper, seed: forgetful)
    decision = await Rehearsed(GAME, mind("generous")).decide(SCENE, None)
    assert forgetful.tries == 1
    assert decision.action == NOTHING
    assert decision.failure is not None
    assert decision.failure.reason == "mind_error"
    assert decision.failure.detail == (
        "the rehearsal of environment 'social' failed: KeyError: 'line 7'"
    )


async def test_a_rehearsal_that_cannot_be_made_is_recorded_as_a_failure() -> None:
    decision = await Rehearsed(GAME, mind(temper="unheard of")).decide(SCENE, None)
    assert decision.failure is not None
    assert "there is no rehearsal temper 'unheard of'" in decision.failure.detail
