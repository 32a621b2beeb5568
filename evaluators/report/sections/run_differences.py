"""What differs between the runs of a report of several."""

from collections.abc import Sequence
from functools import partial

from evaluators.report.charts.difference_charts import differences, labelled
from evaluators.report.charts.svg_charts import Chart
from evaluators.report.data import downloads
from evaluators.report.data.combined_runs import letters_of
from evaluators.report.data.headlines import Headline
from evaluators.scores.score_columns import read_columns
from evaluators.statistics.run_differences import BetweenRuns, between_runs
from evaluators.tables.pairing_tables import difference_notes, difference_table
from store.log.event_store import EventStore


def between(store: EventStore, runs: Sequence[str], shown: Sequence[Headline]) -> dict[str, object]:
    """What ``between.html.j2`` needs; ``between`` is empty where there is one run. ``runs``: ids in
    full, the earlier first."""
    if len(runs) < 2:
        return {"between": [], "letters": {}}
    columns = read_columns(store, *runs)
    letters = letters_of(runs)
    parts = []
    for headline in shown:
        judge = headline.judge.judged
        tables = [
            _table(one, place, headline.place, letters)
            for place, one in enumerate(between_runs(columns, judges=[judge]))
        ]
        if tables:
            parts.append({"headline": headline, "tables": tables})
    return {"between": parts, "letters": letters}


def _table(one: BetweenRuns, place: int, judge: int, letters: dict[str, str]) -> dict[str, object]:
    rows = [
        {
            "row": row,
            "change": f"{letters[row.contrast.b.label]} → {letters[row.contrast.a.label]}",
        }
        for row in one.differences
    ]
    name = f"between{judge}x{place}"
    drawn = [(labelled(row, sides=False), row) for row in one.differences]
    title = {"dimension": "By dimension", "mind": "By mind", "task": "By task"}[one.by]
    return {
        "by": one.by,
        "title": title,
        "rows": rows,
        "notes": difference_notes(one.differences),
        "other_minds": one.other_minds and one.by == "dimension",
        "unclean": one.unclean,
        "svg": Chart(
            name, f"{title}, {one.judge.label}", partial(differences, axis="change"), drawn
        )
        if len(letters) == 2
        else None,
        "taken": downloads.taken(difference_table(one.differences, name, one.title)),
    }
