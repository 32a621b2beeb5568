"""What differs between runs, as tables in the terminal."""

from evaluators.registry import abbreviation
from evaluators.scores.dimensions import label
from evaluators.statistics.paired_differences import PairedDifference
from evaluators.statistics.run_differences import BetweenRuns
from evaluators.tables.figure_text import p_alone
from evaluators.tables.pairing_tables import difference_notes, difference_table
from evaluators.tables.plain_tables import PlainTable
from gateway.cli.commands.compare.contrasts import without
from gateway.cli.terminal.output import (
    escape,
    heading,
    is_wide,
    numbers,
    print_table,
    say,
)
from gateway.cli.views.run_tables import say_no_finding
from gateway.services.results.compare_runs import RunsCompared

MOST_TASKS = 5
"""Tasks that are shown at either end; CSV and JSON have all."""


def tables_of(shown: RunsCompared) -> list[PlainTable]:
    """All of it as plain tables."""
    return [
        difference_table(one.differences, f"between-{one.by}-{place}", one.title, _more(one))
        for place, one in enumerate(shown.compared)
    ]


def print_between(shown: RunsCompared) -> None:
    """The tables, with who got better and who worse in words."""
    labels = {run: _short(run, shown.runs) for run in shown.runs}
    listed = ", ".join(f"{labels[run]} is {run}" for run in shown.runs)
    say(f"[dim]{escape(listed)}[/]")
    for one in shown.compared:
        heading(one.title)
        rows = _shown(one)
        print_table(
            (
                _WHAT[one.by],
                *(("dimension",) if one.by == "mind" else ()),
                *numbers("mean\nthen", "mean\nnow", "change\n95 %", "p\nHolm", "d", "pairs"),
                "",
            ),
            [_row(one, row, labels, several=len(shown.runs) > 2) for row in rows],
        )
        left = len(one.differences) - len(rows)
        if left:
            say(f"[dim]{left:,} more tasks in between: --by task --format csv lists all.[/]")
        for note in (*difference_notes(one.differences), *_more(one)):
            say(f"[dim]{escape(note)}[/]")
    for text in shown.flat_judges:
        say(f"\n[yellow]{escape(text)}[/]")
    say_no_finding(judges=shown.rehearsal_judges, local_judges=shown.local_judges)


_WHAT = {"dimension": "dimension", "mind": "mind", "task": "task"}


def verdict(one: PairedDifference) -> str:
    """Whether it got better or worse, where Holm's p is under 0.05."""
    p, change = one.contrast.p_holm, one.contrast.difference.value
    if p is None or p >= 0.05 or not change:
        return ""
    return "better" if change > 0 else "worse"


def _shown(one: BetweenRuns) -> list[PairedDifference]:
    rows = list(one.differences)
    if one.by != "task" or len(rows) <= 2 * MOST_TASKS:
        return rows
    return rows[:MOST_TASKS] + rows[-MOST_TASKS:]


def _more(one: BetweenRuns) -> list[str]:
    notes = []
    if one.unclean:
        notes.append(without(one.unclean))
    if one.other_minds and one.by == "dimension":
        notes.append("The runs have other minds: all of one is compared with all of the other.")
    return notes


def _row(
    of: BetweenRuns, one: PairedDifference, labels: dict[str, str], *, several: bool
) -> tuple[object, ...]:

    found = one.contrast
    name = label(one.dimension) if of.by == "dimension" else one.of
    if several:
        name += f"\n{labels[found.b.label]} → {labels[found.a.label]}"
    return (
        name,
        *((abbreviation(one.dimension),) if of.by == "mind" else ()),
        one.of_b,
        one.of_a,
        _change(one),
        f"{p_alone(found.p)}\n{p_alone(found.p_holm)}",
        found.effect,
        str(one.pairs) if one.pairs else f"{found.n} w",
        verdict(one),
    )


def _change(one: PairedDifference) -> str:
    change = one.contrast.difference
    if change.value is None:
        return "–"
    text = f"{change.value:+.2f}"
    if change.low is None or change.high is None:
        return text
    between = " " if is_wide() else "\n"
    return f"{text}{between}[{change.low:.2f}, {change.high:.2f}]"


def _short(run: str, runs: tuple[str, ...]) -> str:
    """The run as tables call it: a letter, in the order given."""
    return chr(ord("A") + runs.index(run)) if len(runs) <= 26 else run
