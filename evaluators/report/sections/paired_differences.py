"""Paired differences between minds in a report: one table and one chart for each judge."""

from collections.abc import Sequence
from functools import partial

from evaluators.report.charts import difference_charts
from evaluators.report.charts.svg_charts import Chart
from evaluators.report.data import downloads
from evaluators.report.data.headlines import Headline
from evaluators.report.data.run_data import RunData
from evaluators.scores.dimensions import label
from evaluators.statistics.paired_differences import PairedDifference, paired_differences
from evaluators.tables.pairing_tables import difference_table

MOST_CHARTS = 6
"""Pairs of minds that are drawn; the table has all."""


def paired(gathered: RunData, shown: Sequence[Headline]) -> list[dict[str, object]]:
    """For each judge what each two minds differ by where they met the same task and seed; nothing
    where only one mind played."""
    found = []
    for headline in shown:
        rows = paired_differences(gathered.columns, "mind", judge=headline.judge.judged.hash)
        if rows:
            judge = headline.judge.judged.label
            title = f"Paired differences between minds, judged by {judge}"
            plain = difference_table(rows, downloads.file_name("paired", judge), title)
            found.append(
                {
                    "headline": headline,
                    "rows": rows,
                    "charts": _charts(headline, rows),
                    "fell_back": any(row.fell_back for row in rows),
                    "population": rows[0].population,
                    "taken": downloads.taken(plain),
                }
            )
    return found


def _charts(headline: Headline, rows: Sequence[PairedDifference]) -> list[dict[str, object]]:
    by_pair: dict[tuple[str, str, str], list[PairedDifference]] = {}
    for row in rows:
        if row.contrast.difference.low is not None:
            sides = (row.of, row.contrast.a.label, row.contrast.b.label)
            by_pair.setdefault(sides, []).append(row)
    charts = []
    for place, ((of, a, b), mine) in enumerate(list(by_pair.items())[:MOST_CHARTS]):
        title = f"{a} − {b}" + (f", {of}" if of else "")
        lines = [(label(row.dimension), row) for row in mine]
        name = f"paired{headline.place}x{place}"
        judge = headline.judge.judged.label
        draw = partial(difference_charts.differences, width=4.1)
        charts.append({"title": title, "svg": Chart(name, f"{title}, {judge}", draw, lines)})
    return charts
