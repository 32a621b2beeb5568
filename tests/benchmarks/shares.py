"""Where CPU goes, by part of the house. Taken under a profiler, so relative only."""

import cProfile
import pstats
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.benchmarks.table import Row

ROOT = Path(__file__).parents[2]
SHOWN = 12


@contextmanager
def shares_of_cpu(what: str) -> Iterator[list[Row]]:
    """Profile this thread while the block lasts; the list then holds a row for each part."""
    table: list[Row] = []
    profile = cProfile.Profile()
    profile.enable()
    try:
        yield table
    finally:
        profile.disable()
    shares: Counter[str] = Counter()
    for (file, _, name), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        shares[_part(file, name)] += own
    whole = sum(shares.values())
    table.append(Row(f"where the loop's CPU goes, {what}:", "(profiled)"))
    table += [Row(f"  {part}", f"{own / whole:.1%}") for part, own in shares.most_common(SHOWN)]


def _part(file: str, name: str) -> str:
    path = Path(file)
    if "site-packages" in path.parts:
        return path.parts[path.parts.index("site-packages") + 1]
    if path.is_relative_to(ROOT):
        parts = path.relative_to(ROOT).parts
        return "/".join(parts[: 2 if parts[0] in ("actors", "tests") else 1])
    if file == "~":
        return "msgspec" if "msgspec" in name else "Python's built-ins and uvloop"
    return "templates" if file.startswith("<template") else "Python's library"
