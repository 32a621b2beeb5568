"""The chains of a run in its report: curves, slopes, and what was remembered."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from actors.lifelong.formats import Baseline
from evaluators.registry import judging_of
from evaluators.report.charts import curve_charts
from evaluators.report.charts.svg_charts import Chart
from evaluators.report.data import downloads
from evaluators.report.data.run_data import RunData
from evaluators.report.data.score_scales import constant, level, scale_of
from evaluators.scores.dimensions import label
from evaluators.scores.seat_scores import Judged
from evaluators.statistics import chain_curves
from evaluators.statistics.chain_curves import DimensionCurves
from evaluators.tables.curve_tables import slopes_table
from evaluators.tables.run_tables import chains_table


def chains(gathered: RunData, people: Sequence[Baseline] = ()) -> dict[str, object]:
    """What ``chains.html.j2`` needs; ``chain_panels`` is empty where the run has no chains.

    ``people``: what people got, drawn beside.
    """
    judged: list[Judged] = [judge.judged for judge in gathered.judges]
    memories = gathered.planned.plan.memories
    found = [
        figure
        for by in ("memory", *chain_curves.ablations(memories))
        for figure in chain_curves.of_columns(
            gathered.columns, judges=judged, baselines=people, memories=memories, by=by
        )
    ]
    memories_kept = _memories(gathered)
    return {
        "chains": gathered.chains,
        "chains_taken": downloads.taken(chains_table(gathered.chains)),
        "memories": memories_kept,
        "memories_taken": downloads.taken(downloads.memories(memories_kept)),
        "chain_panels": [_panel(gathered, one, place) for place, one in enumerate(found)],
    }


def _panel(gathered: RunData, one: DimensionCurves, place: int) -> dict[str, object]:
    scale = scale_of(gathered, one.dimension)
    first = judging_of(gathered.planned.plan.environment).first
    minds = [mind.spec.name for mind in gathered.minds]
    flat = constant(gathered, one.dimension, one.judge.hash)
    curves = [
        {
            "label": curve.label,
            "slope": curve.slope,
            "mind": look.mind % 6 + 1 if look.mind >= 0 else 0,
            "memory": look.memory % 4,
            **_counts(curve.places),
        }
        for curve, look in zip(one.curves, curve_charts.looks(one.curves, minds), strict=True)
    ]
    draw = partial(curve_charts.curve, minds=minds)
    svg = None if flat is not None else Chart(f"curve{place}", one.title, draw, scale, one.curves)
    return {
        "title": one.title,
        "name": label(one.dimension),
        "first": not first or one.dimension in first,
        "unclean": one.unclean,
        "flat": "" if flat is None else level(one.dimension, flat),
        "svg": svg,
        "curves": curves,
        "taken": downloads.taken(slopes_table(one)),
    }


def _counts(places: Sequence[Any]) -> dict[str, int]:
    return {
        "scored": sum(place.scored for place in places),
        "asked": sum(place.asked for place in places),
    }


def _memories(gathered: RunData) -> list[dict[str, object]]:
    """For each memory module, what its notes came to."""
    rows = []
    modules = {chain.memory: chain.module for chain in gathered.chains}
    of = {chain.id: chain.memory for chain in gathered.chains}
    for name, module in sorted(modules.items()):
        mine = [row for row in gathered.memories if of.get(row.chain) == name]
        written = [row for row in mine if row.words]
        costs = [row.cost_usd for row in mine if row.cost_usd is not None]
        rows.append(
            {
                "name": name,
                "module": module,
                "notes": len(written),
                "words": sum(row.words for row in written) / len(written) if written else None,
                "out_of_bounds": sum(not row.within_bounds for row in mine),
                "most_tokens": max((row.recalled_tokens for row in mine), default=0),
                "dropped": sum(len(row.dropped) for row in mine),
                "usd": sum(costs) if costs else None,
            }
        )
    return rows
