"""``troupe chains``, ``memory``, ``curves``."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evaluators.questions import By
from gateway.cli.comparing import p_text
from gateway.cli.contrasts import without
from gateway.cli.output import (
    Column,
    escape,
    heading,
    print_json,
    print_next,
    print_places,
    print_table,
    say,
)
from gateway.cli.support import Json, People, RunId, Unclean, open_session

if TYPE_CHECKING:
    from evaluators.chain_curves import DimensionCurves
    from evaluators.curves import Curve
    from gateway.chains import ChainDetails, Remembered

app = typer.Typer()

ChainId = Annotated[str, typer.Argument(metavar="CHAIN", help="A chain's id, or how it begins.")]


@app.command()
def chains(
    run_id: Annotated[
        str | None, typer.Argument(metavar="RUN", help="Only this run's; default: all.")
    ] = None,
    json: Json = False,
) -> None:
    """List chains: the same characters meet again and again."""
    from gateway.cli.tables import print_chains
    from store import queries

    with open_session() as (_, store):
        archived = {run.id for run in queries.runs(store) if run.archived}
        found = [
            row for row in queries.chains(store, run=run_id) if run_id or row.run not in archived
        ]
    if json:
        print_json(found)
    elif found:
        for run in dict.fromkeys(row.run for row in found):
            heading(f"Run {run}" if run else "Of no run")
            print_chains([row for row in found if row.run == run])
    else:
        say(f"Run {escape(run_id)} plays no chains." if run_id else "There are no chains yet.")
        print_next([("troupe run plans/lifelong.toml", "plays some, offline (docs/chains.md)")])


@app.command()
def memory(
    chain_id: ChainId,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", help="Only this seat's (from 1).")
    ] = None,
    index: Annotated[
        int | None,
        typer.Option(
            "--index",
            metavar="N",
            help="Only this episode's (from 0), with what it was reminded of.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show what the seats of a chain remember.

    A table of what was kept of each episode, by whom, and how much of the past was in the prompt;
    with a seat or an index the notes themselves.
    """
    from gateway.chains import remembered

    with open_session() as (_, store):
        found = remembered(store, chain_id, seat, index)
    if json:
        print_json(found)
    elif found and seat is None and index is None:
        _print_kept(found)
        chain = found[0].row.chain
        print_next([(f"troupe memory {chain} --seat 1", "the first seat's notes, in words")])
    else:
        _print_remembered(found)


@app.command()
def curves(
    run_id: RunId,
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", "-j", metavar="JUDGE", help="Only by this judge; may be repeated."),
    ] = None,
    dimension: Annotated[
        list[str] | None,
        typer.Option("--dimension", "-d", metavar="NAME", help="Only this; may be repeated."),
    ] = None,
    people: People = None,
    by: Annotated[
        By,
        typer.Option(
            "--by", help="What memories are told apart by: name, length or parts of their notes."
        ),
    ] = "memory",
    unclean: Unclean = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FOLDER", help="Draw the curves into files.")
    ] = None,
    json: Json = False,
) -> None:
    """Show scores by the index of an episode in its chain.

    For each judge and dimension: means along the chain, and the slope of every mind with its
    memory, with a 95 % interval and the test that it is zero. Hard scenarios that end the chains
    are beside: no slope goes through them. `troupe contrast` tests slopes against each other.
    """
    from gateway.chains import draw, run_curves
    from gateway.cli.tables import no_finding

    with open_session() as (_, store):
        gathered, shown = run_curves(
            store, run_id, judge or (), dimension or (), people, by, unclean=unclean
        )
    written = draw(gathered, shown.figures, svg) if svg else []
    if json:
        print_json(shown)
        return
    if not shown.figures:
        say("No judge has scored an episode of a chain yet.")
    for figure in shown.figures:
        print_curves(figure)
    print_places((path.suffix[1:], path) for path in written)
    if shown.rehearsal_minds or shown.rehearsal_judges:
        say(f"\n[yellow]{escape(no_finding(shown.rehearsal_minds, shown.rehearsal_judges))}[/]")


def print_chain(shown: "ChainDetails") -> None:
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
    recalled: dict[int, list[int]] = {}
    for row in shown.memories:
        recalled.setdefault(row.index, []).append(row.recalled_tokens)
    print_table(
        (
            Column("index", "number"),
            Column("episode", "id"),
            "scenario",
            "status",
            Column("turns", "number"),
            Column("tokens recalled", "number"),
        ),
        [
            (
                row.index,
                row.id,
                row.scenario or row.task,
                row.end_reason.replace("_", " ") if row.status == "ended" else row.status,
                row.turns,
                ", ".join(f"{tokens:,}" for tokens in recalled.get(row.index, [])),
            )
            for row in shown.episodes
        ],
    )
    print_next(
        [
            (f"troupe memory {chain.id} --seat 1", "what the first seat remembers"),
            (f"troupe curves {chain.run}", "scores by index"),
        ]
    )


def print_curves(figure: "DimensionCurves") -> None:
    """One judge's curves in one dimension, as a line of blocks each, with their slopes."""

    heading(
        figure.title,
        "first and last mean; slope in points an episode ± half of its 95 % interval; n: chains",
    )
    hard = figure.hard_from is not None
    numbers = ("first→last", *(("hard",) if hard else ()), "slope", "p", "n", "scores")
    print_table(
        ("", "curve", *(Column(name, "number") for name in numbers)),
        [_curve_row(curve, hard=hard) for curve in figure.curves],
    )
    if hard:
        what = "mean over the hard scenarios that end the chains"
        say(f"[dim]hard: {what}, from index {figure.hard_from} on (after │)[/]")
    if figure.unclean:
        say(f"[dim]{without(figure.unclean)}[/]")
    for (what, why), labels in _untested(figure.curves).items():
        say(f"[dim]no {what} for {escape('; '.join(labels))}: {escape(why)}[/]")


def _untested(curves: "Sequence[Curve]") -> dict[tuple[str, str], list[str]]:
    """What could not be said of some curves, why, and of which."""
    found: dict[tuple[str, str], list[str]] = {}
    for curve in curves:
        change = curve.slope.change
        if change.why:
            what = "slope" if change.value is None else "test"
            found.setdefault((what, change.why), []).append(curve.label)
    return found


def _curve_row(curve: "Curve", *, hard: bool) -> tuple[object, ...]:
    means = [at.mean.value for at in curve.places if at.mean.value is not None and not at.hard]
    ending = [at for at in curve.places if at.mean.value is not None and at.hard]
    of_hard = [at.mean.value for at in ending if at.mean.value is not None]
    scored = sum(at.scored for at in ending)
    mean = sum((at.mean.value or 0.0) * at.scored for at in ending) / scored if scored else None
    change = curve.slope.change
    slope = "–" if change.value is None else f"{change.value:+.3f}"
    if change.low is not None and change.high is not None:
        slope += f" ±{(change.high - change.low) / 2:.3f}"
    return (
        curve.label,
        _blocks(means, of_hard),
        f"{means[0]:.2f}→{means[-1]:.2f}" if means else None,
        *((mean,) if hard else ()),
        slope,
        "–" if curve.slope.p_value is None else p_text(curve.slope.p_value).removeprefix("p "),
        curve.slope.chains,
        f"{sum(p.scored for p in curve.places)}/{sum(p.asked for p in curve.places)}",
    )


def _blocks(values: Sequence[float], hard: Sequence[float] = (), most: int = 40) -> str:
    """A row of values as blocks between their lowest and highest, and behind a line the hard
    ones."""
    blocks = "▁▂▃▄▅▆▇█"
    step = max(1, -(-len(values) // most))
    shown = [
        sum(part) / len(part)
        for at in range(0, len(values), step)
        if (part := values[at : at + step])
    ]
    every = [*shown, *hard]
    if not every:
        return ""
    low = min(every)
    spread = max(every) - low or 1.0
    drawn = [blocks[round((value - low) / spread * (len(blocks) - 1))] for value in every]
    behind = f"│{''.join(drawn[len(shown) :])}" if hard else ""
    return "".join(drawn[: len(shown)]) + behind


def _print_kept(found: "Sequence[Remembered]") -> None:
    numbers = ("seat", "index", "words", "recalled", "left out", "tokens", "room")
    print_table(
        (*(Column(name, "number") for name in numbers), "written by"),
        [
            (
                one.row.seat + 1,
                one.row.index,
                one.row.words if one.note else "–",
                len(one.row.recalled),
                len(one.row.dropped),
                f"{one.row.recalled_tokens:,}",
                f"{one.row.limit_tokens:,}",
                (one.row.writer or "–") + ("" if one.row.within_bounds else ", out of bounds"),
            )
            for one in found
        ],
    )


def _print_remembered(found: "Sequence[Remembered]") -> None:
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
