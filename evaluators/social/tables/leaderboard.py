"""The line of a model on SOTOPIA's leaderboard: its mean in each dimension beside one partner.

The margin is the one of the published code (``sotopia benchmark``): variances are taken within a
setting, a scenario and a seat in it, and averaged, so that scenarios which are harder than others
do not widen it. A setting with one score has the variance 0. So it is no interval over scenarios.
"""

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from actors.text.amounts import many
from evaluators.plugin import OVERALL
from evaluators.scores.distinct_numbers import distinct
from evaluators.social.sotopia_eval import BY_NAME
from evaluators.social.tables.notes import missing_words, note_of, short
from evaluators.social.tables.seat_table import SeatTable
from evaluators.statistics import student_t
from evaluators.tables.plain_tables import (
    DisplayValue,
    Figure,
    PlainColumn,
    PlainTable,
    file_name,
    table_of,
)
from events.base import Value

CONFIDENCE = 0.95


class Average(Value, frozen=True, kw_only=True):
    """The mean of some scores, and the margin of the published code."""

    value: float
    margin: float | None
    """Half the width of the 95 % interval; None: there is one score."""
    scored: int
    settings: int
    """Scenarios and seats."""


class LeaderboardRow(Value, frozen=True, kw_only=True):
    model: str
    partner: str
    seats: int
    averages: Mapping[str, Average]
    """By dimension; one without a score is not in it."""
    failed: Mapping[str, int]
    """By dimension, scores that are missing because the judge failed."""


def average(values: ArrayLike, settings: NDArray[np.int64]) -> Average | None:
    """The mean of some scores, each of a setting; None where there is none."""
    scores = np.asarray(values, dtype=float)
    if not len(scores):
        return None
    keys, of = distinct(settings)
    counts = np.bincount(of)
    off = scores - (np.bincount(of, weights=scores) / counts)[of]
    squares = np.bincount(of, weights=off**2)
    within = float(np.mean(squares / np.maximum(counts - 1, 1)))
    n = len(scores)
    reach = float(student_t.reach(CONFIDENCE, n - 1)) if n > 1 else None
    margin = None if reach is None else reach * sqrt(within / n)
    return Average(value=float(scores.mean()), margin=margin, scored=n, settings=len(keys))


def leaderboard_row(seats: SeatTable, model: str, partner: str) -> LeaderboardRow:
    """The line of a model: its seats beside ``partner``."""
    mine = seats.where(seats.mind.among(model) & seats.partner.among(partner))
    settings = mine.scenario.codes.astype(np.int64) * 2 + mine.seat
    averages, failed = {}, {}
    for place, dimension in enumerate(mine.dimensions):
        values = mine.values[:, place]
        there = ~np.isnan(values)
        found = average(values[there], settings[there])
        if found is not None:
            averages[dimension] = found
        failed[dimension] = int(np.count_nonzero(mine.failed[:, place]))
    return LeaderboardRow(
        model=model, partner=partner, seats=len(mine), averages=averages, failed=failed
    )


def leaderboard_line(row: LeaderboardRow) -> dict[str, str | float]:
    """What the published leaderboard reads, with its keys: ``SOC [-10, 0]``."""
    return {"model_name": row.model} | {
        f"{short(name)} [{BY_NAME[name].low:g}, {BY_NAME[name].high:g}]": found.value
        for name, found in row.averages.items()
        if name != OVERALL
    }


def leaderboard_file(partner: str) -> str:
    """The name of the file for a partner, as published: ``models_vs_gpt-4o.jsonl``."""
    return f"{file_name('models_vs_' + partner.rsplit('/', 1)[-1])}.jsonl"


def leaderboard_table(rows: Sequence[LeaderboardRow], task: str, judge: str) -> PlainTable:
    """A row a model, dimensions across. ``task``: what was played."""
    cells = [(row, name) for row in rows for name in row.averages]
    return table_of(
        file_name(f"benchmark {task} {judge}"),
        f"Benchmark, tasks: {task}, judged by {judge}",
        cells,
        (PlainColumn("model"), lambda at: at[0].model),
        (PlainColumn("partner", only_csv=len({row.partner for row in rows}) < 2), _partner),
        (PlainColumn("seats", "number"), lambda at: at[0].seats),
        (PlainColumn("dimension"), lambda at: DisplayValue(at[1], short(at[1]))),
        (PlainColumn("settings", "number", only_csv=True), lambda at: _average(at).settings),
        (PlainColumn("missing", "number", only_csv=True), lambda at: at[0].failed[at[1]]),
        (PlainColumn("mean", "figure"), _figure),
        across=("dimension",),
        note=note_of(
            f"Beside {', '.join(dict.fromkeys(row.partner for row in rows))}: mean ± t(0.975, n−1)"
            "·√(v/n), v the mean of the variances within a setting (a scenario and a seat), n "
            "scores: the margin of the published code. Of other scenarios it says nothing.",
            *(
                f"{row.model}: {many(found.settings, 'setting')}."
                for row in rows
                if (found := next(iter(row.averages.values()), None))
            ),
        ),
    )


def _partner(at: tuple[LeaderboardRow, str]) -> str:
    return at[0].partner


def _average(at: tuple[LeaderboardRow, str]) -> Average:
    row, name = at
    return row.averages[name]


def _figure(at: tuple[LeaderboardRow, str]) -> Figure:
    row, name = at
    found = row.averages[name]
    text = f"{found.value:.2f}"
    if found.margin is not None:
        text += f"\n±{found.margin:.2f}"
    beside = missing_words(row.failed[name])
    reach = found.margin
    return Figure(
        value=found.value,
        low=None if reach is None else found.value - reach,
        high=None if reach is None else found.value + reach,
        n=found.scored,
        text="\n".join(filter(None, (text, beside))),
    )
