"""The population that a table's intervals refer to: it decides which scores form a cluster, and so
which kind of additional data would make a figure more precise.

Scores that share a source of chance are one cluster; the interval then says how far the figure
would move if other clusters had been drawn (docs/explanation/statistics.md).
"""

from typing import Final, Literal

Population = Literal["scenarios", "episodes", "chains"]

POPULATIONS: Final[dict[Population, str]] = {
    "scenarios": "of scenarios like these: all scores of one scenario count as related",
    "episodes": "of these very scenarios played again: only scores of one episode count as related",
    "chains": "of chains like these: all scores of one chain count as related",
}
"""Each, as a table says it."""

FEW: Final = 10
"""Of fewer clusters an interval is told together with their number: cluster-robust intervals are
then too narrow as a rule, and what one cluster does shows (Cameron and Miller 2015, "A
practitioner's guide to cluster-robust inference", Journal of Human Resources 50, section VI)."""

_ONE: Final[dict[Population, str]] = {
    "scenarios": "scenario",
    "episodes": "episode",
    "chains": "chain",
}


def counted(count: int, population: Population) -> str:
    """So many clusters, in words: ``1 chain``, ``4 chains``."""
    return f"{count} {_ONE[population] if count == 1 else population}"
