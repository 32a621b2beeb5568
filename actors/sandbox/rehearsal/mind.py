"""A mind that lives plain days: sleeps at night, else does something somewhere it knows."""

from typing import Final

from actors.episodes.environment import UnknownTemper
from actors.episodes.mind import Decision, Scene
from actors.models.call_log import CallRecorder
from actors.sandbox.clock import Clock
from actors.sandbox.setup import Act, CarryOn, Recap, Say, TalkTo, WhatToDo, WhatToSay
from actors.sandbox.views import Resident
from events.environments import Action
from events.ids import derived_number

TEMPERS: Final = ("ga", "ga+tdp")
_DOES: Final = ("reading", "tidying up", "having tea", "taking a walk", "working")
_UP, _TO_BED = 7, 22


class RehearsalMind:
    """Draws from what one can do, by hashing where it is."""

    def __init__(self, temper: str, seed: int | None = None) -> None:
        """Raises ``UnknownTemper``."""
        if temper not in ("", *TEMPERS):
            raise UnknownTemper(temper, TEMPERS)
        self.seed = seed

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """The same for the same scene."""
        return Decision(action=self._action(scene))

    def _action(self, scene: Scene) -> Action:
        background, question = scene.background, scene.question
        seed = background.seed if self.seed is None else self.seed
        lot = derived_number(str(seed), str(scene.seat), str(scene.turn))
        if isinstance(question, WhatToSay):
            return Say(text=f"A fine day, {background.names[question.to]}.", ends=lot % 3 == 0)
        if not isinstance(question, WhatToDo):
            return Recap(text="We had a talk.")
        assert isinstance(background, Resident), "others are not asked what they do"
        if question.why == "met":
            return TalkTo(seat=question.met[0]) if lot % 4 == 0 else CarryOn()
        if question.why == "day":
            return CarryOn()
        return _day(background, question.at, lot)


def _day(background: Resident, at: int, lot: int) -> Act:
    from datetime import datetime

    now = Clock(datetime.fromisoformat(background.start), background.step_s).moment(at)
    minute = now.hour * 60 + now.minute
    if not _UP * 60 <= minute < _TO_BED * 60:
        left = (_UP * 60 + lot % 60 - minute) % 1440
        return Act(text="sleeping", address=background.me.home, emoji="💤", minutes=max(1, left))
    place = background.known[lot % len(background.known)]
    does = _DOES[lot // 7 % len(_DOES)]
    return Act(text=does, address=place, emoji="🙂", minutes=20 + lot % 60)
