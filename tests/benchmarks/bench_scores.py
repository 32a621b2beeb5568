"""What it takes to read the scores of a large run: show, compare, Parquet, report.

    python -m tests.benchmarks.bench_scores [--episodes N ...] [--postgresql] [--keep FOLDER]

A run of 21,600 episodes with two judges has 604,800 scores. Each command runs in a process of its
own, as a person would run it: its time is from start to exit, beside it its processor seconds and
the most memory it had resident. The goals in seconds are divided by the machine's speed.
"""

import argparse
import compileall
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import NamedTuple

from gateway.process.logs import set_up_logs
from store.open_store import open_store
from tests.benchmarks.bench_store import postgresql
from tests.benchmarks.scored_run import RUN, write_run
from tests.benchmarks.speed import machine_speed
from tests.benchmarks.table import Row

FULL = 21_600
LARGE = 100_000
MOST_MIB = 300
"""Resident, of any of the commands, for ``FULL`` episodes."""
MIB = 1024
"""Of the kibibytes in which the system tells how much memory a process had."""


_MEASURE = f"""
import os, subprocess, sys, time
began = time.perf_counter()
command = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(command.pid, 0)
if status: sys.exit(1)
print(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / {MIB})
"""
"""Runs between the bench and a command: a process is told to have had at least as much memory as
the one that started it."""


class Command(NamedTuple):
    """A command to be measured."""

    name: str
    arguments: Sequence[str]
    goal_s: float
    """For ``FULL`` episodes on a machine of speed 1.0; larger runs may take as much longer as they
    are larger."""


class Use(NamedTuple):
    """What a process took."""

    seconds: float
    processor_s: float
    """Of all its threads."""
    mib: float
    """The most memory that was resident."""


def commands(folder: Path) -> Iterator[Command]:
    """Those measured; files go into the folder."""
    yield Command("troupe show", ("show", RUN), 2)
    yield Command("troupe compare", ("compare", RUN, "mild", "strict"), 2)
    tables = str(folder / "tables")
    yield Command("troupe export -f parquet", ("export", RUN, "-f", "parquet", "-o", tables), 4)
    yield Command("troupe report", ("report", RUN, "-o", str(folder / "report.html")), 10)


def use_of(arguments: Sequence[str], environment: dict[str, str]) -> Use:
    """Run a command to its end. Raises ``CalledProcessError``."""
    command = [str(Path(sys.executable).with_name("troupe")), *arguments]
    measuring = [sys.executable, "-I", "-S", "-c", _MEASURE, *command]
    done = subprocess.run(
        measuring, env=os.environ | environment, stdout=subprocess.PIPE, check=True, text=True
    )
    return Use(*map(float, done.stdout.split()))


def keep_bytecode() -> None:
    """Have the bytecode of all modules beside them, as an installation does."""
    root = Path(__file__).parents[2]
    for package in ("actors", "evaluators", "events", "gateway", "store"):
        compileall.compile_dir(root / package, quiet=1)


def measured(url: str, folder: Path, episodes: int, backend: str) -> Iterator[Row]:
    """The rows of one run of so many episodes, which is in the store already."""
    environment = {"TROUPE_DATABASE_URL": url, "TROUPE_DATA_DIR": str(folder)}
    scale = max(1.0, episodes / FULL)
    for command in commands(folder):
        use = use_of(command.arguments, environment)
        goal_s, most_mib = command.goal_s * scale, MOST_MIB * scale
        most_s = goal_s / machine_speed()
        yield Row(
            f"{command.name}, {episodes:,} episodes, {backend}",
            f"{use.seconds:.1f} s, {use.mib:,.0f} MiB",
            f"processor {use.processor_s:.1f} s",
            f"≤ {most_s:.1f} s ({goal_s:.0f} s at speed 1.0), ≤ {most_mib:.0f} MiB"
            if episodes >= FULL
            else "",
            use.seconds <= most_s and use.mib <= most_mib if episodes >= FULL else None,
        )
    written = sum(file.stat().st_size for file in folder.rglob("report*.html"))
    yield Row(f"the report's page, {episodes:,} episodes", f"{written / 1e6:,.1f} MB")


def filled(url: str, episodes: int) -> None:
    """Write the run, unless the store has one."""
    with closing(open_store(url, durable=False)) as store:
        if store.head() == 0:
            write_run(store, episodes)


def rows(
    sizes: Sequence[int] = (FULL,), *, on_postgresql: bool = True, keep: Path | None = None
) -> Iterator[Row]:
    """The table."""
    keep_bytecode()
    for episodes in sizes:
        with (
            tempfile.TemporaryDirectory(prefix="troupe-bench-")
            if keep is None
            else nullcontext(str(keep / str(episodes)))
        ) as name:
            folder = Path(name)
            folder.mkdir(parents=True, exist_ok=True)
            url = f"sqlite:///{folder}/troupe.db"
            filled(url, episodes)
            yield from measured(url, folder, episodes, "SQLite")
            if on_postgresql:
                with postgresql() as server:
                    filled(server, episodes)
                    yield from measured(server, folder, episodes, "PostgreSQL")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, nargs="*", default=[FULL], metavar="N")
    parser.add_argument("--postgresql", action="store_true", help="there, too")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="use the stores there again")
    asked = parser.parse_args()
    set_up_logs("warning")
    for row in rows(asked.episodes, on_postgresql=asked.postgresql, keep=asked.keep):
        print(row, flush=True)


if __name__ == "__main__":
    main()
