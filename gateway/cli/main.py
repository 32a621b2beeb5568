"""The ``troupe`` command."""

import gc
import os
import sys
from typing import Annotated

import typer

from gateway.cli import extensions
from gateway.cli.catalog_groups import catalog, imports
from gateway.cli.command_groups import GroupedCommands
from gateway.cli.command_table import COMMANDS, FORMER_NAMES
from gateway.cli.lazy_commands import add_commands, keep_former_names
from gateway.cli.terminal.errors import report_errors
from gateway.process.safe_output import harmless_streams

app = typer.Typer(
    name="troupe",
    cls=GroupedCommands,
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Troupe plays episodes between language models, people and programs, keeps every "
    "event, and scores, replays, forks and re-scores them.",
    epilog="First run, offline: `troupe demo`. Documentation: `troupe docs`. Settings are TROUPE_… "
    "variables (docs/how-to/operations.md), and `troupe doctor` checks them. Exit codes: 0 done, 1 "
    "refused, 2 wrong usage, 3 paused by a budget or an unavailable model, 4 done without result, "
    "130 stopped by Ctrl-C or `troupe stop`.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        sys.stdout.write(version("troupe-server") + "\n")
        raise typer.Exit


@app.callback()
def settings(
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and leave.",
            is_eager=True,
            callback=_print_version,
        ),
    ] = False,
) -> None:
    """Shared by all commands."""
    from gateway.process.logs import set_up_logs
    from gateway.settings import read_settings

    set_up_logs(read_settings().log_level)


app.add_typer(imports, name="import")
app.add_typer(catalog, name="catalog")
for _module, _commands in COMMANDS.items():
    add_commands(app, f"gateway.cli.commands.{_module}", _commands)
keep_former_names(app, FORMER_NAMES)
extensions.add_commands(app)


def _forget_odd_sizes() -> None:
    """Libraries take a terminal's size from the environment as it is: what is no size is worth as
    little there as nothing."""
    for name in ("COLUMNS", "LINES"):
        given = os.environ.get(name, "")
        if not (given.isascii() and given.isdecimal() and 0 < int(given[:6]) < 100_000):
            os.environ.pop(name, None)


def main() -> None:
    """Run the command line; errors a person can act on are one sentence, not a traceback."""
    _forget_odd_sizes()
    # NumPy's matrices here are small: threads for them cost more processor time than they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Arrow's own memory pool keeps a tenth of what an export takes for what may come.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    # Modules and rows are many objects and no garbage: Python's 700 new ones between two searches
    # cost an export a tenth of its time.
    gc.set_threshold(10_000)
    # The store, logs, reports and exports hold what people said: they are for their owner alone.
    os.umask(0o077)
    with harmless_streams(), report_errors():
        app()
