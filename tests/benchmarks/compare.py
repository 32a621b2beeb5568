"""`make bench-compare`: parts of the benchmarks in another version and here, by turns.

    python -m tests.benchmarks.compare REF PART ... [--pairs N] [--json FILE]

REF is a commit, a branch or a tag. Its code is put into a worktree under ``.bench/`` and set up by
its own `make dev`; both are kept for the next time (`git worktree remove --force .bench/…` takes
them away). Each part runs there, then here, N times. The table has, for each figure that both have,
here divided by there: the geometric mean over the pairs with its 95 % interval. Exits with 1 when
a part could not be run.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from tests.benchmarks import ratios
from tests.benchmarks.__main__ import Machine, machine
from tests.benchmarks.figures import Figure, figures_of
from tests.benchmarks.ratios import Compared, Pair
from tests.benchmarks.table import Row
from tests.benchmarks.worktrees import (
    ROOT,
    NoWorktree,
    commit_of,
    environment,
    set_up,
    worktree,
)

PAIRS = 5


class Comparison(msgspec.Struct, frozen=True):
    """What ``--json`` writes."""

    ref: str
    commit: str
    machine: Machine
    parts: list[Compared]
    failures: list[str]


class _PartRows(msgspec.Struct):
    rows: list[Row]
    failed: str = ""


class _PartsFile(msgspec.Struct):
    """What ``python -m tests.benchmarks --json`` has written in every version."""

    parts: list[_PartRows]


class NotMeasured(Exception):
    """A part did not run to its end."""


Measure = Callable[[Path, str], Mapping[str, Figure]]


def measure(place: Path, part: str) -> Mapping[str, Figure]:
    """Run a part in a checkout, by that checkout's code and environment. Raises ``NotMeasured``."""
    python = place / ".venv" / "bin" / "python"
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as folder:
        file = Path(folder) / "report.json"
        command = [str(python), "-m", "tests.benchmarks", part, "--json", str(file)]
        done = subprocess.run(
            command, cwd=place, env=environment(), stdout=subprocess.DEVNULL, check=False
        )
        if done.returncode or not file.exists():
            raise NotMeasured(f"it exited with {done.returncode}; its own words are above")
        try:
            report = msgspec.json.decode(file.read_bytes(), type=_PartsFile)
        except msgspec.ValidationError as error:
            raise NotMeasured(f"its report cannot be read: {error}") from None
    return figures_of(report.parts[0].rows)


def alternate(
    part: str,
    there: Path,
    here: Path,
    pairs: int,
    measure: Measure = measure,
    say: Callable[[str], None] = print,
) -> list[Pair]:
    """Measure there, here, there, here, … Raises ``NotMeasured``."""
    found: list[Pair] = []
    for number in range(1, pairs + 1):
        sides: list[Mapping[str, Figure]] = []
        for name, place in (("there", there), ("here", here)):
            began = time.perf_counter()
            try:
                sides.append(measure(place, part))
            except NotMeasured as error:
                raise NotMeasured(f"{part} could not be measured {name}: {error}") from None
            seconds = time.perf_counter() - began
            say(f"{part}, pair {number} of {pairs}: {name}, {seconds:.0f} s")
        found.append((sides[0], sides[1]))
    return found


def parts_of(place: Path) -> list[str]:
    """The parts that a checkout has."""
    files = (place / "tests" / "benchmarks").glob("bench_*.py")
    return sorted(file.stem.removeprefix("bench_") for file in files)


def missing(parts: Sequence[str], place: Path, where: str) -> str:
    """Which parts a checkout lacks, in a sentence; empty where it has all."""
    known = parts_of(place)
    unknown = [part for part in parts if part not in known]
    if not unknown:
        return ""
    named = ", ".join(map(repr, unknown))
    return f"there is no part {named} {where}; there are {', '.join(known) or 'none'}"


def write(compared: Compared, ref: str) -> None:
    """Print one part's table."""
    print(f"\n{compared.part}: {ref} beside what is here\n{ratios.HEADING}")
    for ratio in compared.ratios:
        print(ratio)
    for side, names in ((f"only at {ref}", compared.only_there), ("only here", compared.only_here)):
        for name in names:
            print(f"{side}: {name}")


def main() -> int:
    """Compare the parts asked for."""
    parser = argparse.ArgumentParser(prog="make bench-compare", description=__doc__)
    parser.add_argument("ref", metavar="REF", help="a commit, a branch or a tag")
    parser.add_argument("parts", nargs="+", metavar="PART", help="as of `make bench`")
    parser.add_argument("--pairs", type=int, default=PAIRS, metavar="N", help=f"by default {PAIRS}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    asked = parser.parse_args()
    # Whoever is told to end stops the part that runs, as whoever is interrupted does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if asked.pairs < 1:
        parser.error(f"--pairs must be at least 1, not {asked.pairs}")
    if lacks := missing(asked.parts, ROOT, "here"):
        parser.error(lacks)
    try:
        commit, there = commit_of(asked.ref), worktree(asked.ref)
        if lacks := missing(asked.parts, there, f"at {asked.ref}"):
            parser.error(lacks)
        print(f"{asked.ref} is in {there.relative_to(ROOT)}; setting it up by its `make dev`")
        set_up(there, ("dev", "bench-peers") if (ROOT / ".venv-peers").exists() else ("dev",))
    except NoWorktree as error:
        parser.error(str(error))
    comparison = Comparison(asked.ref, commit, machine(), [], [])
    print(f"{comparison.machine}; {asked.pairs} pairs", flush=True)
    for part in asked.parts:
        try:
            pairs = alternate(
                part, there, ROOT, asked.pairs, say=lambda line: print(line, flush=True)
            )
        except NotMeasured as error:
            comparison.failures.append(str(error))
            print(error, flush=True)
            continue
        comparison.parts.append(ratios.compare(part, pairs))
        write(comparison.parts[-1], asked.ref)
    if asked.json:
        asked.json.write_bytes(msgspec.json.format(msgspec.json.encode(comparison), indent=2))
    return int(bool(comparison.failures))


if __name__ == "__main__":
    sys.exit(main())
