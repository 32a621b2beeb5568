"""`make bench`: every benchmark, one part after the other, each in a process of its own.

    python -m tests.benchmarks [PART ...] [--json FILE]

One table: what was measured, the figure, what stands beside it in the same run, and the goal. A
goal that was not reached is marked ``SHORT``. Exits with 1 when a part could not be run.
"""

import argparse
import importlib
import os
import platform
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from gateway.process.logs import set_up_logs
from tests.benchmarks.speed import machine_speed
from tests.benchmarks.table import HEADING, Row

PARTS = (
    *("startup", "actors", "nats", "jobs", "store", "follow", "views", "keeping", "archive"),
    *("turns", "live", "memory", "models", "flat", "fleet", "scores", "report", "bounds", "peers"),
    *("trees", "worldtree", "socket", "http", "pages", "stage", "town", "town_page", "scoring"),
    *("minds", "tabletop", "games", "sampling", "sotopia", "training", "envs"),
)
"""In this order; what measures memory has its process for itself."""
BUSY = 0.5
"""A load average above this share of the cores spoils the figures."""


class Machine(msgspec.Struct, frozen=True):
    """Where the figures are from."""

    cores: int
    python: str
    sqlite: str
    system: str
    load: float
    """Average of the last minute, before anything was measured."""
    speed: float
    """As ``machine_speed`` has it: 1.0 is the machine of the goals."""

    def __str__(self) -> str:
        return (
            f"{self.cores} cores, Python {self.python}, SQLite {self.sqlite}, {self.system}, "
            f"load average {self.load:.2f}, {self.speed:.2f} × the speed of the goals' machine"
        )


class Part(msgspec.Struct):
    """One part's outcome."""

    name: str
    rows: list[Row]
    seconds: float
    failed: str = ""
    """Why it could not be run to its end; empty where it could."""


class Report(msgspec.Struct):
    """What ``--json`` writes."""

    machine: Machine
    parts: list[Part]

    def summary(self) -> str:
        """How many goals there were, and which were not reached."""
        goals = [row for part in self.parts for row in part.rows if row.reached is not None]
        short = [row.what.strip() for row in goals if not row.reached]
        said = f"{len(goals) - len(short)} of {len(goals)} goals reached"
        return said + (f"; short: {'; '.join(short)}" if short else "")


def measured(name: str) -> Part:
    """Run one part in a process of its own, printing its rows as they come."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "tests.benchmarks", "--rows-of", name]
    rows: list[Row] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                row = msgspec.json.decode(line, type=Row)
                rows.append(row)
                print(row, flush=True)
        except BaseException:
            process.terminate()
            raise
    failed = f"it exited with {process.returncode}" if process.returncode else ""
    return Part(name, rows, time.perf_counter() - began, failed)


def hand_over(name: str) -> None:
    """In the part's own process: measure, and write each row as a line of JSON."""
    # Whatever else is printed must not come between the rows.
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    set_up_logs("warning")
    for row in importlib.import_module(f"tests.benchmarks.bench_{name}").rows():
        out.write(msgspec.json.encode(row) + b"\n")
        out.flush()


def machine() -> Machine:
    """This one."""
    return Machine(
        cores=os.cpu_count() or 1,
        python=platform.python_version(),
        sqlite=sqlite3.sqlite_version,
        system=f"{platform.system()} {platform.machine()}",
        load=os.getloadavg()[0],
        speed=machine_speed(),
    )


def main() -> int:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; none: all"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument("--rows-of", choices=PARTS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    # Whoever is told to end cleans up as whoever is interrupted does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if asked.rows_of:
        hand_over(asked.rows_of)
        return 0
    for part in asked.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; parts are {', '.join(PARTS)}")
    report = Report(machine(), [])
    print(report.machine)
    if report.machine.load > BUSY * report.machine.cores:
        print("The machine is busy: trust the ratios more than the figures.")
    print(f"\n{HEADING}")
    for name in asked.parts or PARTS:
        print(f"\n{name}", flush=True)
        part = measured(name)
        report.parts.append(part)
        if part.failed:
            print(f"{name} could not be measured: {part.failed}; its own words are above")
    print(f"\n{report.summary()}")
    if asked.json:
        asked.json.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2))
    return int(any(part.failed for part in report.parts))


if __name__ == "__main__":
    sys.exit(main())
