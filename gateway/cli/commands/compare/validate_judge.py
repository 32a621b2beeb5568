"""``troupe validate-judge``: agreement of a judge's checkpoints with human labels."""

from pathlib import Path
from typing import Annotated

import typer

from evaluators.agreement.checkpoint_validation import Positive
from evaluators.tables.agreement_tables import validation_table
from evaluators.tables.plain_tables import PlainTable
from gateway.cli.options import Json, TableFormatOption, open_session
from gateway.cli.terminal.output import (
    escape,
    heading,
    numbers,
    print_json,
    print_next,
    print_places,
    print_result,
    print_table,
    print_titled,
    say,
)
from gateway.cli.views.run_tables import say_no_finding
from gateway.services.results.validate_judge import SheetWritten, Validation, write_samples
from gateway.services.results.validate_judge import validate as validate_judge


def validate(
    judge: Annotated[
        str, typer.Argument(metavar="JUDGE", help="The name of a judge, or its hash.")
    ],
    labels: Annotated[
        Path | None,
        typer.Option("--labels", "-l", metavar="CSV", help="A sheet with human labels."),
    ] = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="Draw samples and write a sheet to fill in.")
    ] = False,
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="CSV", help="With --sample: the sheet to write.")
    ] = Path("labels.csv"),
    run: Annotated[
        list[str] | None,
        typer.Option("--run", metavar="RUN", help="With --sample: only from this run. Repeatable."),
    ] = None,
    checkpoint: Annotated[
        list[str] | None,
        typer.Option("--checkpoint", "-c", help="With --sample: only this checkpoint. Repeatable."),
    ] = None,
    passed: Annotated[
        int, typer.Option(min=0, help="Number of passed samples of each checkpoint.")
    ] = 50,
    failed: Annotated[
        int, typer.Option(min=0, help="Number of failed samples of each checkpoint.")
    ] = 50,
    seed: Annotated[int, typer.Option(help="The seed of the random draw.")] = 0,
    faults: Annotated[
        bool, typer.Option("--faults", help="With --labels: count a failed checkpoint as positive.")
    ] = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Compare a judge's checkpoints with human labels.

    With --sample, the command draws seats of episodes that the judge passed and failed, and writes
    a sheet for people to label and a folder with the episodes to read. With --labels, it reads the
    labelled sheet and shows for each checkpoint TP, FP, TN, FN, precision, recall, F1 and Cohen's
    kappa.
    """
    if sample == (labels is not None):
        raise typer.BadParameter("give either --sample or --labels CSV.")
    with open_session() as (_, store):
        if labels is not None:
            positive: Positive = "failed" if faults else "passed"
            found = validate_judge(store, judge, labels, positive)
            if not print_result(found, json=json, form=form, tables=lambda: [_table(found)]):
                print_validation(found)
            return
        written = write_samples(
            store,
            judge,
            out,
            runs=run or (),
            checkpoints=checkpoint or (),
            passed=passed,
            failed=failed,
            seed=seed,
        )
    print_json(written) if json else _print_written(written)


def _print_written(written: SheetWritten) -> None:
    heading(f"{written.samples} samples of what {written.judge.label} decided")
    print_table(
        ("checkpoint", *numbers("passed", "failed")),
        [(one.checkpoint, one.passed, one.failed) for one in written.drawn],
    )
    print_places([("sheet", written.sheet), ("to read", written.transcripts)])
    say("[dim]Under label goes 1 (passed) or 0 (failed). What the judge said is not in it.[/]")
    command = f"troupe validate-judge {written.judge.name} --labels {written.sheet}"
    print_next([(command, "compare the labels with the judge")])


def _table(found: Validation) -> PlainTable:
    return validation_table(found.judge, found.positive, found.checkpoints)


def print_validation(found: Validation) -> None:
    """The table of the checkpoints, and below it why estimates are missing."""
    print_titled(_table(found))
    for row in found.checkpoints:
        if row.kappa.why:
            say(f"[dim]{escape(f'{row.checkpoint}: {row.kappa.why}')}[/]")
    names = {found.kind: (found.judge.label,)}
    say_no_finding(judges=names.get("rehearsal", ()), local_judges=names.get("local", ()))
