"""``troupe sotopia benchmark``: models beside one partner, as lines of a leaderboard."""

import json as json_
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from actors.episodes.catalogs.scenario_lists import ScenarioList, read_scenario_list
from actors.runs.execution.work import Work
from actors.social.catalog_items import Catalog
from actors.social.rehearsal.tempers import TEMPERS
from actors.social.setup import NAME
from evaluators.judges.judge_file import NoJudgeFile, UnknownJudge, judge_named
from evaluators.report.data.run_data import catalogs_of
from evaluators.scores.seat_scores import UnknownJudgeOfRun
from evaluators.social.tables.leaderboard import (
    LeaderboardRow,
    leaderboard_file,
    leaderboard_line,
    leaderboard_row,
    leaderboard_table,
)
from evaluators.social.tables.notes import unclean_words
from evaluators.social.tables.read_tables import TableOptions, named, read_inputs
from evaluators.social.tables.table_input import TableInput
from evaluators.social.tables.task_sets import SEATS, TaskSet, on_seats, seats_by_scenario
from evaluators.tables.plain_tables import PlainTable
from events.base import Value, replace
from events.evaluation import JudgeSpec
from events.serialization.fingerprints import judge_hash
from gateway.cli.options import (
    ApiKeyEnv,
    BaseUrl,
    BudgetUsd,
    Json,
    NoProbe,
    TableFormatOption,
    Unclean,
    open_session,
)
from gateway.cli.play_with_progress import leave_unless_done, work_with_progress
from gateway.cli.terminal.errors import NOTHING
from gateway.cli.terminal.output import (
    escape,
    note,
    print_json,
    print_next,
    print_result,
    print_several,
    say,
)
from gateway.cli.views.forecast import forecast_of, print_forecast
from gateway.errors import BadArgument, did_you_mean
from gateway.models.probe_models import models_of
from gateway.services.runs.models_by_name import REHEARSAL, PlayerSettings, check_tempers
from gateway.services.runs.plan_run import record_run, resume_run, work_of
from gateway.services.runs.resolve_ids import runs_meant
from gateway.settings import Settings
from gateway.social.sotopia.benchmark_runs import (
    Benchmark,
    BenchmarkRun,
    benchmark_runs,
    mind_names,
    missing_scenarios,
)
from gateway.social.sotopia.paper_tables import marks_of
from store.files.atomic_files import atomic_write_text
from store.log.event_store import EventStore
from store.read_model import queries


class BenchmarkResult(Value, frozen=True, kw_only=True):
    """The lines of a benchmark."""

    task: TaskSet
    partner: str
    judge: str
    runs: tuple[str, ...]
    rows: tuple[LeaderboardRow, ...]
    notes: tuple[str, ...] = ()
    """What is left out, and whose scores are no findings."""

    @property
    def table(self) -> PlainTable:
        """A row a model."""
        return leaderboard_table(self.rows, self.task, self.judge)


def benchmark(
    models: Annotated[
        list[str],
        typer.Argument(
            metavar="MODEL…",
            help="Models, as LiteLLM spells them, or rehearsal/TEMPER. With --run: minds of it.",
        ),
    ],
    partner: Annotated[
        str, typer.Option("--partner", "-p", metavar="MODEL", help="Who sits in the other seat.")
    ],
    task: Annotated[
        TaskSet,
        typer.Option("--task", "-t", help="The tasks: all, or a set of them."),
    ] = "all",
    judge: Annotated[
        str, typer.Option("--judge", "-j", metavar="JUDGE", help="A judge file, or its name.")
    ] = "",
    catalog: Annotated[
        str, typer.Option("--catalog", "-c", metavar="NAME", help="The catalog of the tasks.")
    ] = "sotopia",
    hard: Annotated[
        Path | None,
        typer.Option("--hard", metavar="FILE", help="The list of --task hard."),
    ] = None,
    run: Annotated[
        list[str] | None,
        typer.Option("--run", metavar="RUN", help="Play nothing: compute from this. Repeatable."),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=0, help="At most N tasks in all; 0: all.")
    ] = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Write the leaderboard's file here."),
    ] = None,
    temperature: Annotated[
        float, typer.Option(min=0, max=2, help="Of all models that play.")
    ] = 1.0,
    max_tokens: Annotated[
        int, typer.Option(metavar="N", min=1, help="The longest answer of those.")
    ] = 500,
    base_url: BaseUrl = "",
    api_key_env: ApiKeyEnv = "",
    usd: BudgetUsd = 0.0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what is missing and its cost; play nothing.")
    ] = False,
    no_probe: NoProbe = False,
    unclean: Unclean = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Compare models beside one partner, as SOTOPIA's leaderboard does.

    Plays each model with the partner in both seats (of --task hard: in the listed ones), judges,
    and prints means with the margin of the published code. What was played before is found again
    and not played twice; the same command goes on after a stop.
    """
    listed = _hard_list(task, hard)
    with open_session() as (settings, store):
        if run:
            runs = runs_meant(store, run, NAME)
            result = _of_stored(store, runs, models, partner, task, listed, judge, unclean=unclean)
        else:
            asked = Benchmark(
                models=tuple(dict.fromkeys(models)),
                partner=partner,
                task=task,
                judge=_judge(judge, [*models, partner]),
                catalog=catalog,
                hard=listed,
                limit=limit,
                asking=PlayerSettings(
                    temperature=temperature,
                    max_tokens=max_tokens,
                    base_url=base_url,
                    api_key_env=api_key_env,
                ),
                usd=usd,
            )
            check_tempers([*asked.models, partner], tuple(TEMPERS))
            found = benchmark_runs(store, asked)
            if dry_run:
                _print_missing(store, asked, found, json=json)
                return
            for one in found:
                _play(settings, store, one, usd, quiet=json or form != "text", no_probe=no_probe)
            result = _of_played(store, asked, found, unclean=unclean)
    written = write_leaderboard(out, result) if out else None
    tables = lambda: named([result.table], result.notes)  # noqa: E731
    if not print_result(result, json=json, form=form, tables=tables):
        _print(result)
    if written:
        note(f"[dim]leaderboard: {escape(str(written))}[/]")
    if not any(row.averages for row in result.rows):
        raise typer.Exit(NOTHING)


def write_leaderboard(folder: Path, result: BenchmarkResult) -> Path:
    """The file of the leaderboard: a line a model with a score. Raises ``OSError``."""
    path = folder / leaderboard_file(result.partner)
    lines = [
        json_.dumps(leaderboard_line(row), ensure_ascii=False)
        for row in result.rows
        if row.averages
    ]
    atomic_write_text(path, "".join(f"{line}\n" for line in lines))
    return path


def _hard_list(task: TaskSet, path: Path | None) -> ScenarioList | None:
    if task == "hard" and path is None:
        raise BadArgument("--task", task, "needs --hard FILE, the list of scenarios and seats")
    if task != "hard" and path is not None:
        raise BadArgument("--hard", str(path), f"is for --task hard, not for --task {task}")
    return read_scenario_list(path, SEATS) if path else None


def _judge(given: str, models: Sequence[str]) -> JudgeSpec:
    """The judge that was named; for rehearsal minds alone the rehearsal judge needs no name."""
    if not given and all(model.startswith(REHEARSAL) for model in models):
        given = "rehearsal-strict"
    if not given:
        why = "name a judge file, for example examples/sotopia-judge.toml, or a built-in judge"
        raise BadArgument("--judge", given, why)
    try:
        return judge_named(given)
    except (UnknownJudge, NoJudgeFile) as error:
        raise BadArgument("--judge", given, str(error)) from error


def _print_missing(
    store: EventStore, asked: Benchmark, runs: Sequence[BenchmarkRun], *, json: bool
) -> None:
    """What each run would play."""
    if json:
        print_json(
            [
                {
                    "run": one.prepared.run,
                    "model": one.model,
                    "seats": [seat + 1 for seat in one.seats],
                    "status": one.state.status if one.state else "missing",
                    "forecast": None if one.done else forecast_of(one.prepared),
                }
                for one in runs
            ]
        )
        return
    for one in runs:
        name = one.prepared.planned.plan.name
        if one.done:
            say(f"[bold]{escape(name)}[/]: run {one.prepared.run} has it; nothing is left to do")
            continue
        if one.state is not None:
            row = queries.run(store, one.prepared.run)
            ended = f"{row.episodes_ended:,} of {row.episodes_planned:,} episodes ended"
            say(f"Run {one.prepared.run} is {one.state.status}: {ended}. All of it:")
        print_forecast(
            one.prepared.planned.plan, forecast_of(one.prepared), json=False, form="text"
        )
    if asked.hard is not None:
        for scenario in missing_scenarios(asked.hard, runs[0].prepared.catalog):  # type: ignore[arg-type]
            note(f"[yellow]not in catalog {escape(asked.catalog)}: {escape(scenario)}[/]")


def _play(
    settings: Settings,
    store: EventStore,
    one: BenchmarkRun,
    usd: float,
    *,
    quiet: bool,
    no_probe: bool,
) -> None:
    """Play what is missing of a run."""
    if one.done:
        return
    prepared = one.prepared

    def begin() -> Work:
        if one.state is None:
            record_run(store, prepared)
        else:
            resume_run(store, prepared.run, usd=usd or None)
        if not quiet:
            note(f"Run [bold]{prepared.run}[/]: {escape(prepared.planned.plan.name)}")
        return work_of(store, prepared.run)

    progress = work_with_progress(
        settings,
        store,
        begin,
        prepared.planned.plan.concurrency,
        quiet=quiet,
        models=[] if no_probe else models_of(prepared.planned),
        run=prepared.run,
        judges=prepared.planned.plan.judges,
        planned=lambda: (prepared.planned, prepared.catalog),
    )
    if not progress.done:  # Where every episode was given up, the other models are still to play.
        leave_unless_done(progress, "The same command goes on with what is not done.")


def _of_played(
    store: EventStore, asked: Benchmark, runs: Sequence[BenchmarkRun], *, unclean: bool
) -> BenchmarkResult:
    rows, notes, read = [], [], []
    runs_played = [one.prepared.run for one in runs]
    for model in asked.models:
        mine = [one.prepared.run for one in runs if one.model == model]
        options = TableOptions(judges=(judge_hash(asked.judge),), hard=asked.hard, unclean=unclean)
        row = _nothing_scored(model, asked.partner)
        with suppress(UnknownJudgeOfRun):  # every episode was given up
            (given,) = read_inputs(store, mine, options)
            read.append(given)
            found = leaderboard_row(given.seats, *mind_names(model, asked.partner))
            row = replace(found, model=model, partner=asked.partner)
            notes += unclean_words(given, model)
        rows.append(row)
        if not row.averages:
            notes.append(f"{model} has no score that counts, and so no line.")
    notes += marks_of(store, runs_played, read)
    return BenchmarkResult(
        task=asked.task,
        partner=asked.partner,
        judge=asked.judge.name,
        runs=tuple(runs_played),
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _nothing_scored(model: str, partner: str) -> LeaderboardRow:
    return LeaderboardRow(model=model, partner=partner, seats=0, averages={}, failed={})


def _of_stored(
    store: EventStore,
    runs: Sequence[str],
    models: Sequence[str],
    partner: str,
    task: TaskSet,
    hard: ScenarioList | None,
    judge: str,
    *,
    unclean: bool,
) -> BenchmarkResult:
    options = TableOptions(judges=(judge,) if judge else (), hard=hard, unclean=unclean)
    inputs = read_inputs(store, runs, options)
    given = _only(inputs, runs)
    known = _minds(store, runs)
    # A mind may be named twice: by its own name, and by its model's.
    names = dict.fromkeys(_mind(known, "model", model) for model in models)
    other = _mind(known, "--partner", partner)
    seats = given.seats
    if task != "all":
        chosen = _chosen(store, runs, task, hard)
        seats = seats.where(on_seats(chosen, seats))
    rows = [leaderboard_row(seats, name, other) for name in names]
    for row in rows:
        if not row.seats:
            why = f"did not play with {other} in tasks of the kind {task} that count"
            raise BadArgument("model", row.model, why)
    return BenchmarkResult(
        task=task,
        partner=other,
        judge=given.judge.label,
        runs=tuple(runs),
        rows=tuple(rows),
        notes=(*unclean_words(given), *marks_of(store, runs, [given])),
    )


def _only(inputs: Sequence[TableInput], runs: Sequence[str]) -> TableInput:
    if not inputs:
        why = f"no judge scored it; `troupe score {runs[0]} --judge JUDGE` does"
        raise BadArgument("run", " ".join(runs), why)
    if len(inputs) > 1:
        listed = ", ".join(one.judge.label for one in inputs)
        why = f"several judges scored it; name one with --judge: {listed}"
        raise BadArgument("run", " ".join(runs), why)
    return inputs[0]


def _minds(store: EventStore, runs: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The names of the minds of some runs, by themselves and by their models'."""
    minds = [mind for run in runs for mind in queries.plan(store, run).plan.minds]
    models: dict[str, dict[str, None]] = {}
    for mind in minds:
        if mind.model is not None:
            models.setdefault(mind.model.name, {})[mind.name] = None
    of_models = {model: tuple(names) for model, names in models.items()}
    return of_models | {mind.name: (mind.name,) for mind in minds}


def _mind(known: Mapping[str, Sequence[str]], what: str, given: str) -> str:
    if given not in known:
        listed = ", ".join(dict.fromkeys(name for names in known.values() for name in names))
        why = f"no mind of these runs; they have {listed}{did_you_mean(given, list(known))}"
        raise BadArgument(what, given, why)
    name, *others = known[given]
    if others:
        raise BadArgument(what, given, f"several minds are it; name one: {', '.join(known[given])}")
    return name


def _chosen(
    store: EventStore, runs: Sequence[str], task: TaskSet, hard: ScenarioList | None
) -> dict[str, tuple[int, ...]]:
    """The scenarios of a set in the catalogs as they were when these runs were planned."""
    scenarios = [
        scenario
        for catalog in catalogs_of(store, runs).values()
        if isinstance(catalog, Catalog)
        for scenario in catalog.scenarios
    ]
    return seats_by_scenario(scenarios, task, hard)


def _print(result: BenchmarkResult) -> None:
    print_several([result.table])
    for line in result.notes:
        say(f"[dim]{escape(line)}[/]")
    print_next(_next(result))


def _next(result: BenchmarkResult) -> Iterator[tuple[str, str]]:
    runs = " ".join(result.runs)
    yield f"troupe sotopia tables {runs}", "the same scores by partner, with intervals and tests"
