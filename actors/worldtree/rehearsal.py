"""The offline mind: no language model.

It knows what the seat knows, the options in the order shown and the words of each; what a line
counts for is not among it. The same scene is always answered the same.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from actors.episodes.mind import Decision, Scene
from actors.episodes.port.prompts import UnknownTemper
from actors.models.recording.call_log import CallRecorder
from actors.worldtree.setup import Choose, Chose
from actors.worldtree.trees.tree import Line
from events.ids import derived_number

_KIND: Final = re.compile(
    r"帮|谢|一起|我们|抱歉|对不起|商量|理解|相信|放心|谅|陪|照顾|支持|分享"
    r"|\b(?:help|thank|together|we|us|our|sorry|please|agree|understand|trust|share|support|care"
    r"|forgive|apologi[sz]e|promise)\w*",
    re.IGNORECASE,
)
"""Words of somebody who minds others."""
_HARSH: Final = re.compile(
    r"打|骂|滚|杀|恨|骗|偷|抢|威胁|报复|闭嘴|凭什么|活该|怒|吵"
    r"|\b(?:fight|hit|kill|hate|steal|stole|lie|cheat|trick|threat|revenge|shut up|angr|never"
    r"|mine|fool|stupid|idiot|blame)\w*",
    re.IGNORECASE,
)
"""Words of somebody who minds nobody but themselves."""


def _kindness(line: Line) -> int:
    return len(_KIND.findall(line.text)) - len(_HARSH.findall(line.text))


_SCORES: Final[Mapping[str, Callable[[Line], int]]] = MappingProxyType(
    {
        "prosocial": _kindness,
        "selfish": lambda line: -_kindness(line),
        "longest": lambda line: len(line.text),
        "shortest": lambda line: -len(line.text),
        "steady": lambda _: 0,
    }
)
TEMPERS: Final = ("steady", "wavering", "first", "last", *tuple(_SCORES)[:-1])
"""By place: ``first`` and ``last`` of the options as they are shown, which a preset that asks once
shows as filed. By words, so that all shuffles of a question are answered alike: ``prosocial`` goes
to the line with the most friendly and the fewest harsh words, ``selfish`` the other way round,
``longest`` and ``shortest`` by the characters, ``steady`` to any; lines that are equal in this are
drawn from. ``wavering`` draws for each shuffle anew, and may find no majority."""


@lru_cache(maxsize=1024)
def _favourite(temper: str, seed: str, turn: int, options: frozenset[Line]) -> str:
    """The words of the line that a temper goes to: the same for all shuffles of a question."""
    score = _SCORES[temper]

    def place(line: Line) -> tuple[int, int, str]:
        return score(line), derived_number(seed, str(turn), line.text), line.text

    return max(options, key=place).text


class RehearsalMind:
    """Chooses by temper."""

    def __init__(self, temper: str, seed: int | None = None) -> None:
        """Raises ``UnknownTemper``."""
        if temper not in ("", *TEMPERS):
            raise UnknownTemper(temper, TEMPERS)
        self.temper, self.seed = temper or TEMPERS[0], seed

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        question = scene.question
        assert isinstance(question, Choose), "nothing else is asked"
        return Decision(action=Chose(option=self._option(scene, question.options)))

    def _option(self, scene: Scene, options: Sequence[Line]) -> int:
        if self.temper in ("first", "last"):
            return 0 if self.temper == "first" else len(options) - 1
        seed = str(scene.background.seed if self.seed is None else self.seed)
        if self.temper == "wavering":
            return derived_number(seed, str(scene.turn), str(scene.question_id)) % len(options)
        favourite = _favourite(self.temper, seed, scene.turn, frozenset(options))
        return [line.text for line in options].index(favourite)
