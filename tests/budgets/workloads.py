"""Which figures there are, and how one is measured: each group in a process of its own, so that
neither the tests beside it nor what they imported, cached or hooked in is part of it."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module

import msgspec

from gateway.process.logs import set_up_logs
from tests.budgets.counting import ROOT, Figure

GROUPS = {
    "turns": ("turn_scripted", "turn_direct", "turn_litellm"),
    "evaluations": ("evaluation_model", "evaluation_rule"),
    "worlds": ("worldtree_step", "game_act", "town_decision"),
    "frames": ("frame_to_one", "frame_to_hundred"),
    "rest": ("rest_episode",),
    "storage": ("append_1", "append_100", "projection_event"),
    "reading": (
        *("show_row", "parquet_row", "report_row"),
        *("show_row_bytes", "parquet_row_bytes"),
    ),
    "memory": ("live_episode_bytes",),
    "startup": ("start_help", "start_runs"),
}
"""Modules, and in each the functions that measure a figure; their docstrings say of what."""
NAMES = tuple(name for names in GROUPS.values() for name in names)


def measured(names: Iterable[str]) -> Iterator[tuple[str, Figure]]:
    """Figures, as they come. Raises ``CalledProcessError``."""
    asked = set(names)
    for group, its in GROUPS.items():
        if some := [name for name in its if name in asked]:
            yield from _apart(group, some)


def _apart(group: str, names: list[str]) -> Iterator[tuple[str, Figure]]:
    command = [sys.executable, "-m", "tests.budgets.workloads", group, *names]
    # Where words fall in a set differs from process to process otherwise, and calls with it.
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=environment) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                yield msgspec.json.decode(line, type=tuple[str, Figure])
        except BaseException:
            process.terminate()
            raise
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)


def main() -> None:
    """In the process apart: measure, and write each figure as a line of JSON."""
    group, *names = sys.argv[1:]
    # What a workload prints, or a process that it starts, must not come between the figures.
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)
        set_up_logs("warning")
        module = import_module(f"tests.budgets.{group}")
        for name in names:
            out.write(msgspec.json.encode((name, getattr(module, name)())) + b"\n")
            out.flush()


if __name__ == "__main__":
    main()
