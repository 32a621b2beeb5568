"""How samples are printed."""

from collections.abc import Sequence
from typing import Final

from tests.soak.figures import Sample

MIB: Final = 1024 * 1024
BARS: Final = "▁▂▃▄▅▆▇█"
HEADING: Final = (
    "process      s  episodes   live    events  RSS MiB  USS MiB  malloc   free  SQLite   WAL"
    "      blocks  tasks  threads  files"
)


def line(name: str, one: Sample) -> str:
    """A sample in a line."""
    inside = one.inside
    return (
        f"{name:<7}{one.seconds:>7.0f}{one.episodes:>10,}{inside.episodes:>7,}{one.events:>10,}"
        f"{one.rss / MIB:>9.1f}{one.uss / MIB:>9.1f}{inside.malloc_used / MIB:>8.1f}"
        f"{inside.malloc_free / MIB:>7.1f}{inside.sqlite / MIB:>8.1f}{one.wal / MIB:>6.1f}"
        f"{inside.blocks:>12,}{inside.tasks:>7,}{one.threads:>9,}{one.fds:>7,}"
    )


def sparkline(values: Sequence[float]) -> str:
    """Values as bars, the least as the lowest; all the same: all the lowest."""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return "".join(BARS[int((value - low) / span * (len(BARS) - 1))] for value in values)
