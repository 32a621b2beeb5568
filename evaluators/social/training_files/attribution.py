"""How much of a seat's goal each of its actions earned (Sotopia-RL, Yu et al. 2025, section 3)."""

import re
from collections.abc import Mapping
from typing import Final

from events.evaluation import Dimension, JudgeSpec

REDUNDANT: Final = -1
"""What an action is given that was of no use at all."""
SCALES: Final = (3, 5, 10)
"""The greatest attributions that there are rubrics for; the first is the paper's."""
_REASON: Final = re.compile(r"of (\d+):((?: \[\d+\] -?\d+)+)\Z")
_ONE: Final = re.compile(r"\[(\d+)\] (-?\d+)")


def dimension(scale: int) -> Dimension:
    """The dimension of attributions from 0 to ``scale``: their mean, -1 for what was redundant."""
    return Dimension(
        name="attribution" if scale == SCALES[0] else f"attribution_{scale}",
        low=REDUNDANT,
        high=scale,
        description=f"The mean of how much each action did for the character's goal, 0 to {scale}; "
        f"{REDUNDANT}: it was redundant.",
    )


DIMENSIONS: Final = tuple(dimension(scale) for scale in SCALES)
"""One a scale, in the order of ``SCALES``."""
ATTRIBUTED: Final = {one.name: scale for one, scale in zip(DIMENSIONS, SCALES, strict=True)}
"""By a dimension's name, its scale."""


def scale_of(judge: JudgeSpec) -> int:
    """The greatest attribution that a judge gives."""
    return ATTRIBUTED[judge.dimensions[0].name]


def in_words(attributions: Mapping[int, int], scale: int) -> str:
    """Attributions by event number, as a score's reason holds them: ``of 3: [4] 2, [8] 0`` without
    the commas."""
    told = "".join(f" [{number}] {value}" for number, value in sorted(attributions.items()))
    return f"of {scale}:{told}"


def attributions_in(reason: str) -> tuple[int, dict[int, int]]:
    """The scale, and the attributions by event number, that a score's reason holds. Raises
    ``ValueError`` where it is no such reason."""
    found = _REASON.match(reason)
    if found is None:
        raise ValueError("the reason holds no attributions")
    return int(found[1]), {int(number): int(value) for number, value in _ONE.findall(found[2])}


def reward(attribution: int, scale: int, goal: float) -> float:
    """What an action is worth: its share of the seat's goal score, ``attribution / scale * goal``;
    -1 where it was redundant."""
    return float(REDUNDANT) if attribution == REDUNDANT else attribution / scale * goal
