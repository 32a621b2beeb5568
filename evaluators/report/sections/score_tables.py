"""The tables and charts of a report, ready for its templates."""

from collections.abc import Sequence
from itertools import combinations

from evaluators.agreement.judge_agreement import Agreement, compare, paired
from evaluators.plugin import OVERALL
from evaluators.registry import judging_of
from evaluators.report.charts import score_charts
from evaluators.report.charts.svg_charts import SHORT_SCALE, Chart
from evaluators.report.data import downloads
from evaluators.report.data.headlines import dimensions_of
from evaluators.report.data.run_data import JudgeUsed, RunData, rehearsal_of
from evaluators.report.data.score_scales import constant, level, scale_of
from evaluators.report.formats import figure, whole
from evaluators.scores.dimensions import is_checkpoint, label, overall_of
from evaluators.scores.scales import Scale
from evaluators.statistics import summary
from evaluators.statistics.clusters import usual
from evaluators.statistics.populations import POPULATIONS
from evaluators.statistics.summary import MindRow
from evaluators.tables.agreement_tables import agreement_tables
from evaluators.tables.score_tables import scores_table

MOST_COMPARISONS = 6
"""Pairs of judges compared in one report: more would bury the rest (``troupe compare`` has all)."""


def scores(gathered: RunData) -> dict[str, object]:
    """What ``scores.html.j2`` needs."""
    judges = [judge for judge in gathered.judges if _scored(gathered, judge)]
    rows = {
        judge.judged.hash: summary.by_mind(
            gathered.columns, judge.judged.hash, dimensions_of(gathered, judge)
        )
        for judge in judges
    }
    overall = overall_of(gathered.dimensions) if OVERALL in gathered.dimensions else None
    built_in = judging_of(gathered.planned.plan.environment).judges
    return {
        "overall": overall,
        "population": POPULATIONS[usual(gathered.columns)],
        "episodes_scored": gathered.columns.episode.different,
        "clean": gathered.columns.episode[gathered.columns.clean].different,
        "suggested": built_in[0].name if built_in else "JUDGE.toml",
        "judges": judges,
        "tables": [_table(gathered, judge, rows[judge.judged.hash]) for judge in judges],
        "flat": _flat(gathered),
        "mean_panels": _mean_panels(gathered, judges, rows),
        "distribution_panels": _distribution_panels(gathered, judges),
    }


def comparisons(gathered: RunData) -> list[dict[str, object]]:
    """Each two judges beside each other, as ``scores.html.j2`` shows them: what takes longest."""
    judges = [judge for judge in gathered.judges if _scored(gathered, judge)]
    return [
        _comparison(gathered, a, b, place, in_full=len(judges) == 2)
        for place, (a, b) in enumerate(combinations(judges, 2))
        if place < MOST_COMPARISONS
    ]


def _scored(gathered: RunData, judge: JudgeUsed) -> bool:
    """Whether it has scored something that tables show."""
    return bool(dimensions_of(gathered, judge)) and bool(
        gathered.columns.judge.among(judge.judged.hash).any()
    )


def _table(gathered: RunData, judge: JudgeUsed, rows: Sequence[MindRow]) -> dict[str, object]:
    names = dimensions_of(gathered, judge)
    return {
        "judge": judge,
        "dimensions": names,
        "ranges": {name: _range_text(gathered, name) for name in names},
        "digits": {name: _digits(scale_of(gathered, name)) for name in names},
        "rows": rows,
        "seats": {row.label: _seats(row) for row in rows},
        "taken": downloads.taken(scores_table(judge.judged, names, rows, usual(gathered.columns))),
    }


def _seats(row: MindRow) -> str:
    """How many seats it played, in episodes in which no action failed, and in all."""
    clean, over_all = row.seats
    return f"{whole(clean)}, all: {whole(over_all)}" if over_all else whole(clean)


def _mean_panels(
    gathered: RunData, judges: Sequence[JudgeUsed], rows: dict[str, list[MindRow]]
) -> list[dict[str, object]]:
    panels = []
    for place, name in enumerate(gathered.dimensions):
        if constant(gathered, name) is not None:
            continue
        by_mind: dict[str, list[score_charts.Lane]] = {}
        for judge in judges:
            for row in rows[judge.judged.hash]:
                lanes = by_mind.setdefault(row.label, [])
                if (cell := row.cells.get(name)) is not None:
                    lanes.append(score_charts.Lane(gathered.judges.index(judge), cell))
        shown = [(mind, lanes) for mind, lanes in sorted(by_mind.items()) if lanes]
        title, scale = label(name), scale_of(gathered, name)
        svg = Chart(f"means{place}", f"{title} by mind", score_charts.means, scale, shown)
        panels.append({"label": title, "dimension": name, "svg": svg})
    return panels


def _distribution_panels(gathered: RunData, judges: Sequence[JudgeUsed]) -> list[dict[str, object]]:
    panels = []
    for place, name in enumerate(gathered.dimensions):
        if constant(gathered, name) is not None:
            continue
        series = [
            score_charts.Series(
                judge.judged.label,
                summary.distribution(gathered.columns, judge.judged.hash, name),
                gathered.judges.index(judge),
            )
            for judge in judges
            if name in dimensions_of(gathered, judge)
        ]
        title, scale = label(name), scale_of(gathered, name)
        svg = Chart(
            f"spread{place}", f"Distribution of {title}", score_charts.histogram, scale, series
        )
        panels.append({"label": title, "dimension": name, "svg": svg})
    return panels


def _flat(gathered: RunData) -> list[tuple[str, str]]:
    """Dimensions that are the same for everybody, and what it is."""
    found = []
    for name in gathered.dimensions:
        value = constant(gathered, name)
        if value is not None:
            found.append((label(name), level(name, value)))
    return found


def _comparison(
    gathered: RunData, a: JudgeUsed, b: JudgeUsed, place: int, *, in_full: bool
) -> dict[str, object]:
    """Two judges; a chart for each dimension, or for the overall score alone."""
    found = compare(gathered.columns, a.judged.hash, b.judged.hash)
    names = (a.judged.label, b.judged.label)
    rehearsed = [judge.judged.label for judge in rehearsal_of((a, b))]
    panels = []
    for number, row in enumerate(found.dimensions):
        if not row.pairs or not (in_full or row.dimension == OVERALL):
            continue
        if row.kappa is not None:
            continue  # Four dots tell less than the table.
        svg = Chart(
            f"agree{place}x{number}",
            f"{label(row.dimension)}: {names[0]} against {names[1]}",
            score_charts.scatter,
            scale_of(gathered, row.dimension),
            paired(gathered.columns, a.judged.hash, b.judged.hash, row.dimension),
            names,
        )
        panels.append({"label": _with_correlation(row), "svg": svg})
    rows = [
        (named, row)
        for clean in found.dimensions
        for named, row in (
            (label(clean.dimension), clean),
            (f"{label(clean.dimension)}, all episodes", clean.over_all),
        )
        if row is not None
    ]
    return {
        "population": POPULATIONS[found.population],
        "a": names[0],
        "b": names[1],
        "scales": [row for row in rows if row[1].kappa is None],
        "checkpoints": [row for row in rows if row[1].kappa is not None],
        "only": [(names[0], found.only_a), (names[1], found.only_b)],
        "panels": panels,
        "taken": list(map(downloads.taken, agreement_tables(found))),
        "rehearsal": f"{' and '.join(rehearsed)}: no language model" if rehearsed else "",
    }


def _with_correlation(row: Agreement) -> str:
    title = label(row.dimension)
    value = row.pearson.value
    return title if value is None else f"{title}, r = {figure(value, 2)}"


def _digits(scale: Scale) -> int:
    """After the point, in means."""
    return 2 if scale.high - scale.low < SHORT_SCALE else 1


def _range_text(gathered: RunData, name: str) -> str:
    scale = scale_of(gathered, name)
    if name == OVERALL and (overall := overall_of(gathered.dimensions)):
        return overall.short
    if is_checkpoint(name, (scale.low, scale.high)):
        return "share passed"
    return f"{figure(scale.low, 0)} … {figure(scale.high, 0)}"
