"""``troupe chains``, ``memory``, ``curves``."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from evaluators.scores.questions import By
from evaluators.statistics.chain_curves import DimensionCurves
from evaluators.statistics.curves import Curve
from evaluators.tables.curve_tables import (
    axis,
    blocks,
    each,
    ends,
    flat_at,
    flat_words,
    hard_mean,
    points_table,
    slope_figure,
    slopes_table,
)
from evaluators.tables.figure_text import p_alone
from evaluators.tables.plain_tables import PlainTable, as_one
from evaluators.tables.run_tables import chains_table
from gateway.cli.commands.compare.contrasts import without
from gateway.cli.options import (
    ChainId,
    Dimensions,
    Json,
    Judges,
    People,
    RunId,
    TableFormatOption,
    Unclean,
    open_session,
)
from gateway.cli.terminal.output import (
    Column,
    console,
    escape,
    heading,
    numbers,
    print_next,
    print_places,
    print_plain,
    print_result,
    print_table,
    say,
    width_of,
)
from gateway.cli.terminal.table_layout import SpanningRow
from gateway.cli.views.plain_lists import chain_table, memories_table
from gateway.cli.views.run_tables import print_chains, say_no_finding
from gateway.services.results.chain_details import (
    ChainDetails,
    Remembered,
    chains_listed,
    draw,
    remembered,
    run_curves,
)

MOST_BLOCKS = 40
"""In the drawing of a curve; a longer one has several episodes a block."""
FIGURES = 60
"""Cells that the figures of a curve take beside its name and its drawing, with hard scenarios."""


def chains(
    run_id: Annotated[
        str | None, typer.Argument(metavar="RUN", help="Only chains of this run. Default: all.")
    ] = None,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """List chains of episodes."""
    with open_session() as (_, store):
        found = chains_listed(store, run_id or "")
    if print_result(found, json=json, form=form, tables=lambda: [chains_table(found)]):
        return
    if found:
        for run in dict.fromkeys(row.run for row in found):
            heading(f"Run {run}" if run else "Of no run")
            print_chains([row for row in found if row.run == run])
    else:
        say(f"Run {escape(run_id)} plays no chains." if run_id else "There are no chains yet.")
        what = "play some, offline (docs/explanation/chains.md)"
        print_next([("troupe run plans/lifelong.toml", what)])


def memory(
    chain_id: ChainId,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", help="Only this seat, from 1.")
    ] = None,
    index: Annotated[
        int | None,
        typer.Option(
            "--index",
            metavar="N",
            help="Only the episode with this index, from 0, and the memories in its prompt.",
        ),
    ] = None,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Show what the characters of a chain remember.

    Without options: a table of the notes on each episode, who wrote them, and how much of the past
    was in the prompt. With --seat or --index: the notes themselves.
    """
    with open_session() as (_, store):
        found = remembered(store, chain_id, seat, index)
    if print_result(found, json=json, form=form, tables=lambda: [memories_table(found)]):
        return
    if found and seat is None and index is None:
        print_plain(memories_table(found))
        chain = found[0].row.chain
        print_next([(f"troupe memory {chain} --seat 1", "the first seat's notes, in words")])
    else:
        _print_remembered(found)


def curves(
    run_id: RunId,
    judge: Judges = None,
    dimension: Dimensions = None,
    people: People = None,
    by: Annotated[
        By,
        typer.Option(
            "--by", help="Group memories by name, or by the length or the parts of their notes."
        ),
    ] = "memory",
    unclean: Unclean = False,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FOLDER", help="Also draw the curves into this folder."),
    ] = None,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Show scores by the index of the episode in its chain.

    For each judge and dimension: the means along the chain, and for each mind and memory the slope
    with a 95 % confidence interval and a test against zero. Hard scenarios at the end of chains are
    shown separately and not part of the slope. `troupe contrast` compares slopes with each other.
    """
    with open_session() as (_, store):
        gathered, shown = run_curves(
            store, run_id, judge or (), dimension or (), people, by, unclean=unclean
        )
    written = draw(gathered, shown.figures, svg) if svg else []
    tables = partial(_curve_tables, shown.figures, as_csv=form == "csv")
    if print_result(shown, json=json, form=form, tables=tables):
        return
    if not shown.figures:
        say("No judge has scored an episode of a chain yet.")
    print_figures(shown.figures)
    print_places((path.suffix[1:], path) for path in written)
    say_no_finding(
        shown.rehearsal_minds,
        shown.rehearsal_judges,
        local_minds=shown.local_minds,
        local_judges=shown.local_judges,
    )


def _curve_tables(figures: Sequence[DimensionCurves], *, as_csv: bool) -> list[PlainTable]:
    """Slopes, for papers a table each; for programs one of all, and one of all points."""
    slopes = [slopes_table(figure) for figure in figures]
    if not as_csv:
        return slopes
    points = [points_table(figure) for figure in figures]
    return [*as_one(slopes, "Slopes"), *as_one(points, "Points")]


def print_chain(shown: ChainDetails) -> None:
    """A chain: its episodes in order, with what was remembered."""
    chain = shown.chain
    say(f"[bold]Chain {escape(chain.id)}[/]  {escape(', '.join(chain.characters))}")
    say(
        f"{chain.status}; {chain.done} of {chain.length} episodes over, {chain.failed} given up; "
        + escape(f"run {chain.run}; minds {', '.join(chain.minds)}; memory {chain.memory}")
    )
    if chain.reason:
        say(f"[red]given up:[/] {escape(chain.reason)}")
    if chain.memories_failed:
        say(f"[red]memories given up:[/] {chain.memories_failed} times a seat went without")
    print_plain(chain_table(shown))
    print_next(
        [
            (f"troupe memory {chain.id} --seat 1", "show what the first seat remembers"),
            (f"troupe curves {chain.run}", "scores by index"),
        ]
    )


def print_figures(figures: Sequence[DimensionCurves]) -> None:
    """The curves of some judges and dimensions; those in which nothing changes in a line a
    judge."""
    flat: dict[str, list[DimensionCurves]] = {}
    moving = [one for one in figures if flat_at(one) is None or len(figures) == 1]
    for figure in figures:
        if figure not in moving:
            flat.setdefault(figure.judge.label, []).append(figure)
    for figure in moving:
        print_curves(figure, legend=figure is moving[-1])
    for judge, mine in flat.items():
        heading(f"Flat throughout, judged by {judge}")
        say(f"[dim]{escape(flat_words(mine))}[/]")


def print_curves(figure: DimensionCurves, *, legend: bool = True) -> None:
    """One judge's curves in one dimension, as a row of blocks each, with their slopes. ``legend``:
    and what the columns are."""
    room = console().width
    most = min(MOST_BLOCKS, max(room - FIGURES, len("curve")))
    low, high = axis(figure)
    step = max((each(curve, most) for curve in figure.curves), default=1)
    each_ = f", {step} episodes a block" if step > 1 else ""
    heading(figure.title, f"from ▁ at {low:.3g} to █ at {high:.3g}{each_}")
    hard = figure.hard_from is not None
    figures = ("first→last", *(("hard",) if hard else ()), "slope", "p", "n", "scores")
    found = [
        (curve.label, _curve_row(curve, (low, high), most, hard=hard)) for curve in figure.curves
    ]
    columns: list[Column | str] = ["", Column("curve", "id"), *numbers(*figures)]
    wide = width_of(columns, [(name, *row) for name, row in found])
    rows: list[SpanningRow | Sequence[object]] = []
    for name, row in found:
        rows += [(name, *row)] if wide <= room else [SpanningRow(name), ("", *row)]
    print_table(columns, rows)
    for (what, why), labels in _untested(figure.curves).items():
        say(f"[dim]no {what} for {escape('; '.join(labels))}: {escape(why)}[/]")
    if figure.unclean:
        say(f"[dim]{without(figure.unclean)}[/]")
    if legend:
        said = "slope: points an episode ± half of its 95 % interval; n: chains"
        if hard:
            what = "mean over the hard scenarios that end the chains"
            said += f"; hard: {what}, from index {figure.hard_from} on, drawn after │"
        say(f"[dim]{said}[/]")


def _untested(curves: Sequence[Curve]) -> dict[tuple[str, str], list[str]]:
    """What could not be said of some curves, why, and of which."""
    found: dict[tuple[str, str], list[str]] = {}
    for curve in curves:
        change = curve.slope.change
        if change.why:
            what = "slope" if change.value is None else "test"
            found.setdefault((what, change.why), []).append(curve.label)
    return found


def _curve_row(
    curve: Curve, axis: tuple[float, float], most: int, *, hard: bool
) -> tuple[str, *tuple[object, ...]]:

    first, last = ends(curve)
    return (
        blocks(curve, axis, most),
        None if first is None else f"{first:.2f}→{last:.2f}",
        *((hard_mean(curve),) if hard else ()),
        slope_figure(curve.slope.change).text,
        p_alone(curve.slope.p_value),
        curve.slope.chains,
        f"{sum(p.scored for p in curve.places)}/{sum(p.asked for p in curve.places)}",
    )


def _print_remembered(found: Sequence[Remembered]) -> None:
    if not found:
        say("Nothing was remembered here yet.")
    for one in found:
        row = one.row
        left_out = f", {len(row.dropped)} left out" if row.dropped else ""
        heading(
            f"Seat {row.seat + 1}, episode {row.index} ({row.episode})",
            f"reminded of {len(row.recalled)} episodes{left_out}: {row.recalled_tokens:,} of "
            f"{row.limit_tokens:,} tokens",
        )
        if one.reminded:
            say(f"[bold]Reminded[/]\n{escape(one.reminded)}")
        if one.note is not None:
            bounds = "" if row.within_bounds else ", not within the length asked for"
            by = escape(row.writer or "nobody")
            say(f"[bold]Kept[/] [dim]({row.words} words by {by}{bounds})[/]")
            for name in ("overview", "strategies", "knowledge"):
                if text := getattr(one.note, name):
                    say(f"  [dim]{name}[/]  {escape(text)}")
        elif row.written_at is not None:
            say(
                f"[dim]Kept as it was, {row.tokens:,} tokens.[/]"
                if row.tokens
                else "[dim]Nothing kept.[/]"
            )
