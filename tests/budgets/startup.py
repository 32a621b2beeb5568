"""What is imported until a command has answered."""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import closing

from store.open_store import open_store
from tests.benchmarks.scored_run import write_run
from tests.budgets.counting import Figure, figure

_COUNT = """
import contextlib, sys
sys.argv[0] = "troupe"
from gateway.cli.main import main
with contextlib.suppress(SystemExit):
    main()
print(*sys.modules, file=sys.stderr)
"""


def start_help() -> Figure:
    """Modules imported by `troupe --help`."""
    return _modules("--help")


def start_runs() -> Figure:
    """Modules imported by `troupe runs`."""
    return _modules("runs")


def _modules(*command: str) -> Figure:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/troupe.db"
        with closing(open_store(url, durable=False)) as store:
            write_run(store, 1)
        done = subprocess.run(
            [sys.executable, "-c", _COUNT, *command],
            env=os.environ | {"TROUPE_DATABASE_URL": url, "TROUPE_DATA_DIR": folder},
            capture_output=True,
            text=True,
            check=True,
        )
    return figure(Counter(".".join(name.split(".")[:2]) for name in done.stderr.split()))
