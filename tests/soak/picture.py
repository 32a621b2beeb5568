"""How samples and verdicts are printed, in 80 columns."""

from collections.abc import Sequence
from typing import Final

from tests.soak.figures import Sample
from tests.soak.verdict import MIB, Growth, Measured

BARS: Final = "▁▂▃▄▅▆▇█"
HEADING: Final = (
    "         s episodes live    RSS    USS malloc   free SQLite  blocks tasks files\n"
    "              ended         MiB    MiB    MiB    MiB    MiB       k"
)


def line(name: str, one: Sample) -> str:
    """A sample in a line."""
    inside = one.inside
    megabytes = (one.rss, one.uss, inside.malloc_used, inside.malloc_free, inside.sqlite)
    return (
        f"{name:<6}{one.seconds:>5.0f}{one.episodes:>9,}{inside.episodes:>5}"
        + "".join(f"{size / MIB:>7.1f}" for size in megabytes)
        + f"{inside.blocks / 1000:>8,.0f}{inside.tasks:>6}{one.fds:>6}"
    )


def verdict(what: str, measured: Measured, found: Growth, samples: Sequence[Sample]) -> str:
    """How a figure moved: the slope with its interval, and all of it as a curve."""
    said = "GROWS" if found.grows else "flat"
    return (
        f"  {what:<8}{said:<6}{found.slope:>+9.2f} {measured.unit:<3} "
        f"({found.low:+.2f} to {found.high:+.2f}; {measured.allowed:g} are allowed)\n"
        f"          {sparkline([measured.of(one) for one in samples])}"
    )


def sparkline(values: Sequence[float]) -> str:
    """Values as bars, the least as the lowest; all the same: all the lowest."""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return "".join(BARS[int((value - low) / span * (len(BARS) - 1))] for value in values)
