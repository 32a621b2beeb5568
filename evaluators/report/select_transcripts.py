"""Which transcripts of a long run its report shows: what went wrong, the extremes, and a sample."""

import random
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from evaluators.report.data.headlines import headlines
from evaluators.report.data.run_data import RunData
from evaluators.report.sections.outliers import farthest
from store.read_model.records import EpisodeRow

TRANSCRIPTS = 50
"""Shown where nobody asks for more: a page that opens at once, and that somebody may read."""
TURNS = 40
"""An episode counts as one transcript for each so many turns: days of a town are as long as dozens
of talks."""

WENT_WRONG, OUTLIER, LOWEST, HIGHEST, DRAWN = (
    "something went wrong",
    "an outlier",
    "among the lowest",
    "among the highest",
    "drawn",
)
"""Why an episode was chosen."""


def choose(gathered: RunData, most: int) -> dict[str, str]:
    """The episodes to show, by id, and why, in the plan's order; all, without a reason, where there
    are no more than ``most``. Long ones count as several, one is always shown.

    A third goes to those that were given up, in which actions failed or whose scores are missing;
    a sixth to outliers, a third to the lowest and the highest; what is left is drawn, by chance
    that depends on the run alone.
    """
    length = {row.id: max(1, -(-row.turns // TURNS)) for row in gathered.episodes}
    if sum(length.values()) <= most:
        return dict.fromkeys(length, "")
    chance = random.Random(gathered.run.id)  # noqa: S311 - the same choice each time
    chosen: dict[str, str] = {}

    def take(ids: Iterable[str], share: int, why: str) -> None:
        room = most - sum(length[id_] for id_ in chosen)
        for id_ in ids:
            if share <= 0 or room <= 0:
                return
            if id_ not in chosen and (length[id_] <= room or not chosen):
                chosen[id_] = why
                share -= length[id_]
                room -= length[id_]

    third = most // 3
    take(_went_wrong(gathered, chance), third, WENT_WRONG)
    take(farthest(gathered, headlines(gathered)), most // 6, OUTLIER)
    ranked = _ranked(gathered)
    take(ranked, third - third // 2, LOWEST)
    take(reversed(ranked), third // 2, HIGHEST)
    begun = [row.id for row in gathered.episodes if row.started_at is not None]
    take(chance.sample(begun, len(begun)), most, DRAWN)
    take((row.id for row in gathered.episodes), most, "")
    return {row.id: chosen[row.id] for row in gathered.episodes if row.id in chosen}


def means(gathered: RunData) -> dict[str, float]:
    """For each episode the mean over its seats of the first headline that there are scores of."""
    for headline in headlines(gathered):
        mine = gathered.columns.of(headline.judge.judged.hash, headline.dimension)
        mine = mine.where(mine.scored)
        if len(mine):
            count = len(mine.episode.names)
            scored = np.bincount(mine.episode.codes, minlength=count)
            sums = np.bincount(mine.episode.codes, weights=mine.value, minlength=count)
            there = np.nonzero(scored)[0]
            return {mine.episode.names[at]: float(sums[at] / scored[at]) for at in there}
    return {}


def _went_wrong(gathered: RunData, chance: random.Random) -> Iterator[str]:
    """The rarest first, and of each kind in an order by chance."""
    columns = gathered.columns
    missing = set(columns.where(~columns.scored).episode.there())
    kinds: Sequence[list[EpisodeRow]] = (
        [row for row in gathered.episodes if row.status == "failed"],
        [row for row in gathered.episodes if row.failed_actions],
        [row for row in gathered.episodes if row.id in missing],
    )
    for rows in sorted(kinds, key=len):
        yield from (row.id for row in chance.sample(rows, len(rows)))


def _ranked(gathered: RunData) -> list[str]:
    """Episodes in which no action failed, the lowest first."""
    clean = {row.id for row in gathered.episodes if not row.failed_actions}
    found = means(gathered)
    return sorted(clean & found.keys(), key=lambda id_: (found[id_], id_))
