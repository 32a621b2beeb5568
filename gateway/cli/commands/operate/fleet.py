"""``troupe workers``, ``jobs``, ``nats``."""

from collections.abc import Sequence
from typing import Annotated

import typer

from gateway.cli.options import Json, TableFormatOption, open_session
from gateway.cli.terminal.output import (
    escape,
    heading,
    note,
    print_next,
    print_plain,
    print_result,
    say,
)
from gateway.cli.views.plain_lists import jobs_tables, workers_table
from gateway.errors import BadArgument
from gateway.process.discovery import nats_for
from gateway.services.operations.fleet_status import QueueDetails, fleet_details, queue_details
from gateway.services.operations.fleet_status import retry_jobs as retry
from gateway.services.operations.retry_jobs import Retried
from gateway.settings import checked, read_settings
from store.read_model import queries

jobs = typer.Typer(help="Inspect the job queue and retry dead jobs.")


def workers(form: TableFormatOption = "text", json: Json = False) -> None:
    """List workers and their current jobs.

    Lists the workers of the fleet (TROUPE_NATS_URL), or else each `serve` and `run` of this data
    folder. They are asked over NATS; a worker that does not answer within half a second is missing.
    """
    settings = checked(read_settings())
    found = fleet_details(settings)
    if print_result(found, json=json, form=form, tables=lambda: [workers_table(found)]):
        return
    if found:
        print_plain(workers_table(found))
    elif settings.embedded_nats:
        say(f"Nothing works on {escape(str(settings.data_dir))} now: no serve, run or score.")
    else:
        say("No worker answers.")
        print_next([("troupe worker", "start one, on any machine that reaches NATS")])


def nats_address(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", help="Connect to the process of this run. Default: any."),
    ] = "",
    json: Json = False,
) -> None:
    """Print how remote seats connect to NATS.

    Prints environment variables for a shell or an .env file; `export $(troupe nats)` sets them. The
    embedded server of a `serve` or `run` ends with that process. Its token gives full access: a
    program with the token can act in every seat.
    """
    with open_session() as (settings, store):
        at = nats_for(settings, store, queries.find_run(store, run) if run else "")
    if print_result(at, json=json):
        return
    say(f"TROUPE_NATS_URL={escape(at.url)}")
    if at.token:
        say(f"TROUPE_NATS_TOKEN={escape(at.token)}")
    say(f"TROUPE_SPACE={escape(at.space)}")


@jobs.callback(invoke_without_command=True)
def _jobs(context: typer.Context, form: TableFormatOption = "text", json: Json = False) -> None:
    """Inspect the job queue and retry dead jobs.

    Without a command: the number of queued, running and dead jobs of each kind, and the dead jobs.
    """
    if context.invoked_subcommand is not None:
        return

    found = queue_details(checked(read_settings()))
    if not print_result(found, json=json, form=form, tables=lambda: jobs_tables(found)):
        _print_jobs(found)


@jobs.command("retry")
def retry_jobs(
    id_: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="The id of a dead job (see `troupe jobs`), or a unique prefix of it."
        ),
    ] = "",
    all_: Annotated[bool, typer.Option("--all", help="Retry all dead jobs.")] = False,
    json: Json = False,
) -> None:
    """Retry dead jobs after their cause is fixed.

    The episode or evaluation, which was recorded as failed, is reopened. Its run continues, even if
    it had ended. An episode of a chain is refused, because the chain continued without it. Exit
    code 1: no job could be retried.
    """
    if bool(id_) == all_:
        raise BadArgument("job", id_, "give a dead job's id, or --all instead of one")
    with open_session() as (settings, store):
        found = retry(settings, store, id_)
    if not print_result(found, json=json):
        _print_retried(found)
    if found and all(one.outcome == "refused" for one in found):
        raise typer.Exit(1)


def _print_jobs(found: QueueDetails) -> None:
    kinds, *dead_jobs = jobs_tables(found)
    print_plain(kinds)
    if not found.alive:
        note(
            "[dim]Nothing works on them now: no serve, run or score. What is not done is queued "
            "anew by `troupe serve` or `troupe resume RUN`.[/]"
        )
    dead = sum(kind.dead for kind in found.kinds)
    if not dead:
        return
    listed = len(found.dead)
    heading("Dead jobs", f"the latest {listed} of {dead}" if listed < dead else "")
    for table in dead_jobs:
        print_plain(table)
    print_next(
        [
            (f"troupe jobs retry {found.dead[-1].id}", "retry the latest dead job"),
            ("troupe jobs retry --all", "retry all dead jobs"),
        ]
    )


def _print_retried(found: Sequence[Retried]) -> None:
    if not found:
        note("No job is dead.")
    colours = {"retried": "green", "done": "green", "refused": "red"}
    for one in found:
        colour = colours[one.outcome]
        say(f"[{colour}]{one.outcome}[/] {one.kind} {escape(one.id)}: {escape(one.why)}.")
