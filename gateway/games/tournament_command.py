"""``troupe games tournament``: models against each other in all seats and roles."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from actors.runs.execution.work import Work
from actors.text.amounts import many
from evaluators.games.tables import marked, tables_of
from gateway.cli.options import (
    ApiKeyEnv,
    BaseUrl,
    BudgetUsd,
    Json,
    NoProbe,
    TableFormatOption,
    open_session,
)
from gateway.cli.play_with_progress import leave_unless_done, work_with_progress
from gateway.cli.terminal.output import escape, note, print_next, print_result, say
from gateway.cli.views.forecast import forecast_of, print_forecast
from gateway.errors import BadArgument
from gateway.games.table_command import print_report, read_report
from gateway.games.tournament_plan import (
    MOST_ORDERS,
    PlannedTournament,
    Tournament,
    planned_tournament,
)
from gateway.models.probe_models import models_of
from gateway.services.runs.models_by_name import PlayerSettings
from gateway.services.runs.plan_run import record_run, resume_run, work_of
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model import queries


def tournament(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL…", help="Models, as LiteLLM spells them, or rehearsal/TEMPER."
        ),
    ],
    set_id: Annotated[
        str, typer.Option("--set", "-s", metavar="SET", help="A set of the catalog: hunt-8.")
    ],
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", min=1, help="How many deals of it.")
    ] = 24,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", min=0, help="Draws and deals games, and seats.")
    ] = 1,
    orders: Annotated[
        int,
        typer.Option(
            "--orders",
            metavar="K",
            min=1,
            max=MOST_ORDERS,
            help="How many seating orders are drawn; each moves through all seats.",
        ),
    ] = 1,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The run's name.")] = "",
    catalog: Annotated[
        str, typer.Option("--catalog", "-c", metavar="NAME", help="The catalog of the set.")
    ] = "parlour",
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", "-j", metavar="JUDGE", help="Judge by this one too. Repeatable."),
    ] = None,
    temperature: Annotated[
        float, typer.Option(min=0, max=2, help="Of all models that play.")
    ] = 1.0,
    max_tokens: Annotated[
        int, typer.Option(metavar="N", min=1, help="The longest answer of those.")
    ] = 1_000,
    concurrency: Annotated[
        int, typer.Option(metavar="N", min=1, help="Games under way at once.")
    ] = 32,
    base_url: BaseUrl = "",
    api_key_env: ApiKeyEnv = "",
    usd: BudgetUsd = 0.0,
    write: Annotated[
        Path | None,
        typer.Option("--write", "-w", metavar="PLAN.toml", help="Write the plan; play nothing."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what it means and its cost; play nothing.")
    ] = False,
    no_probe: NoProbe = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Play models against each other in all seats and roles.

    Each deal is played several times, by other seatings, so that every model sits in each seat, and
    has each role, equally often. The same command goes on after a stop, and plays nothing twice.
    """
    asked = Tournament(
        models=tuple(dict.fromkeys(models)),
        set_id=set_id,
        games=games,
        seed=seed,
        orders=orders,
        name=name,
        catalog=catalog,
        judges=tuple(dict.fromkeys(judge or ())),
        concurrency=concurrency,
        asking=PlayerSettings(
            temperature=temperature,
            max_tokens=max_tokens,
            base_url=base_url,
            api_key_env=api_key_env,
        ),
    )
    with open_session() as (settings, store):
        found = planned_tournament(store, asked, usd)
        if write is not None:
            _write(write, found)
            return
        if dry_run:
            _print_plan(store, asked, found, json=json)
            return
        quiet = json or form != "text"
        _play(settings, store, found, usd, quiet=quiet, no_probe=no_probe)
        report = read_report(store, [found.prepared.run])
    tables = lambda: marked(tables_of(report), report)  # noqa: E731
    if print_result(report, json=json, form=form, tables=tables):
        return
    print_report(report)
    run = found.prepared.run
    print_next(
        [
            (f"troupe games table {run}", "the same tables again"),
            (f"troupe report {run}", "the same as a page, with each game's transcript"),
        ]
    )


def _write(path: Path, found: PlannedTournament) -> None:
    """Write the plan into a file that is not there yet."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(found.text)
    except FileExistsError as error:
        raise BadArgument("--write", str(path), "is there already; name another file") from error
    say(f"Wrote {escape(str(path))}: {_counts(found)}.")
    print_next([(f"troupe run {path}", "play it"), (f"troupe run {path} --dry-run", "its cost")])


def _counts(found: PlannedTournament) -> str:
    episodes = found.prepared.planned.episodes
    deals = len({one.task for one in episodes})
    seatings = len({one.minds for one in episodes})
    return (
        f"{many(deals, 'deal')} of {found.set.id}, each by {many(seatings, 'seating')}: "
        f"{many(len(episodes), 'game')}"
    )


def _print_plan(
    store: EventStore, asked: Tournament, found: PlannedTournament, *, json: bool
) -> None:
    prepared = found.prepared
    if not json:
        say(f"Tournament {escape(prepared.run)}: {escape(_counts(found))}.")
        if asked.games % found.set.players:
            say(
                f"[dim]{asked.games} deals are no multiple of {found.set.players}: models have "
                "each role equally often, seats do not.[/]"
            )
        if found.done:
            say("It was played to its end; nothing is left to do.")
            return
        if found.state is not None:
            row = queries.run(store, prepared.run)
            ended = f"{row.episodes_ended:,} of {row.episodes_planned:,} games ended"
            say(f"It is {found.state.status}: {ended}. All of it:")
    print_forecast(prepared.planned.plan, forecast_of(prepared), json=json, form="text")


def _play(
    settings: Settings,
    store: EventStore,
    found: PlannedTournament,
    usd: float,
    *,
    quiet: bool,
    no_probe: bool,
) -> None:
    """Play what is missing."""
    if found.done:
        return
    prepared = found.prepared
    progress = work_with_progress(
        settings,
        store,
        partial(_begin, store, found, usd, quiet=quiet),
        prepared.planned.plan.concurrency,
        quiet=quiet,
        models=[] if no_probe else models_of(prepared.planned),
        run=prepared.run,
        judges=prepared.planned.plan.judges,
        planned=lambda: (prepared.planned, prepared.catalog),
    )
    leave_unless_done(progress, "The same command goes on with what is not done.")


def _begin(store: EventStore, found: PlannedTournament, usd: float, *, quiet: bool) -> Work:
    prepared = found.prepared
    if found.state is None:
        record_run(store, prepared)
    else:
        resume_run(store, prepared.run, usd=usd or None)
    if not quiet:
        note(f"Run [bold]{prepared.run}[/]: {escape(_counts(found))}")
    return work_of(store, prepared.run)
