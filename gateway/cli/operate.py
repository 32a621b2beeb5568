"""``troupe serve``, ``worker``, ``doctor``, ``schema``, ``projections``."""

from typing import Annotated

import typer

from gateway.cli.support import Json, open_desk, print_json, print_plain_json, print_table, say

app = typer.Typer()
projections = typer.Typer(no_args_is_help=True, help="Look after the read side's tables.")

Port = Annotated[int, typer.Option("--port", "-p", help="Where to listen; 0 takes a free port.")]
Host = Annotated[str, typer.Option("--host", help="The address to listen on.")]


@app.command()
def serve(host: Host = "127.0.0.1", port: Port = 8700) -> None:
    """Run the server: carries out detached runs, answers health, readiness and metrics.

    Embedded NATS unless TROUPE_NATS_URL is set, SQLite unless TROUPE_DATABASE_URL. SIGTERM and
    Ctrl-C end it cleanly; episodes under way go on at the next start.
    """
    from gateway.server import run_server

    run_server(host, port, coordinate=True)


@app.command()
def worker(host: Host = "127.0.0.1", port: Port = 8701) -> None:
    """Run a worker: takes jobs from the queue of TROUPE_NATS_URL and does them.

    Start as many as you like, on any machine that reaches NATS and the database.
    """
    from gateway.server import run_server

    run_server(host, port, coordinate=False)


@app.command()
def doctor(json: Json = False) -> None:
    """Check NATS, database, migrations, model keys and disk, and say how to mend each."""
    from gateway.doctor import check_all

    findings = check_all()
    if json:
        print_json(findings)
    else:
        marks = {"ok": "[green]ok[/]", "warning": "[yellow]look[/]", "broken": "[red]broken[/]"}
        for finding in findings:
            say(f"{marks[finding.status]:>16}  [bold]{finding.what}[/]: {finding.found}")
            if finding.mend:
                say(f"          [dim]→ {finding.mend}[/]")
    if any(finding.status == "broken" for finding in findings):
        raise typer.Exit(1)


@app.command()
def schema() -> None:
    """Print the JSON Schema of every event, command, observation and job."""
    from events.schema import json_schema

    print_plain_json(json_schema())


@projections.command("rebuild")
def rebuild_projections(
    names: Annotated[list[str] | None, typer.Argument(help="Only these; default: all.")] = None,
    json: Json = False,
) -> None:
    """Empty the tables that lists are read from, and fill them again from the log."""
    from store.projections.projector import rebuild

    with open_desk() as (_, store):
        reached = rebuild(store, names or ())
    if json:
        print_plain_json(reached)
    else:
        print_table("Rebuilt", ("projection", "position"), reached.items())
