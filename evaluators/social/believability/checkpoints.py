"""A list of checkpoints beside the believability score, and what they come to."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from evaluators.social.sotopia_eval import BELIEVABILITY
from events.evaluation import Dimension

PENALTY: Final = 5.0
"""What each failed checkpoint takes off the believability score (LIFELONG-SOTOPIA, equation 1)."""


def checkpoint(name: str, description: str) -> Dimension:
    """A dimension that is passed (1) or failed (0)."""
    return Dimension(name=name, low=0, high=1, description=description)


@dataclass(frozen=True, kw_only=True)
class Checkpoints:
    """The believability score, some checkpoints, and the figures worked out from them."""

    believability: Dimension
    checkpoints: tuple[Dimension, ...]
    """In the order in which they are numbered, from 1."""
    worked_out: tuple[Dimension, ...]
    """Believability less ``PENALTY`` for each failed checkpoint, but never below ``low`` of the
    dimension: one that can hold the worst case is not cut."""
    look_back: frozenset[str] = frozenset()
    """Checkpoints for which earlier episodes of a chain may be quoted."""
    by_absence: frozenset[str] = frozenset()
    """Checkpoints that can fail by something left undone, which leaves nothing to quote."""
    by_passing_over: frozenset[str] = frozenset()
    """Checkpoints that can fail by silence, which leaves to quote but what others said."""

    @cached_property
    def asked(self) -> tuple[Dimension, ...]:
        return (self.believability, *self.checkpoints)

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """What is judged and what is worked out from it."""
        return (*self.asked, *self.worked_out)

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(dimension.name for dimension in self.checkpoints)

    def value(self, dimension: Dimension, values: Mapping[str, float]) -> float | None:
        """What the values judged come to in one of ``worked_out``; None where one is missing."""
        if any(asked.name not in values for asked in self.asked):
            return None
        return max(values[BELIEVABILITY] - PENALTY * len(self.failed(values)), dimension.low)

    def failed(self, values: Mapping[str, float]) -> list[str]:
        """The checkpoints that were failed."""
        return [dimension.name for dimension in self.checkpoints if values[dimension.name] == 0]
