"""The offline mind's line: a sentence about the goal. It is no language model."""

from typing import Final

from actors.episodes.mind import Decision, Scene
from actors.models.recording.call_log import CallRecorder
from actors.worldtree.free_lines.setup import WritingView, Wrote
from actors.worldtree.trees.abilities import ABILITIES
from events.ids import derived_number

SENTENCES: Final = {
    "en": (
        "Listen to me. {goal}",
        "I have thought about it, and this is what I will do: {goal}",
        "Let us settle this together. {goal}",
        "Leave it to me. {goal}",
    ),
    "zh": (
        "听我说。{goal}",
        "我想过了，我要这样做：{goal}",
        "我们一起把这件事办好。{goal}",
        "交给我吧。{goal}",
    ),
}
"""By language. What they say depends on chance alone; what it is about, on the goal."""


class Rehearsal:
    """Says one of a few sentences, by temper and seed."""

    def __init__(self, temper: str, seed: int | None = None) -> None:
        self._temper, self._seed = temper, seed

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """The same scene, the same line."""
        del calls
        shown: WritingView = scene.background
        last = "".join(getattr(beat, "text", "") for beat in shown.before[-1:])
        seed = shown.seed if self._seed is None else self._seed
        parts = (self._temper, str(seed), shown.protagonist.name, last)
        lot = derived_number("free line", *parts)
        sentences = SENTENCES[shown.language]
        goal = shown.protagonist.goal or shown.scenario
        text = sentences[lot % len(sentences)].format(goal=goal)[:1000].strip()
        ability = ABILITIES[lot // len(sentences) % len(ABILITIES)]
        return Decision(action=Wrote(text=text, abilities=(ability,), why="a rehearsal"))
