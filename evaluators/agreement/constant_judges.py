"""Detects judges that do not discriminate: models that give the same value everywhere."""

from collections.abc import Container
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluators.plugin import OVERALL
from evaluators.scores.dimensions import worked_out
from evaluators.scores.distinct_numbers import distinct
from evaluators.scores.score_columns import ScoreColumns
from evaluators.statistics.cluster_means import Floats

LEAST_SCORES: Final = 10
"""Of fewer, that they are alike may be chance."""


def flat_judges(columns: ScoreColumns, among: Container[str] = ()) -> dict[str, str]:
    """By hash, of the judges that are language models those that gave one value everywhere, or in
    each dimension one value to every seat, each with a sentence that says so.

    ``among``: their hashes; none: all. Scores that are worked out are left out.
    """
    given = columns.scored & ~columns.dimension.among(OVERALL, *worked_out())
    found = {}
    for judge in columns.judges:
        if columns.kinds.get(judge.hash) != "model" or (among and judge.hash not in among):
            continue
        # Two columns of all: the others, copied, would be most of the memory that a table takes.
        mine = np.flatnonzero(given & columns.judge.among(judge.hash))
        if why := _flat(columns.value[mine], columns.dimension.codes[mine]):
            found[judge.hash] = (
                f"Judge {judge.label} {why}: it tells nothing apart, so its means say nothing of "
                "those that it judged."
            )
    return found


def _flat(values: Floats, dimensions: NDArray[np.int32]) -> str:
    """How the scores of one judge are all alike; empty where they are not."""
    count = len(values)
    if not count:
        return ""
    # Each is compared with the first, of all and of its dimension: sorting takes far longer.
    if count >= LEAST_SCORES and (values == values[0]).all():
        return f"gave {values[0]:g} in all of its {count:,} scores"
    _, of = distinct(dimensions)
    seats = np.bincount(of)
    first = np.empty(len(seats))
    first[of[::-1]] = values[::-1]
    if (values == first[of]).all() and seats.min() >= LEAST_SCORES:
        every = f"gave every seat the same in each of {len(seats)} dimensions"
        return f"{every}, over its {count:,} scores"
    return ""
