"""Runs and scores as tables in the terminal."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from gateway.cli.output import (
    Column,
    console,
    escape,
    grid,
    heading,
    is_wide,
    print_pairs,
    print_table,
    say,
)

if TYPE_CHECKING:
    from evaluators.summary import Cell, MindRow, Tally
    from gateway.read_models import Counts, JudgedTable, RunDetails
    from gateway.standing import Listed
    from store.records import CallTotals, ChainRow, EpisodeRow, RunRow

NO_INTERVAL = "\u00a0" * len(" ±0.00")
"""Keeps a mean without an interval under those that have one."""
MOST_EPISODES = 32
"""Episodes listed in the terminal; `--json` and the report have all."""
MOST_CHAINS = 32
"""Chains of one run listed beside its tables."""
MOST_WAITING = 4
"""Runs below the list of which it is told what to do."""
MOST_FAILED = 8
"""Failed episodes whose reason is told in the terminal."""


def print_runs(runs: "Sequence[Listed]") -> None:
    """Runs, in their order, and what to do about those that wait for somebody; of which catalog,
    where the terminal is wide."""
    wide = is_wide()
    print_table(
        (
            Column("run", "id"),
            "plan",
            *(["catalog"] if wide else []),
            "status",
            Column("ended", "number"),
            Column("marked", "number"),
            Column("failed", "number"),
            Column("started", "id"),
        ),
        [
            (
                run.id,
                run.name,
                *([run.catalog] if wide else []),
                run.standing.words + " (archived)" * run.archived,
                f"{run.episodes_ended}/{run.episodes_planned}",
                run.episodes_marked or "",
                run.episodes_failed,
                _day(run.started_at),
            )
            for run in runs
        ],
    )
    waiting = [run for run in runs if run.standing.wants_somebody]
    for run in waiting[:MOST_WAITING]:
        say(f"[yellow]{escape(run.id)}: {escape(run.standing.sentence)}.[/]")


def print_chains(rows: "Sequence[ChainRow]") -> None:
    """Chains, one a line."""
    print_table(
        (
            Column("chain", "id"),
            "characters",
            "minds",
            "memory",
            "status",
            Column("over", "number"),
            Column("failed", "number"),
        ),
        [
            (
                row.id,
                row.characters,
                row.minds,
                row.memory,
                row.status,
                f"{row.done}/{row.length}",
                row.failed,
            )
            for row in rows
        ],
    )


def print_run(shown: "RunDetails") -> None:
    """A run: its episodes, a table a judge, what it cost, what went wrong."""
    from gateway.cli.running import held_words

    run = shown.run
    stands = shown.standing.words if shown.standing is not None else _status(run)
    say(f"[bold]Run {escape(run.id)}[/]  {escape(run.name)}")
    when = f"began {moment(run.started_at)}, {_how_long(run)}"
    if shown.imported:
        when = f"simulated elsewhere, came in as {shown.imported}s {moment(run.started_at)}"
    say(f"{escape(stands)}; catalog {escape(run.catalog)}; {escape(when)}")
    if shown.standing is not None and (sentence := shown.standing.sentence) != stands:
        say(f"[yellow]{escape(sentence[0].upper() + sentence[1:])}.[/]")
    for hold in shown.holds:
        say(f"[yellow]{escape(held_words(hold.held))}; since {moment(hold.since)}[/]")
    if run.episodes_marked:
        say(
            f"[yellow]In {run.episodes_marked} of {run.episodes_ended} episodes that ended "
            "a seat gave no answer.[/]"
            + f" `troupe resume {run.id} --retry-failed` plays them again."
            * (not shown.imported)
        )
    if shown.superseded:
        say(f"[dim]{shown.superseded} older episodes were played again, and stay in the log[/]")
    if shown.chains:
        heading("Chains", "`troupe show CHAIN` lists the episodes of one")
        print_chains(shown.chains[:MOST_CHAINS])
        if more := len(shown.chains[MOST_CHAINS:]):
            say(f"  [dim]… and {more} more; `troupe chains {escape(run.id)}` lists all[/]")
    alone = [row for row in shown.episodes if not row.chain]
    if alone:
        heading("Episodes")
        _print_episodes(alone, unlisted=0 if shown.chains else shown.unlisted)
    _print_failed(shown)
    for table in shown.tables:
        print_judged(table)
    if shown.calls:
        _print_calls(shown.calls)
    heading("What went wrong")
    print_pairs(_went_wrong(shown.counts), indent=2)
    if declined := shown.counts.scores_abstained:
        what = f"{declined} of {shown.counts.scores_asked} scores were declined"
        say(f"[dim]{what}: the judge found nothing to score there; nothing went wrong.[/]")
    if shown.rehearsal_minds or shown.rehearsal_judges:
        say(f"\n[yellow]{escape(no_finding(shown.rehearsal_minds, shown.rehearsal_judges))}[/]")


def _status(run: "RunRow") -> str:
    """What a run's stream says, where nobody asked who carries it out."""
    if run.stopped:
        return "ended early"
    paused = f" ({run.pause_detail or run.pause_reason})" if run.status == "paused" else ""
    return run.status + paused


def no_finding(minds: Sequence[str], judges: Sequence[str]) -> str:
    """What to think of scores in which rehearsal minds or judges had a part."""
    parts = [
        f"{what}{'' if len(names) == 1 else 's'} {', '.join(names)}"
        for what, names in (("mind", minds), ("judge", judges))
        if names
    ]
    return (
        f"Rehearsal {' and '.join(parts)}: fixed rules, no language model. These scores check "
        "the machinery; they are not findings."
    )


def print_judged(table: "JudgedTable") -> None:
    """One judge's means by mind, with 95 % intervals and what is missing."""
    rules = f"a {table.kind} judge: fixed rules, no language model\n"
    by_rules = table.kind in ("rehearsal", "rule")
    note = (rules if by_rules else "") + _what_means_are_over(table)
    heading(f"Scores by {table.judge.label}", note)
    for minds in _that_fit(table.minds):
        print_table(
            ("", *(Column(row.label, "number") for row in minds)),
            [
                *(
                    (
                        _named(d, share=any(row.cells[d].share for row in minds)),
                        *(cell_text(row.cells[d]) for row in minds),
                    )
                    for d in table.dimensions
                ),
                ("seats", *(_seats(row) for row in minds)),
                ("missing scores", *(_missing(row) for row in minds)),
            ],
        )


def cell_text(cell: "Cell") -> str:
    """A mean and its interval; of a checkpoint, the share that passed it. In square brackets the
    clusters where there are few, in round ones the mean over all episodes where actions failed in
    some."""
    mean, form = cell.mean, ".0%" if cell.share else ".2f"
    beside = ""
    if cell.over_all is not None:
        over_all = cell.over_all.mean.value
        beside = " (–)" if over_all is None else f" ({over_all:{form}})"
    if mean.value is None:
        return "–" + beside
    if mean.low is None or mean.high is None:
        return f"{mean.value:{form}}" + NO_INTERVAL + beside
    few = f" [{mean.clusters}]" if mean.few else ""
    return f"{mean.value:{form}} ±{(mean.high - mean.low) / 2:{form}}{few}{beside}"


def _what_means_are_over(table: "JudgedTable") -> str:
    from evaluators.populations import POPULATIONS

    said = f"mean ± half of the 95 % interval, {POPULATIONS[table.population]}"
    if any(c.mean.few for row in table.minds for c in row.cells.values()):
        said += f"\n[n]: the interval rests on few {table.population}, n of them"
    if table.clean < table.episodes:
        said += (
            f"\nover the {table.clean:,} of {table.episodes:,} episodes in which no action failed; "
            "(in brackets) over all"
        )
    return said


def moment(microseconds: int | None) -> str:
    """A stored time, in this machine's time zone."""
    from datetime import datetime

    if microseconds is None:
        return "–"
    return datetime.fromtimestamp(microseconds / 1e6).astimezone().strftime("%Y-%m-%d %H:%M")


def _day(microseconds: int | None) -> str:
    """A stored time of this year without the year; of another, the day alone."""
    from datetime import datetime

    when = moment(microseconds)
    this_year = f"{datetime.now().astimezone().year}-"
    return when.removeprefix(this_year) if when.startswith(this_year) else when.partition(" ")[0]


def _how_long(run: "RunRow") -> str:
    if run.started_at is None or run.ended_at is None:
        return "not ended"
    seconds = (run.ended_at - run.started_at) / 1e6
    return f"took {seconds:.1f} s" if seconds < 120 else f"took {seconds / 60:.0f} min"


def _print_episodes(episodes: "Sequence[EpisodeRow]", unlisted: int) -> None:
    """Episodes under the task they play."""
    listed = episodes[:MOST_EPISODES]
    for (scenario, cast), rows in groupby(listed, key=lambda row: (_scenario(row), row.characters)):
        with_cast = f"{scenario}: {', '.join(cast)}" if cast else scenario
        say(f"  {escape(with_cast)}")
        table = grid(4, indent=4)
        for row in rows:
            table.add_row("", escape(row.id), escape(", ".join(row.minds)), _turns(row), _end(row))
        console().print(table)
    if more := len(episodes) - len(listed) + unlisted:
        say(f"  [dim]… and {more} more; --json lists all[/]")


def _print_failed(shown: "RunDetails") -> None:
    failed = [row for row in shown.episodes if row.status == "failed"]
    for row in failed[:MOST_FAILED]:
        say(f"  [red]{escape(row.id)} failed:[/] {escape(row.end_reason)}")
    if (more := max(len(failed), shown.counts.episodes_failed) - MOST_FAILED) > 0:
        say(f"  [dim]… and {more} more that failed[/]")


def _scenario(row: "EpisodeRow") -> str:
    return row.scenario or f"task {row.task}"


def _turns(row: "EpisodeRow") -> str:
    return f"{row.turns:>3} turns" if row.status != "planned" else ""


def _end(row: "EpisodeRow") -> str:
    words = row.end_reason.replace("_", " ") if row.status == "ended" else row.status
    fork = f", fork of {row.parent}" if row.parent else ""
    failed = f", [yellow]{row.failed_actions} gave no answer[/]" if row.failed_actions else ""
    return escape(words + fork) + failed


def _print_calls(calls: "Sequence[CallTotals]") -> None:
    heading("Model calls")
    numbers = ("asked", "answered", "failed", "tokens in", "out", "USD")
    print_table(
        ("model", "for", *(Column(name, "number") for name in numbers)),
        [
            (
                c.model,
                c.purpose,
                c.asked,
                c.answered,
                c.failed,
                f"{c.input_tokens:,}",
                f"{c.output_tokens:,}",
                _cost(c),
            )
            for c in calls
        ],
    )
    unpriced = sum(c.unpriced for c in calls)
    if unpriced:
        answered = sum(c.answered for c in calls)
        say(f"[dim]{unpriced} of {answered} answers have no known price and are not in the sum.[/]")


def _cost(totals: "CallTotals") -> str:
    known = totals.answered > totals.unpriced
    return f"{totals.cost_usd:.4f}" if known else "unknown"


def _went_wrong(counts: "Counts") -> Iterator[tuple[str, str]]:
    left = counts.episodes - counts.episodes_ended - counts.episodes_failed
    open_ = f"; {left} not done yet" if left else ""
    yield "episodes failed", f"{counts.episodes_failed} of {counts.episodes}{open_}"
    asked = "each of one question or more"
    yield "actions failed", f"{counts.actions_failed} in {counts.turns} turns, {asked}"
    later = f"; {counts.evaluations_open} not done yet" if counts.evaluations_open else ""
    yield "evaluations missing", f"{counts.evaluations_missing} of {counts.evaluations}{later}"
    yield "scores failed", f"{counts.scores_failed} of {counts.scores_asked}"


def _that_fit(minds: "Sequence[MindRow]") -> "Iterator[Sequence[MindRow]]":
    """The minds in as many tables as the terminal's width asks for."""
    room = console().width - 44
    chunk: list[MindRow] = []
    used = 0
    for row in minds:
        widest = max(map(len, map(cell_text, row.cells.values())), default=0)
        wide = max(len(row.label), widest, 13) + 2
        if chunk and used + wide > room:
            yield chunk
            chunk, used = [], 0
        chunk.append(row)
        used += wide
    yield chunk


def _named(dimension: str, *, share: bool) -> str:
    from evaluators.dimensions import known, label

    declared = known().get(dimension)
    if share:
        return f"{label(dimension)}, passed"
    span = f" [{declared.low:g}..{declared.high:g}]" if declared and is_wide() else ""
    return label(dimension) + span


def _seats(row: "MindRow") -> str:
    clean = max((cell.asked for cell in row.cells.values()), default=0)
    over_all = max((cell.over_all.asked for cell in row.cells.values() if cell.over_all), default=0)
    return f"{clean} ({over_all})" if over_all else str(clean)


def _missing(row: "MindRow") -> str:
    cells = [cell for name, cell in row.cells.items() if name != "overall"]
    clean, over_all = _missing_of(cells), _missing_of([cell.over_all or cell for cell in cells])
    return f"{clean} ({over_all})" if any(cell.over_all for cell in cells) else clean


def _missing_of(tallies: "Sequence[Tally]") -> str:
    asked, scored = sum(one.asked for one in tallies), sum(one.scored for one in tallies)
    return f"{asked - scored}/{asked}" if asked else "none needed"
