"""How long it takes until a command line answers.

python -m tests.benchmarks.bench_startup
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

from tests.benchmarks.table import Row

ROUNDS = 11
LONGEST_S = 0.4
HELP = [str(Path(sys.executable).with_name("troupe")), "--help"]
NOTHING = [sys.executable, "-c", "pass"]


def seconds(command: list[str]) -> float:
    """How long a command takes."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def rows() -> list[Row]:
    """The table: medians of rounds in which both run one after the other."""
    for command in (HELP, NOTHING):
        seconds(command)  # writes what Python compiles
    rounds = [(seconds(HELP), seconds(NOTHING)) for _ in range(ROUNDS)]
    shown, nothing = (statistics.median(each) for each in zip(*rounds, strict=True))
    return [
        Row(
            "troupe --help",
            f"{shown:.3f} s",
            f"python -c pass: {nothing:.3f} s",
            f"≤ {LONGEST_S:g} s",
            shown <= LONGEST_S,
        )
    ]


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row)


if __name__ == "__main__":
    main()
