"""Paired differences between minds in a report: one table and one chart for each judge."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from evaluators.dimensions import label
from evaluators.pairing import PairedDifference, paired_differences
from evaluators.report import drawing, taking
from evaluators.report.drawing import CARD, GRID, INK, MUTED, Range
from evaluators.report.gather import Gathered
from evaluators.report.headlines import Headline

CLEAR = 0.05
"""A difference whose corrected p is below is drawn filled."""
MOST_CHARTS = 6
"""Pairs of minds that are drawn; the table has all."""


def paired(gathered: Gathered, shown: Sequence[Headline]) -> list[dict[str, Any]]:
    """For each judge what each two minds differ by where they met the same task and seed; nothing
    where only one mind played."""
    found = []
    for headline in shown:
        rows = paired_differences(gathered.columns, "mind", judge=headline.judge.judged.hash)
        if rows:
            note = "95 % intervals and Student's t over " + rows[0].population
            found.append(
                {
                    "headline": headline,
                    "rows": rows,
                    "charts": _charts(headline, rows),
                    "fell_back": any(row.fell_back for row in rows),
                    "population": rows[0].population,
                    "taken": taking.taken(taking.paired(headline.judge, rows, note)),
                }
            )
    return found


def _charts(headline: Headline, rows: Sequence[PairedDifference]) -> list[dict[str, Any]]:
    by_pair: dict[tuple[str, str, str], list[PairedDifference]] = {}
    for row in rows:
        if row.contrast.difference.low is not None:
            sides = (row.of, row.contrast.a.label, row.contrast.b.label)
            by_pair.setdefault(sides, []).append(row)
    charts = []
    for place, ((of, a, b), mine) in enumerate(list(by_pair.items())[:MOST_CHARTS]):
        title = f"{a} − {b}" + (f", {of}" if of else "")
        svg = _forest(f"paired{headline.place}x{place}", f"{headline.title}: {title}", mine)
        charts.append({"title": title, "svg": svg})
    return charts


def _forest(name: str, title: str, rows: Sequence[PairedDifference]) -> Markup:
    """A row a dimension: the difference in points with its interval, about a line at none."""
    figure, (axes,) = drawing.new_figure(0.55 + 0.25 * len(rows), 4.1)
    reach = 0.0
    told = []
    for at, row in enumerate(rows):
        found = row.contrast.difference
        low, high = found.low or 0.0, found.high or 0.0
        reach = max(reach, abs(low), abs(high))
        clear = row.contrast.p_holm is not None and row.contrast.p_holm < CLEAR
        axes.hlines(at, low, high, color=INK, linewidth=1.8, alpha=0.55)
        axes.plot(
            [found.value],
            [at],
            "o",
            color=INK,
            markersize=5.5,
            markerfacecolor=INK if clear else CARD,
        )
        told.append(f"{label(row.dimension)} {found.value:.2f}" + (", clear" if clear else ""))
    axes.axvline(0, color=MUTED, linewidth=1)
    axes.set_yticks(range(len(rows)), [drawing.short(label(row.dimension), 32) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    drawing.along_x(axes, Range(-reach * 1.05 or -1, reach * 1.05 or 1), 5)
    axes.grid(axis="x", color=GRID, linewidth=0.7)
    return drawing.svg(figure, name, title, "Differences. " + "; ".join(told))
