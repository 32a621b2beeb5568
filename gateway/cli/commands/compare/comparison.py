"""``troupe compare``: compare runs, or two judges of the same runs."""

from typing import Annotated

import typer

from evaluators.tables.agreement_tables import agreement_tables
from gateway.cli.options import (
    Dimensions,
    Json,
    Judges,
    PopulationOf,
    TableFormatOption,
    Unclean,
    open_session,
)
from gateway.cli.terminal.output import print_result
from gateway.cli.views.judge_agreement import print_agreement
from gateway.cli.views.run_comparison import print_between, tables_of
from gateway.services.results.compare_runs import compare_judges, compare_runs, what_is_asked


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
