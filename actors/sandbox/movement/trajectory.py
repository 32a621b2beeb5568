"""What everybody did in a town, step by step, as scorers and exports read it."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class TrajectorySpan:
    """Consecutive steps with equal text and address."""

    start: int
    """The first step."""
    end: int
    """The first step that is not part of it."""
    text: str
    address: str
    """As declared: after `` @ `` in published files."""
    emoji: str = ""
    number: int = field(default=-1, compare=False)
    """The number of the event it came of; -1: none is known."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A talk, and when it took place."""

    start: int
    end: int
    people: tuple[int, int]
    """Who began it first; places in ``Trajectory.names``."""
    lines: tuple[tuple[int, str], ...]
    """Who, and what."""
    number: int = field(default=-1, compare=False)
    """The number of the event it came of; -1: none is known."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A whole town's."""

    start: datetime
    """Of step 0."""
    step_s: int
    """Seconds a step."""
    steps: int
    """How many there are."""
    names: tuple[str, ...]
    """By seat."""
    spans: tuple[tuple[TrajectorySpan, ...], ...]
    """For each seat, in order, from step 0 to the last without holes."""
    tiles: NDArray[np.int16]
    """``[steps, people, 2]``: column and row."""
    talks: tuple[Talk, ...] = ()

    def moment(self, step: int) -> datetime:
        """When a step begins."""
        return self.start + timedelta(seconds=step * self.step_s)
