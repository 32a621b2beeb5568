"""Drawing the tasks of a catalog: five pairs for each of ninety scenarios.

python -m tests.benchmarks.bench_sampling
"""

import time

from actors.social.catalog.sampling import PAIRS, sample_tasks
from actors.social.catalog.starter import starter_catalog
from actors.social.catalog_items import Catalog
from actors.social.formats.catalog_reader import read_published
from tests.benchmarks.speed import machine_speed
from tests.benchmarks.table import Row
from tests.properties.published import SOTOPIA

_ROUNDS = 9


def milliseconds(catalog: Catalog) -> float:
    """Of the fastest round."""
    fastest = float("inf")
    for seed in range(_ROUNDS):
        begun = time.perf_counter()
        sample_tasks(catalog, seed=seed)
        fastest = min(fastest, time.perf_counter() - begun)
    return 1_000 * fastest


def sampling() -> Row:
    """The starter catalog, and SOTOPIA's beside it where it is at hand."""
    goal = 50 / machine_speed()
    spent = milliseconds(starter_catalog())
    beside = (
        f"SOTOPIA's: {milliseconds(read_published(SOTOPIA)):.1f} ms" if SOTOPIA.is_dir() else ""
    )
    scenarios = len(starter_catalog().scenarios)
    return Row(
        f"sampling {scenarios} scenarios × {PAIRS} pairs",
        f"{spent:.1f} ms",
        beside,
        f"≤ {goal:.0f} ms: 50 ms at speed 1",
        spent <= goal,
    )


def rows() -> list[Row]:
    """The part of the table that this measures."""
    return [sampling()]


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
