"""Two episodes beside each other in the terminal, and forks beside their parent."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from actors.episodes.port.words import Entry
from actors.episodes.registry import environment_named
from actors.episodes.views.differences import TurnBeside
from evaluators.registry import judge_to_try
from evaluators.scores.dimensions import label
from evaluators.tables.plain_tables import Figure, PlainColumn, PlainTable
from events.base import Value
from events.untrusted.safe_text import harmless
from gateway.cli.terminal.output import (
    Column,
    NumberedLines,
    console,
    escape,
    heading,
    is_wide,
    print_next,
    print_plain,
    print_table,
    say,
)
from gateway.cli.views.transcripts import mind_words, with_why
from gateway.services.episodes.episode_diff import EpisodeDiff, ScoreBeside
from store.read_model.records import EpisodeRow


class ForkFamily(Value, frozen=True, kw_only=True):
    """Forks that were made together, and their parent."""

    parent: EpisodeRow
    at: int
    """The last event that they share."""
    forks: tuple[EpisodeRow, ...]
    scores: tuple[ScoreBeside, ...]
    """The parent's, the first fork's, and the means of all; none where no judge was named."""


def print_forked(forked: ForkFamily) -> None:
    """What forks came to, and what to do with them."""
    fork, parent = forked.forks[0], forked.parent
    if len(forked.forks) > 1:
        heading(f"Forks of {parent.id} after event {forked.at}")
        print_table(
            (Column("fork", "id"), Column("turns", "number"), "ended"),
            [(row.id, row.turns, ending(row)) for row in forked.forks],
        )
    print_scores(scores_of_forks(forked))
    steps = [(f"troupe diff {fork.id}", "compare it with its parent, turn by turn")]
    if len(forked.forks) > 1:
        steps[0] = (steps[0][0], "compare one with the parent, or with another fork by its id")
    steps.append((f"troupe lineage {parent.id}", "draw their tree of forks"))
    if not forked.scores and (judge := judge_to_try(fork.environment)):
        steps.append((f"troupe score {fork.id} --judge {judge}", "score it"))
    print_next(steps)


def print_diff(found: EpisodeDiff) -> None:
    """What two episodes share, how they go on, and their scores."""
    first, second, differs = found.first, found.second, found.differences
    what = f"fork of {first.id}" if second.parent == first.id else f"beside {first.id}"
    say(f"[bold]{escape(second.id)}[/], {escape(what)}")
    for other in differs.minds:
        name = f" {first.characters[other.seat]}" if first.characters[other.seat :] else ""
        was, now = other.minds
        change = f"{mind_words(was)} → {mind_words(now)}"
        if (was.name, was.temper) == (now.name, now.temper):
            change = mind_words(now)
        say(f"[dim]seat {other.seat + 1}{escape(name)}:[/] {escape(change)}")
    say()
    if differs.shared < 0:
        say("[dim]— no past is shared —[/]")
    else:
        say(f"[dim]— events 0–{differs.shared} shared —[/]")
    parts = differs.parts
    same = [turn for turn in differs.turns if parts is None or turn.turn < parts]
    if same:
        begin, end = same[0].turn, same[-1].turn
        turns = f"turn {end}" if begin == end else f"turns {begin}–{end}"
        say(f"[dim]— {turns}: the same in both —[/]")
    apart = differs.turns[len(same) :]
    if parts is not None:
        (_print_beside if is_wide() else _print_below)(found, apart)
    elif differs.endings[0] == differs.endings[1]:
        say(f"[dim]— the same to the end: {escape(differs.endings[0] or 'neither has ended')} —[/]")
    print_scores(scores_of_diff(found))
    for judge in found.only_second:
        say(f"[dim]Not scored by {escape(judge)}: `troupe score {first.id} --judge {judge}`[/]")


def _print_below(found: EpisodeDiff, turns: Sequence[TurnBeside]) -> None:
    for place, row in enumerate((found.first, found.second)):
        heading(_title(found, place), ", ".join(row.minds))
        lines = NumberedLines()
        for turn in turns:
            for entry in turn.entries[place]:
                lines.print(entry.number, with_why(entry))
        say(f"[dim]— {escape(_ending(found, place))} —[/]")


def _print_beside(found: EpisodeDiff, turns: Sequence[TurnBeside]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 1, 0), expand=True)
    table.add_column(width=4, justify="right", style="dim")
    for _ in range(2):
        table.add_column(ratio=1)
    minds = [", ".join(row.minds) for row in (found.first, found.second)]
    table.add_row(
        "",
        *(
            f"[bold]{escape(_title(found, place))}[/]\n[dim]{escape(minds[place])}[/]"
            for place in (0, 1)
        ),
    )
    for turn in turns:
        style = "dim" if turn.same else ""
        table.add_row(
            str(turn.turn), *(Text("\n".join(_lines(side)), style) for side in turn.entries)
        )
    table.add_row("", *(f"[dim]— {escape(_ending(found, place))} —[/]" for place in (0, 1)))
    say()
    console().print(table)


def _lines(entries: Sequence[Entry]) -> Iterator[str]:
    for entry in entries:
        yield f"#{entry.number}  {harmless(with_why(entry))}"


def _title(found: EpisodeDiff, place: int) -> str:
    row = (found.first, found.second)[place]
    if found.second.parent != found.first.id:
        return row.id
    return f"{('as it was', 'the fork')[place]}: {row.id}"


def _ending(found: EpisodeDiff, place: int) -> str:
    row = (found.first, found.second)[place]
    ending_ = found.differences.endings[place]
    return f"ended after turn {row.turns}: {ending_}" if ending_ else "it goes on"


def print_scores(tables: Sequence[PlainTable]) -> None:
    """Tables of ``score_tables``, each under its title."""
    for table in tables:
        heading(table.title)
        print_plain(table)
    if tables and tables[0].note:
        say(f"[dim]{escape(tables[0].note)}[/]")


def score_tables(
    scores: Sequence[ScoreBeside], first: str, second: str, *, means_alone: bool = False
) -> list[PlainTable]:
    """Scores beside each other, a table for each judge and seat; with means where there are
    repeats, and without the second's own where ``means_alone``."""
    n = max((one.repeats.n for one in scores if one.repeats), default=0)
    alone = means_alone and n > 0
    columns = [PlainColumn("dimension"), PlainColumn(first, "number")]
    columns += [] if alone else [PlainColumn(second, "number")]
    columns += [PlainColumn(f"mean of {n} forks", "figure")] if n else []
    columns += [PlainColumn("difference", "figure")]
    note = "The difference is that of the mean; [ ]: its 95 % interval, each fork for itself."
    return [
        PlainTable(
            name=f"scores-{place}",
            title=f"Scores by {judge}: seat {seat + 1}, {found[0].character}",
            columns=tuple(columns),
            rows=tuple(
                (
                    label(one.dimension),
                    one.values[0],
                    *(() if alone else one.values[1:]),
                    *((_mean(one, n),) if n else ()),
                    _difference(one),
                )
                for one in found
            ),
            note=note if n else "",
        )
        for place, ((judge, seat), found) in enumerate(
            (
                (key, list(rows))
                for key, rows in groupby(scores, key=lambda score: (score.judge, score.seat))
            ),
            start=1,
        )
    ]


def scores_of_diff(found: EpisodeDiff) -> list[PlainTable]:
    """The tables of two episodes' scores."""
    first, second = found.first, found.second
    names = ("parent", "fork") if second.parent == first.id else (first.id, second.id)
    return score_tables(found.scores, *names)


def scores_of_forks(forked: ForkFamily) -> list[PlainTable]:
    """The tables of a parent's scores and its forks'."""
    return score_tables(forked.scores, "parent", "fork", means_alone=True)


def _mean(one: ScoreBeside, n: int) -> Figure | None:
    mean = one.repeats
    if mean is None:
        return None
    interval = "" if mean.low is None else f" [{mean.low:.2f}, {mean.high:.2f}]"
    text = f"{mean.value:.2f}{interval}" + (f" (n = {mean.n})" if mean.n < n else "")
    return Figure(value=mean.value, low=mean.low, high=mean.high, n=mean.n, text=text)


def _difference(one: ScoreBeside) -> Figure | None:
    was, became = one.values[0], one.repeats.value if one.repeats else one.values[1]
    if was is None or became is None:
        return None
    return Figure(value=became - was, text=f"{became - was:+.2f}")


def ending(row: EpisodeRow) -> str:
    """How an episode stands, in words."""
    if row.status != "ended":
        return f"{row.status}: {row.end_reason}" if row.end_reason else row.status
    return environment_named(row.environment).ending(row.end_reason)
