"""The ``troupe`` command."""

import sys
from typing import Annotated

import typer

from gateway.cli import catalogs, episodes, operate, runs

app = typer.Typer(
    name="troupe",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Troupe plays social episodes between language models, people and programs, keeps every "
    "event, and scores, replays, forks and re-scores them.",
    epilog="A first run, offline: troupe demo. Settings are read from TROUPE_… variables; "
    "`troupe doctor` lists and checks them.",
)


@app.callback()
def settings(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", is_eager=True)
    ] = False,
) -> None:
    """Shared by all commands."""
    from gateway.logs import set_up_logs
    from gateway.settings import read_settings

    set_up_logs(read_settings().log_level)
    if version:
        from importlib.metadata import version as installed

        sys.stdout.write(installed("troupe-server") + "\n")
        raise typer.Exit


@app.command()
def demo() -> None:
    """Play, score, replay and fork a few dozen episodes of the starter catalog, offline.

    Needs no key, no network and no database server. Writes a report to look at.
    """
    from gateway.demo import run_demo

    run_demo()


app.add_typer(catalogs.imports, name="import")
app.add_typer(catalogs.catalog, name="catalog")
for part in (runs.app, episodes.app, operate.app):
    app.registered_commands += part.registered_commands
app.add_typer(operate.projections, name="projections")


def main() -> None:
    """Run the command line; errors a person can act on are one sentence, not a traceback."""
    from gateway.cli.errors import told

    with told():
        app()
