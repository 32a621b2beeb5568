"""The scales that a report draws its dimensions on, and dimensions in which all got the same."""

from math import isfinite

import numpy as np

from evaluators.plugin import OVERALL
from evaluators.report.data.run_data import RunData
from evaluators.report.formats import figure, percent
from evaluators.scores.dimensions import is_checkpoint, overall_of
from evaluators.scores.scales import Scale


def scale_of(gathered: RunData, name: str) -> Scale:
    """The scale of a dimension: the widest that any judge declares; of one that none does so that
    it can be drawn, as an import may bring it, that of its scores."""
    if name == OVERALL and (overall := overall_of(gathered.dimensions)):
        return Scale(overall.low, overall.high)
    found = [
        one
        for judge in gathered.judges
        for one in judge.spec.dimensions
        if one.name == name and isfinite(one.high - one.low) and one.low < one.high
    ]
    if not found:
        values = gathered.columns.where(gathered.columns.dimension.among(name)).value
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
        return Scale(low, high if low < high else low + 1)
    return Scale(min(d.low for d in found), max(d.high for d in found))


def constant(gathered: RunData, name: str, judge: str = "") -> float | None:
    """What everybody got in a dimension, by every judge or by one (its hash), where all got the
    same: a chart of it would be empty. None: scores differ, or there is none."""
    columns = gathered.columns
    mask = columns.dimension.among(name) & columns.scored
    if judge:
        mask &= columns.judge.among(judge)
    values = columns.value[mask]
    return float(values[0]) if len(values) and not np.ptp(values) else None


def level(name: str, value: float) -> str:
    """How the one value is written that all got in a dimension."""
    return percent(value) if is_checkpoint(name, (value,)) else figure(value, 0)
