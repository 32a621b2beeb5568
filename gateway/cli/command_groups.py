"""Commands in groups, as ``troupe --help`` lists them."""

from collections.abc import Mapping, Sequence
from typing import Any

from typer.core import TyperGroup

GROUPS: Mapping[str, Sequence[str]] = {
    "Run": (
        *("demo", "run", "resume", "stop", "pause", "step", "unpause", "fork", "score"),
        *("hide", "archive", "retrieve"),
    ),
    "Look": (
        *("runs", "show", "watch", "replay", "chains", "memory", "diff", "lineage", "interview"),
        *("report", "export"),
    ),
    "Compare": ("compare", "contrast", "curves", "agreement", "validate-judge"),
    "People": ("play", "annotate", "study", "token", "gateway"),
    "Benchmarks": ("catalog", "import", "examples", "local"),
    "Operate": (
        *("serve", "worker", "workers", "jobs", "doctor", "backup", "restore", "verify-store"),
        *("projections", "audit", "nats", "schema", "docs"),
    ),
}
"""By heading the commands under it. What an installed environment adds stands with the
benchmarks."""
OTHERS = "Benchmarks"


class GroupedCommands(TyperGroup):
    """A command whose help lists its commands under ``GROUPS``."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section a group."""
        shown = {
            name: command
            for name in self.list_commands(ctx)
            if (command := self.get_command(ctx, name)) is not None and not command.hidden
        }
        grouped = {name for names in GROUPS.values() for name in names}
        width = formatter.width - 6 - max(map(len, shown), default=0)
        for heading, names in GROUPS.items():
            others = [name for name in shown if name not in grouped] if heading == OTHERS else []
            rows = [
                (name, shown[name].get_short_help_str(width))
                for name in (*names, *others)
                if name in shown
            ]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)
