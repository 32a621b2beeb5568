"""``troupe contrast``: the tests that papers print, as tables in the terminal."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from actors.text.amounts import many
from evaluators.registry import abbreviation
from evaluators.scores.questions import QUESTIONS, Part
from evaluators.statistics.contrasts import Side
from evaluators.statistics.populations import FEW, Population
from evaluators.statistics.significance_tests import Family, Tested
from evaluators.tables.contrast_tables import contrast_note, contrasts_table
from evaluators.tables.figure_text import difference_text, p_alone
from evaluators.tables.plain_tables import PlainTable, as_one
from gateway.cli.options import Json, Judges, RunId, TableFormatOption, Unclean, open_session
from gateway.cli.terminal.output import (
    Column,
    console,
    escape,
    heading,
    numbers,
    print_result,
    print_table,
    say,
    width_of,
)
from gateway.cli.terminal.table_layout import SpanningRow
from gateway.cli.views.run_tables import say_no_finding
from gateway.services.results.contrasts import run_contrasts


def contrast(
    run_id: RunId,
    between: Annotated[
        list[str] | None,
        typer.Option(
            "--between",
            "-b",
            metavar="QUESTION",
            help=f"Only this comparison: {', '.join(QUESTIONS)}. Repeatable.",
        ),
    ] = None,
    judge: Judges = None,
    dimension: Annotated[
        list[str] | None,
        typer.Option(
            "--dimension",
            "-d",
            metavar="NAME",
            help="Only this dimension, or `all`. Repeatable. Default: the environment's main ones.",
        ),
    ] = None,
    part: Annotated[
        Part,
        typer.Option(
            "--part", help="Only these scenarios of chains, when comparing minds or memories."
        ),
    ] = "all",
    unclean: Unclean = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Test differences within a run: minds, memories, slopes.

    For each test: mean ± standard deviation of both sides, their difference with a 95 % confidence
    interval, p, p adjusted by Holm's method over all tests of the comparison, Cohen's d and n
    (docs/explanation/statistics.md).
    """
    with open_session() as (_, store):
        shown = run_contrasts(
            store,
            run_id,
            judges=judge or (),
            dimensions=dimension or (),
            between=between or (),
            part=part,
            unclean=unclean,
        )

    def tables() -> Sequence[PlainTable]:
        found = [contrasts_table(family) for family in shown.families]
        return as_one(found, "Tests") if form == "csv" else found

    if print_result(shown, json=json, form=form, tables=tables):
        return
    if not shown.families:
        say("Nothing to test here: it takes scores of two minds, two memories, or a hard part.")
    for family in shown.families:
        print_family(family)
    say_no_finding(
        shown.rehearsal_minds,
        shown.rehearsal_judges,
        local_minds=shown.local_minds,
        local_judges=shown.local_judges,
    )


def print_family(family: Family) -> None:
    """All tests of one question by one judge."""
    heading(family.title, contrast_note(family))
    digits = 3 if family.between == "slopes" else 2
    figures = numbers("mean ±SD", "A−B\n95 %", "p\nHolm", "d", "n")
    columns: list[Column | str] = ["", "of", "A\nB", *figures]
    rows = [row for test in family.tests for row in _rows(test, family.population, digits)]
    if width_of(columns, rows) <= console().width:
        print_table(columns, rows)
    else:
        told = [part for test in family.tests for part in _below(test, family.population, digits)]
        print_table(["", *figures], told)
    if family.unclean:
        say(f"[dim]{without(family.unclean)}[/]")
    for why, tests in _untested(family).items():
        say(f"[dim]no test of {escape('; '.join(tests))}: {escape(why)}[/]")
    if any(test.contrast.difference.few for test in family.tests):
        say(f"[dim]n under {FEW} is few {escape(family.population)} for an interval.[/]")


def without(episodes: int) -> str:
    """What is left out of a table, and how to have it in."""
    return f"Without {many(episodes, 'episode')} in which an action failed; --all takes them in."


def _rows(test: Tested, population: Population, digits: int) -> Iterator[tuple[object, ...]]:
    """A row for each side: the longer of two names moves nothing of the other."""
    found = test.contrast
    change, _, interval = difference_text(found.difference, digits).partition("\n")
    yield (
        abbreviation(test.dimension),
        test.of,
        found.a.label,
        _side(found.a, population, digits),
        change,
        p_alone(found.p),
        found.effect,
        f"{found.n}{'' if found.test == 'paired t' else ' w'}",
    )
    b = _side(found.b, population, digits)
    yield "", "", found.b.label, b, interval, p_alone(found.p_holm), "", ""


def _below(
    test: Tested, population: Population, digits: int
) -> Iterator[SpanningRow | tuple[object, ...]]:
    """The same where names have no room beside the figures: they stand above."""
    first, second = _rows(test, population, digits)
    what = ", ".join(filter(None, (str(first[0]), test.of)))
    yield SpanningRow(f"{what}: A is {test.contrast.a.label}, B is {test.contrast.b.label}")
    yield "A", *first[3:]
    yield "B", *second[3:]


def _side(side: Side, population: Population, digits: int) -> str:
    if side.mean.value is None:
        return "–"
    sd = side.unit_sd if population == "chains" else side.mean.sd
    return f"{side.mean.value:.{digits}f}" + ("" if sd is None else f" ±{sd:.{digits}f}")


def _untested(family: Family) -> dict[str, list[str]]:
    """Why some tests could not be made, and which."""
    found: dict[str, list[str]] = {}
    for test in family.tests:
        one = test.contrast
        if one.difference.why:
            of = f"{test.of}: " if test.of else ""
            named = f"{of}{one.a.label} and {one.b.label} ({test.dimension})"
            found.setdefault(one.difference.why, []).append(named)
    return found
