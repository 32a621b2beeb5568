"""The dimensions that rubrics of ours declare: in which order tables show them, and which of them
are checkpoints. A judge may have others of its own."""

from collections.abc import Iterable
from typing import Final

from evaluators import sotopia_eval
from evaluators.believability import rubric
from events.evaluation import Dimension

KNOWN: Final[dict[str, Dimension]] = sotopia_eval.BY_NAME | {d.name: d for d in rubric.DIMENSIONS}
"""By name: SOTOPIA's seven, then those of believability extended."""


def in_order(names: Iterable[str]) -> list[str]:
    """Names of dimensions as tables show them: those known here first, then others by name,
    ``overall`` last."""
    order = list(KNOWN)

    def place(name: str) -> tuple[bool, int, str]:
        known = order.index(name) if name in KNOWN else len(order)
        return name == sotopia_eval.OVERALL, known, name

    return sorted(set(names), key=place)


def is_checkpoint(name: str, values: Iterable[float]) -> bool:
    """Whether a dimension is passed or failed, going by its name and all its values: a judge may
    have had a scale of its own under the same name."""
    return name in rubric.CHECKPOINT_NAMES and all(value in (0, 1) for value in values)
