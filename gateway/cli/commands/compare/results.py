"""``troupe score``, ``compare``, ``report``, ``export``: what is made of runs once played."""

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
    Json,
    NoProbe,
    People,
    PopulationOf,
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
    print_json,
    print_next,
    print_plain_json,
    print_tables,
    say,
    while_working,
)
from gateway.cli.views.judge_agreement import print_agreement
from gateway.cli.views.run_comparison import print_between, tables_of
from gateway.cli.views.run_tables import print_judged, say_no_finding
from gateway.services.files.export import export_to, formats
from gateway.services.results.compare_runs import compare_judges, compare_runs, what_is_asked
from gateway.services.results.score_run import scoring_of
from gateway.services.runs.resolve_ids import runs_meant
from gateway.services.runs.run_details import judged_tables, scores_of
from store.read_model import queries
from store.read_model.score_arrays import FAILED


def _known_format(name: str) -> str:
    if name not in formats():
        raise typer.BadParameter(f"{name!r} is none of {', '.join(formats())}.")
    return name


def score(
    what: RunOrEpisode,
    judge: Annotated[
        str,
        typer.Option(
            "--judge",
            "-j",
            metavar="JUDGE.toml",
            help="A judge file (docs/reference/judge.md), or a built-in judge such as belext-rule.",
        ),
    ],
    no_probe: NoProbe = False,
    json: Json = False,
) -> None:
    """Score stored episodes with another judge.

    Nothing is played again, and older scores stay beside the new ones. The same judge scores an
    episode once: repeating the command goes on with what is missing, and asks again where scores
    failed, in an evaluation beside the old. Exit code 4: every score is missing.
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
    if json:
        print_json(rows)
    else:
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
            print_next([(command, "how far the two judges agree")])
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
            help="Two runs or more, the earlier first; or runs and two of their judges.",
        ),
    ],
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            "-b",
            metavar="dimension|mind|task",
            help="Between runs: only in this respect; may be repeated.",
        ),
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge", "-j", metavar="JUDGE", help="Between runs: only by this; may be repeated."
        ),
    ] = None,
    dimension: Annotated[
        list[str] | None,
        typer.Option(
            "--dimension", "-d", metavar="NAME", help="Between runs: only this; may be repeated."
        ),
    ] = None,
    population: PopulationOf = None,
    unclean: Unclean = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Compare runs, or two judges of the same runs.

    Runs: which dimension, mind or task got better or worse from one to the next, paired on task,
    seed and mind, with 95 % intervals, p, Holm's p, Cohen's d and pairs.

    Judges: for each dimension n, means, mean absolute difference, Pearson's and Spearman's
    correlation with 95 % intervals and p, and what is missing of how many
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
        if json:
            print_json(between)
        elif form != "text":
            print_tables(tables_of(between), form)
        else:
            print_between(between)
        return
    if json:
        print_json(comparison)
    elif form != "text":
        print_tables(agreement_tables(comparison), form)
    else:
        print_agreement(", ".join(asked.runs), comparison)


def report(
    run_ids: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN…", help="A run's id, or how it begins; of several, the earlier first."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Default: reports/ in the data folder."),
    ] = None,
    transcripts: Annotated[
        int,
        typer.Option(
            "--transcripts", metavar="N", min=0, help="Maximum number of transcripts to show."
        ),
    ] = 50,
    rest: Annotated[
        bool, typer.Option("--rest", help="Write the other transcripts, too: a page each.")
    ] = False,
    people: People = None,
    json: Json = False,
) -> None:
    """Write a run's report: one HTML file, no network.

    Of several runs it is one page that compares them, paired on task and seed; each mind carries
    the letter of its run.

    Of a long run it has a choice of transcripts: where something went wrong, the lowest and the
    highest scores, and some drawn.
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
            help="The id of one, or its beginning; for calls, several.",
        ),
    ],
    form: Annotated[
        str,
        typer.Option("--format", "-f", metavar="FORMAT", help="See above.", callback=_known_format),
    ] = "jsonl",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="PATH", help="File; for parquet, a folder."),
    ] = None,
    only: Annotated[
        Literal["readable", "unreadable"] | None,
        typer.Option("--only", help="For calls: by whether the answer could be read."),
    ] = None,
    json: Json = False,
) -> None:
    """Write a run, a chain or an episode to files.

    \b
    jsonl    every event, lossless and checksummed;
             `troupe import episodes` reads it back
    parquet  tables for analysis, in a folder
    calls    every call to a model, a line each: prompt
             and raw answer as chat messages, how it was
             read, tokens (docs/how-to/exchange.md)
    others   lines for other programs, where the episodes'
             environment writes them; a wrong name lists all
    """
    with open_session() as (_, store), while_working(f"writing {form}") as status:
        written = export_to(
            store,
            what,
            form,
            out,
            only=only or "",
            told=lambda count: status.update(f"writing calls: {count:,} so far"),
        )
    if json:
        print_json(written)
    else:
        say(escape(written.sentence))
