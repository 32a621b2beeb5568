"""The offline mind: no language model."""

from typing import Final

from actors.episodes.environment import UnknownTemper
from actors.episodes.mind import Decision, Scene
from actors.models.call_log import CallRecorder
from actors.worldtree.setup import Choose, Chose
from events.ids import derived_number

TEMPERS: Final = ("steady", "wavering", "first", "last")
"""``steady`` draws a line by its words, whatever the order; ``wavering`` draws anew for each
question; ``first`` and ``last`` go by the place."""


class RehearsalMind:
    """Chooses by temper."""

    def __init__(self, temper: str, seed: int | None = None) -> None:
        """Raises ``UnknownTemper``."""
        if temper not in ("", *TEMPERS):
            raise UnknownTemper(temper, TEMPERS)
        self.temper, self.seed = temper or TEMPERS[0], seed

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """A line."""
        question = scene.question
        assert isinstance(question, Choose), "nothing else is asked"
        return Decision(action=Chose(option=self._option(scene, question)))

    def _option(self, scene: Scene, question: Choose) -> int:
        last = len(question.options) - 1
        if self.temper in ("first", "last"):
            return 0 if self.temper == "first" else last
        seed = str(scene.background.seed if self.seed is None else self.seed)
        if self.temper == "wavering":
            return derived_number(seed, str(scene.turn), str(scene.question_id)) % (last + 1)
        drawn = [derived_number(seed, str(scene.turn), line.text) for line in question.options]
        return drawn.index(max(drawn))
