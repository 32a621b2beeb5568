"""``troupe serve``, ``worker``, ``doctor``, ``schema``, ``projections``."""

from itertools import zip_longest
from pathlib import Path
from typing import Annotated

import typer

from events.serialization.schema import json_schema
from gateway.cli.options import Json, NoProbe, open_session
from gateway.cli.terminal.output import (
    Column,
    console,
    escape,
    grid,
    print_plain_json,
    print_result,
    print_table,
    say,
)
from gateway.cli.terminal.progress_bar import bar
from gateway.servers.people_server import run_gateway
from gateway.servers.server import run_server
from gateway.services.operations.doctor import check_all
from gateway.services.viewers.asyncapi import asyncapi
from store.projections.maintenance.rebuild import rebuild

projections = typer.Typer(no_args_is_help=True, help="Check and rebuild projections.")

Port = Annotated[
    int,
    typer.Option("--port", "-p", metavar="N", min=0, max=65535, help="The port; 0: a free one."),
]
Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")]


def serve(host: Host = "127.0.0.1", port: Port = 8700, no_probe: NoProbe = False) -> None:
    """Run the server, which carries out detached runs.

    Serves health (/healthz), readiness (/readyz) and metrics (/metrics) over HTTP. Uses embedded
    NATS unless TROUPE_NATS_URL is set, and SQLite unless TROUPE_DATABASE_URL is set. SIGTERM and
    Ctrl-C end it cleanly; current episodes continue at the next start. Before a run begins, each of
    its models gets one tiny request; if one is unavailable, the run is paused (see `troupe runs`).
    """
    run_server(host, port, coordinate=True, probing=not no_probe)


def gateway_only(host: Host = "127.0.0.1", port: Port = 8702) -> None:
    """Serve pages and seats without playing episodes.

    Serves pages, API and websocket. Run any number of gateways behind a load balancer, beside
    `troupe serve` or `troupe worker`. A gateway follows episodes over TROUPE_NATS_URL or, if it is
    not set, over the embedded NATS servers of this data folder's processes. SIGTERM and Ctrl-C end
    it cleanly: browsers connect to another gateway, and nothing is lost.
    """
    run_gateway(host, port)


def worker(host: Host = "127.0.0.1", port: Port = 8701) -> None:
    """Run a worker, which plays and scores for a server.

    Takes jobs from the queue on TROUPE_NATS_URL. Start any number of workers, on machines that can
    reach NATS and the database.
    """
    run_server(host, port, coordinate=False)


def doctor(
    plan: Annotated[
        Path | None,
        typer.Argument(
            metavar="PLAN.toml", help="Check the models of this plan, not those of runs."
        ),
    ] = None,
    no_probe: NoProbe = False,
    json: Json = False,
) -> None:
    """Check the installation and suggest fixes.

    Checks settings, installed environments, disk, database, migrations, NATS, and the keys of
    participants and models. Tests each model of unfinished runs, or of a plan, by tiny requests:
    whether it answers, in which form (JSON Schema, JSON mode, plain text), and its context size.
    Also lists other models with known abilities. Exit code 1: something is broken.
    """
    findings = check_all(plan=plan, probing=not no_probe)
    if not print_result(findings, json=json):
        marks = {"ok": "[green]ok[/]", "warning": "[yellow]look[/]", "broken": "[red]broken[/]"}
        table = grid(3)
        for finding, after in zip_longest(findings, findings[1:]):
            text = escape(finding.found)
            # What helps several in a row is said once, below the last of them.
            if finding.mend and (after is None or after.mend != finding.mend):
                text += f"\n[dim]→ {escape(finding.mend)}[/]"
            table.add_row(marks[finding.status], f"[bold]{escape(finding.what)}[/]", text)
        console().print(table)
    if any(finding.status == "broken" for finding in findings):
        raise typer.Exit(1)


def schema(
    socket: Annotated[
        bool, typer.Option("--asyncapi", help="Print the AsyncAPI document of the websocket.")
    ] = False,
) -> None:
    """Print the JSON Schema of all events and messages."""
    if socket:
        print_plain_json(asyncapi())
        return

    print_plain_json(json_schema())


@projections.callback()
def _projections() -> None:
    """Check and rebuild projections."""


@projections.command("rebuild")
def rebuild_projections(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="The projections to rebuild. Default: all."),
    ] = None,
    json: Json = False,
) -> None:
    """Rebuild tables from the log.

    The rebuilt tables replace the existing ones.
    """
    with open_session() as (_, store), bar("events", quiet=json) as show:
        reached = rebuild(store, names or (), show)
    if json:
        print_plain_json(reached)
    else:
        say("Rebuilt from the log, up to its position:")
        print_table(("projection", Column("position", "number")), reached.items())
