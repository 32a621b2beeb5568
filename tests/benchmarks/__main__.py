"""`make bench`: every benchmark, one after the other, each in a process of its own.

    python -m tests.benchmarks [PART ...]

Parts are ``startup``, ``store``, ``actors``, ``nats``, ``turns``, ``live``, ``follow``, ``models``
and ``peers``; none: all.
"""

import os
import platform
import sqlite3
import subprocess
import sys

PARTS = ("startup", "store", "actors", "nats", "turns", "follow", "live", "models", "peers")
BUSY = 0.5
"""A load average above this share of the cores spoils the figures."""


def main() -> int:
    """Run the parts asked for; 1 when one of them could not be run."""
    chosen = sys.argv[1:] or list(PARTS)
    unknown = [part for part in chosen if part not in PARTS]
    if unknown:
        print(f"there is no part {unknown[0]!r}; parts are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    print(
        f"{cores} cores, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, "
        f"load average {load:.2f}"
    )
    if load > BUSY * cores:
        print("The machine is busy: trust the ratios more than the figures.")
    failed = []
    for part in chosen:
        print(f"\n== {part}", flush=True)
        command = [sys.executable, "-m", f"tests.benchmarks.bench_{part}"]
        if subprocess.run(command, check=False).returncode:
            failed.append(part)
    if failed:
        print(f"\nCould not be run: {', '.join(failed)}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
