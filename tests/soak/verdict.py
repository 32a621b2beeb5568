"""Whether something grows with the work that is done.

A line is laid through the second half of the samples, by episodes and not by time: the first half
is what caches take until they are full. Its slope is Theil and Sen's, the median of the slopes
between any two samples (Sen 1968), which peaks do not move; with it comes an interval of 95 %. What
is measured grows where all of that interval is above what it may.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from scipy import stats

from tests.soak.figures import Sample

PER: Final = 1000
"""Episodes that slopes are given for."""
FEWEST: Final = 10
LEAST: Final = 1000
"""Samples and episodes in the second half, below which nothing is said."""
MIB: Final = 1024 * 1024


class Measured(NamedTuple):
    """A figure of a process, and by how much it may grow."""

    of: Callable[[Sample], float]
    unit: str
    allowed: float
    """For ``PER`` episodes. What is kept up to a bound is not among it: the probe empties the
    caches, and the pages that SQLite keeps are taken off."""


MEASURED: Final[Mapping[str, Measured]] = {
    # What malloc keeps though it is free settles only after ten thousand episodes.
    "USS": Measured(
        lambda one: (one.uss - one.inside.sqlite - one.inside.malloc_free) / MIB, "MiB", 2.0
    ),
    "malloc": Measured(lambda one: (one.inside.malloc_used - one.inside.sqlite) / MIB, "MiB", 0.5),
    "blocks": Measured(lambda one: one.inside.blocks / 1000, "k", 3),
    "tasks": Measured(lambda one: one.inside.tasks, "", 1),
    "actors": Measured(lambda one: one.inside.actors, "", 1),
    "threads": Measured(lambda one: one.threads, "", 1),
    "files": Measured(lambda one: one.fds, "", 1),
}


class Growth(NamedTuple):
    """How a figure moves with ``PER`` episodes."""

    slope: float
    low: float
    high: float
    """The interval's bounds."""
    grows: bool


class TooFew(ValueError):
    """Not enough was seen to say anything."""

    def __init__(self, samples: int, episodes: int) -> None:
        super().__init__(
            f"the second half has {samples} samples and {episodes:,} episodes, and {FEWEST} and "
            f"{LEAST:,} are needed to say anything: give more MINUTES"
        )
        self.samples, self.episodes = samples, episodes


def second_half(samples: Sequence[Sample]) -> list[Sample]:
    """Those from half of the episodes on."""
    most = samples[-1].episodes if samples else 0
    return [one for one in samples if 2 * one.episodes >= most]


def growth(samples: Sequence[Sample], measured: Measured) -> Growth:
    """How a figure moves in the second half. Raises ``TooFew``."""
    half = second_half(samples)
    done = [one.episodes / PER for one in half]
    episodes = half[-1].episodes - half[0].episodes if half else 0
    if len(half) < FEWEST or episodes < LEAST:
        raise TooFew(len(half), episodes)
    slope, _, low, high = stats.theilslopes([measured.of(one) for one in half], done)
    return Growth(float(slope), float(low), float(high), bool(low > measured.allowed))
