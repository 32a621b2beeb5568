"""How long published world trees take to be read and checked.

python -m tests.benchmarks.bench_trees
"""

import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from actors.worldtree.formats.files import read_files
from actors.worldtree.trees.balance import balance
from tests.benchmarks.table import Row
from tests.properties.published import WORLD_TREES

ROUNDS = 15
MOST = 10.0
"""Times what ``json.load`` takes."""


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def loaded(paths: Sequence[Path]) -> None:
    """The same files as plain values, nothing looked at."""
    for path in paths:
        with path.open(encoding="utf-8") as file:
            json.load(file)


def rows() -> list[Row]:
    """The table: medians of rounds in which both run one after the other."""
    paths = sorted(WORLD_TREES.glob("*.json"))
    if not paths:
        return [Row("world trees: read and check", f"skipped: no files in {WORLD_TREES}")]
    rounds = [
        (seconds(lambda: balance(read_files(paths).trees)), seconds(lambda: loaded(paths)))
        for _ in range(ROUNDS)
    ]
    checked, plain = (statistics.median(each) for each in zip(*rounds[2:], strict=True))
    return [
        Row(
            f"world trees: read and check {len(paths)} files",
            f"{1_000 * checked:.0f} ms, {checked / plain:.1f} ×",
            f"json.load: {1_000 * plain:.0f} ms",
            f"≤ {MOST:g} ×",
            checked <= MOST * plain,
        )
    ]


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row)


if __name__ == "__main__":
    main()
