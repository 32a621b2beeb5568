"""``troupe score``, ``compare``, ``report``, ``export``: evaluate and export finished runs."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from actors.lifelong.formats import read_baselines
from actors.runs.execution.work import Progress
from evaluators.judges.judge_file import judge_named
from evaluators.plugin import OVERALL
from evaluators.report import write_report
from evaluators.tables.agreement_tables import agreement_tables
from events.serialization.fingerprints import judge_hash
from gateway.cli.options import (
    Dimensions,
    Json,
    Judges,
    NoProbe,
    People,
    PopulationOf,
    RunIds,
    RunOrEpisode,
    TableFormatOption,
    Unclean,
    open_session,
)
from gateway.cli.play_with_progress import leave_unless_done, work_with_progress
from gateway.cli.terminal.errors import NOTHING
from gateway.cli.terminal.output import (
    escape,
    note,
    print_next,
    print_plain_json,
    print_result,
    say,
    while_working,
)
from gateway.cli.views.judge_agreement import print_agreement
from gateway.cli.views.run_comparison import print_between, tables_of
from gateway.cli.views.run_tables import print_judged, say_no_finding
from gateway.services.files.export import all_formats, export_to
from gateway.services.files.run_formats import ExportChoices
from gateway.services.results.compare_runs import compare_judges, compare_runs, what_is_asked
from gateway.services.results.score_run import scoring_of
from gateway.services.runs.resolve_ids import runs_meant
from gateway.services.runs.run_details import judged_tables, scores_of
from store.read_model import queries
from store.read_model.score_arrays import FAILED


def _known_format(name: str) -> str:
    if name not in all_formats():
        raise typer.BadParameter(f"{name!r} is none of {', '.join(all_formats())}.")
    return name


def score(
    what: RunOrEpisode,
    judge: Annotated[
        str,
        typer.Option(
            "--judge",
            "-j",
            metavar="JUDGE.toml",
            help="A judge file (docs/reference/judge.md), or a built-in name such as belext-rule.",
        ),
    ],
    no_probe: NoProbe = False,
    json: Json = False,
) -> None:
    """Score stored episodes with another judge.

    Nothing is replayed, and older scores are kept. A judge scores an episode once: repeating the
    command adds missing scores, and retries failed ones in a new evaluation beside the old one.
    Exit code 4: every score is missing.
    """
    spec = judge_named(judge)
    with open_session() as (settings, store):
        scoring = scoring_of(store, what, spec)
        work = scoring.work
        if scoring.again:
            note(f"Asked again, because scores failed: {scoring.again} of {len(scoring.episodes)}.")
        asks = spec.model is not None and not no_probe and not scoring.is_done
        models = [spec.model] if asks and spec.model is not None else []
        progress = Progress()
        if not scoring.is_done:
            progress = work_with_progress(
                settings, store, lambda: work, 1, quiet=json, models=models, command="score"
            )
        hash_ = judge_hash(spec)
        columns = scores_of(store, scoring.episodes, work.run)
        mine = columns.of(hash_)
        asked = mine.where(~mine.dimension.among(OVERALL))
        missing = asked.where(asked.status == FAILED)
        every = len(missing) == len(asked)
        # Rows only of what is printed: of a long run there are half a million.
        printed = sorted(scoring.episodes) if json else missing.episode.there()[: int(every)]
        rows = [
            score
            for episode in printed
            for score in queries.scores(store, episode=episode)
            if score.judge_hash == hash_
        ]
    tables = judged_tables(mine)
    by_budget = progress.pause_reason == "budget"
    if not print_result(rows, json=json):
        for table in tables:
            print_judged(table)
        given_up = progress.evaluations_failed
        more = f"; scores that failed: {len(missing)} of {len(asked)}" * bool(len(missing))
        if scoring.is_done:
            ended = len(scoring.episodes)
            which = f"all {ended} episodes that have ended" if ended > 1 else "this episode"
            say(f"Nothing to do: {escape(spec.name)} had scored {which} before, as above.")
        else:
            say(f"Episodes scored: {progress.evaluations_ended}; given up: {given_up}{more}.")
        names = {spec.offline: (spec.name,)}
        say_no_finding(judges=names.get("rehearsal", ()), local_judges=names.get("local", ()))
        there = {judge.name for judge in columns.judges if columns.of(judge.hash).scored.any()}
        others = sorted(there - {spec.name})
        if work.run and others and mine.scored.any():
            command = f"troupe compare {work.run} {spec.name} {others[0]}"
            print_next([(command, "measure the agreement of the two judges")])
    more = f"`troupe resume {work.run} --budget-usd USD` (or -tokens) gives it more; " * by_budget
    leave_unless_done(progress, f"{more}the same command goes on with what is missing.")
    if every:
        reasons = [row.reason for row in rows if row.status == "failed"]
        why = f" ({escape(reasons[0])})" if reasons else ""
        note(f"[red]Every score is missing{why}.[/] The same command asks again.")
        raise typer.Exit(NOTHING)


def compare(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN… [JUDGE JUDGE]",
            help="Two or more runs, the earliest first; or one or more runs and two judges.",
        ),
    ],
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            "-b",
            metavar="dimension|mind|task",
            help="When comparing runs: only by this. Repeatable.",
        ),
    ] = None,
    judge: Judges = None,
    dimension: Dimensions = None,
    population: PopulationOf = None,
    unclean: Unclean = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Compare runs, or two judges of the same runs.

    Runs: shows which dimensions, minds and tasks scored higher or lower from one run to the next,
    paired on task, seed and mind, with 95 % confidence intervals, p, p adjusted by Holm's method,
    Cohen's d and the number of pairs. --by, --judge and --dimension select among them.

    Judges: shows for each dimension n, means, mean absolute difference, Pearson and Spearman
    correlation with 95 % confidence intervals and p, and the number of missing scores
    (docs/explanation/statistics.md).
    """
    with open_session() as (_, store):
        asked = what_is_asked(store, what)
        if not asked.judges:
            between = compare_runs(
                store,
                asked.runs,
                by=by or (),
                judges=judge or (),
                dimensions=dimension or (),
                population=population,
                unclean=unclean,
            )
        else:
            judge_a, judge_b = asked.judges
            comparison = compare_judges(store, asked.runs, (judge_a, judge_b), population)
    if not asked.judges:
        if not print_result(between, json=json, form=form, tables=lambda: tables_of(between)):
            print_between(between)
    elif not print_result(
        comparison, json=json, form=form, tables=lambda: agreement_tables(comparison)
    ):
        print_agreement(", ".join(asked.runs), comparison)


def report(
    run_ids: RunIds,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="The file to write. Default: in DATA/reports/."
        ),
    ] = None,
    transcripts: Annotated[
        int,
        typer.Option(
            "--transcripts", metavar="N", min=0, help="The maximum number of transcripts."
        ),
    ] = 50,
    rest: Annotated[
        bool, typer.Option("--rest", help="Also write the other transcripts, as a page each.")
    ] = False,
    people: People = None,
    json: Json = False,
) -> None:
    """Write a run's report: one HTML file, no network.

    For several runs, given from the earliest to the latest, one page compares them, paired on task
    and seed; each mind is labelled with the letter of its run.

    For a long run, the report includes a selection of transcripts: those with failures, with the
    lowest and the highest scores, and a random sample.
    """
    with open_session() as (settings, store):
        runs = runs_meant(store, run_ids)
        path = out or settings.data_dir / "reports" / f"{'-'.join(runs)[:100]}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        baselines = read_baselines(people) if people else ()
        folder = path.with_name(f"{path.stem}-episodes") if rest else None
        with while_working("writing the report"):
            written = write_report(store, runs, path, baselines, most=transcripts, rest=folder)
    if json:
        print_plain_json({"run": runs[0], "runs": runs, "path": str(written)})
    else:
        say(f"Report: [bold]{escape(str(written))}[/]")


def export(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN|CHAIN|EPISODE…",
            help="The id of a run, a chain or an episode, or a unique prefix of it; for `calls` "
            "and for files for trainers, one or more.",
        ),
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="One of the formats above.",
            callback=_known_format,
        ),
    ] = "jsonl",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="PATH", help="The file to write; for parquet, the folder."
        ),
    ] = None,
    only: Annotated[
        Literal["readable", "unreadable"] | None,
        typer.Option(
            "--only", help="For the format `calls`: only calls with readable or unreadable answers."
        ),
    ] = None,
    filters: Annotated[
        Path | None,
        typer.Option(
            "--filters",
            metavar="FILE.toml",
            help="For trainers: a file of filters (docs/reference/training-files.md).",
        ),
    ] = None,
    filter_: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            metavar="KEY=VALUE",
            help="For trainers: one filter, such as goal=8 or form=chat; may be repeated.",
        ),
    ] = None,
    exclude: Annotated[
        list[Path] | None,
        typer.Option(
            "--exclude",
            metavar="FILE.jsonl",
            help="For trainers: leave out the scenarios of a list; may be repeated.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write a run, a chain or an episode to files.

    \b
    jsonl    every event, lossless and checksummed;
             `troupe import episodes` reads it back
    parquet  tables for analysis, in a folder
    calls    model calls, one a line: prompt and raw
             answer as chat messages, the parsed answer
             and tokens (docs/how-to/exchange.md)
    sft, rewards, pairs
             lines for trainers of models, with a card
             (docs/reference/training-files.md)
    others   formats of other programs, depending on the
             environment; a wrong name lists all
    """
    with open_session() as (_, store), while_working(f"writing {form}") as status:
        written = export_to(
            store,
            what,
            form,
            out,
            only=only or "",
            choices=ExportChoices(filters, filter_ or (), exclude or ()),
            told=lambda count: status.update(f"writing {form}: {count:,} so far"),
        )
    if not print_result(written, json=json):
        say(escape(written.sentence))
