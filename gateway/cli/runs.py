"""``troupe run``, ``resume``, ``runs``, ``score``, ``compare``, ``report``, ``export``."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gateway.cli.support import Json, open_desk, print_json, print_table, say

if TYPE_CHECKING:
    from events.run import RunPlanned

app = typer.Typer()

RunId = Annotated[str, typer.Argument(help="A run's id; its first letters are enough.")]


class ExportFormat(StrEnum):
    """What ``troupe export`` can write."""

    JSONL = "jsonl"
    PARQUET = "parquet"
    SOTOPIA = "sotopia"


@app.command()
def run(
    plan: Annotated[Path, typer.Argument(help="A plan file (docs/plan.md).")],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say how many episodes and calls it means.")
    ] = False,
    detach: Annotated[
        bool, typer.Option("--detach", help="Queue the run for workers and return.")
    ] = False,
    json: Json = False,
) -> None:
    """Carry out a plan: play its episodes, score them, show the table.

    Ctrl-C stops cleanly; `troupe resume RUN` goes on with what is not done.
    """
    from gateway.cli.running import carry_out_shown
    from gateway.plans import prepare, record_run

    with open_desk() as (settings, store):
        prepared = prepare(store, plan)
        if dry_run:
            _print_forecast(prepared.planned, as_json=json)
            return
        run_id = record_run(store, prepared, detached=detach)
        carry_out_shown(settings, store, run_id, detach=detach, as_json=json)


@app.command()
def resume(
    run_id: RunId,
    usd: Annotated[float | None, typer.Option("--budget-usd", help="A new budget.")] = None,
    tokens: Annotated[int | None, typer.Option("--budget-tokens", help="A new budget.")] = None,
    detach: Annotated[bool, typer.Option("--detach", help="Leave the work to workers.")] = False,
    json: Json = False,
) -> None:
    """Go on with a run that was stopped, paused or cut off: only what is not done is played."""
    from gateway.cli.running import carry_out_shown
    from gateway.plans import resume_run
    from store import queries

    with open_desk() as (settings, store):
        found = queries.run(store, run_id)
        resume_run(store, found.id, usd=usd, tokens=tokens, detached=detach)
        carry_out_shown(settings, store, found.id, detach=detach, as_json=json)


@app.command("runs")
def list_runs(json: Json = False) -> None:
    """All runs, the newest first."""
    from gateway.cli.tables import print_runs
    from store import queries

    with open_desk() as (_, store):
        found = queries.runs(store)
    if json:
        print_json(found)
    elif found:
        print_runs(found)
    else:
        say("No runs yet. `troupe demo` plays a first one.")


@app.command()
def score(
    what: Annotated[str, typer.Argument(metavar="RUN|EPISODE", help="What is to be scored.")],
    judge: Annotated[str, typer.Option("--judge", "-j", help="A judge file or built-in judge.")],
    json: Json = False,
) -> None:
    """Score stored episodes with another judge; the old scores stay beside the new ones."""
    from evaluators.judge_file import judge_named
    from gateway.cli.running import score_shown

    spec = judge_named(judge)
    with open_desk() as (settings, store):
        score_shown(settings, store, what, spec, as_json=json)


@app.command()
def compare(
    run_id: RunId,
    judge_a: Annotated[str, typer.Argument(help="Name or hash of a judge that scored the run.")],
    judge_b: Annotated[str, typer.Argument(help="Name or hash of another.")],
    json: Json = False,
) -> None:
    """How far two judges agree: n, means, missing, correlations with 95 % intervals, difference."""
    from evaluators.agreement import compare as compare_judges
    from gateway.cli.tables import print_agreement
    from store import queries

    with open_desk() as (_, store):
        found = queries.run(store, run_id)
        scores = queries.scores(store, run=found.id)
    comparison = compare_judges(scores, judge_a, judge_b)
    if json:
        print_json(comparison)
    else:
        print_agreement(found.id, comparison)


@app.command()
def report(
    run_id: RunId,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Where to write it.")] = None,
) -> None:
    """Write a run's report: one HTML file that needs no network."""
    from evaluators.report import write_report
    from store import queries

    with open_desk() as (settings, store):
        found = queries.run(store, run_id)
        path = out or settings.data_dir / "reports" / f"{found.id}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        written = write_report(store, found.id, path)
    say(f"Report: [bold]{written}[/]")


@app.command()
def export(
    what: Annotated[str, typer.Argument(metavar="RUN|EPISODE", help="What is to be exported.")],
    form: Annotated[ExportFormat, typer.Option("--format", "-f")] = ExportFormat.JSONL,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File, or folder of tables.")
    ] = None,
) -> None:
    """Write a run or an episode to files.

    jsonl: every event, lossless, with a checksum (`troupe import episodes` reads it back).
    parquet: tables for analysis, in a folder. sotopia: EpisodeLog lines for SOTOPIA's own tools.
    """
    from gateway.exporting import export_to

    with open_desk() as (_, store):
        say(export_to(store, what, form.value, out))


def _print_forecast(planned: "RunPlanned", *, as_json: bool) -> None:
    from actors.runs.forecast import forecast

    expected = forecast(planned)
    if as_json:
        print_json(expected)
        return
    print_table(
        f"Plan {planned.plan.name!r}: what it means",
        ("what", "how many"),
        [
            ("episodes", expected.episodes),
            ("tasks", expected.tasks),
            ("evaluations", expected.evaluations),
            ("calls to play, at most", expected.play_calls),
            ("calls to judge, at least", expected.judge_calls),
        ],
    )
