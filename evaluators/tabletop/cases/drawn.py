"""Which sessions a case study reads: some of those in which little was learned."""

import random
from collections.abc import Mapping
from typing import NamedTuple

from evaluators.scores.score_columns import ScoreColumns
from evaluators.tabletop.plugin import LEARNED
from store.read_model.score_arrays import FAILED, SCORED


class CaseDrawn(NamedTuple):
    """A session that is read."""

    episode: str
    p: float
    """The mean of p over its players, from 0 to 1."""


def precisions(columns: ScoreColumns) -> Mapping[str, float]:
    """p of each session that one judge scored: the mean over its players, from 0 to 1. A session
    of which a score failed is left out: what is missing could be anything."""
    learned = columns.where(columns.dimension.among(LEARNED.name))
    found: dict[str, list[float]] = {}
    failed = set()
    for episode, status, value in zip(
        learned.episode.words(), learned.status.tolist(), learned.value.tolist(), strict=True
    ):
        if status == SCORED:
            found.setdefault(episode, []).append(value)
        elif status == FAILED:
            failed.add(episode)
    return {id_: sum(some) / len(some) for id_, some in found.items() if id_ not in failed}


def drawn(p: Mapping[str, float], below: float, take: int, seed: int) -> list[CaseDrawn]:
    """At most ``take`` sessions whose p is less than ``below``, in the order in which they are
    given; the same seed, the same ones."""
    low = [CaseDrawn(episode, value) for episode, value in p.items() if value < below]
    if len(low) <= take:
        return low
    chosen = random.Random(seed).sample(range(len(low)), take)  # noqa: S311
    return [low[place] for place in sorted(chosen)]
