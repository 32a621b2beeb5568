"""Which scores count as related, by what a table is to speak of."""

import numpy as np

from evaluators.scores.score_columns import ScoreColumns
from evaluators.statistics.cluster_means import Codes
from evaluators.statistics.populations import Population


def usual(columns: ScoreColumns) -> Population:
    """What a table of these scores speaks of where nobody asks for something else."""
    return "chains" if any(columns.chain.there()) else "scenarios"


def clusters_of(columns: ScoreColumns, population: Population) -> Codes:
    """For each score the cluster that it is in. A score of no chain is, where chains are asked for,
    in the cluster of its scenario."""
    if population == "episodes":
        return columns.episode.codes.astype(np.intp)
    scenarios = columns.scenario.codes.astype(np.intp)
    if population == "scenarios":
        return scenarios
    none = columns.chain.among("")
    return np.where(none, len(columns.chain.names) + scenarios, columns.chain.codes)
