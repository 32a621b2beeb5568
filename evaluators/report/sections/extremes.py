"""Where minds scored lowest and where they differ most, by scenario or by task; and the episodes
with the lowest and highest scores."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluators.report.data import downloads
from evaluators.report.data.headlines import Headline
from evaluators.report.data.run_data import RunData
from evaluators.scores.dimensions import label
from evaluators.scores.score_columns import ScoreColumns, Words
from evaluators.statistics.summary import labelled
from evaluators.tables.plain_tables import PlainColumn, PlainTable, table_of

By = Literal["scenario", "task"]
MOST = 5
"""Listed at each end."""


class TaskScores(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario or a task, and what was scored there in episodes in which no action failed."""

    id: str
    title: str
    mean: float
    """Over all seats that were scored there."""
    scored: int
    asked: int
    lowest: tuple[str, float] | None
    """The mind with the lowest mean there; None: fewer than two minds were scored."""
    highest: tuple[str, float] | None

    @property
    def spread(self) -> float | None:
        """How far the minds' means are apart."""
        if self.lowest is None or self.highest is None:
            return None
        return self.highest[1] - self.lowest[1]


class ExtremeEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """An episode at one end of a run."""

    id: str
    title: str
    minds: tuple[str, ...]
    mean: float
    """Over its seats."""
    scored: int
    asked: int


def extremes(gathered: RunData, shown: Sequence[Headline]) -> list[dict[str, object]]:
    """For each judge, by its headline: the hardest places, those in which minds differ most, and
    the lowest and highest episodes."""
    titles: dict[By, dict[str, str]] = {
        "scenario": gathered.scenario_titles,
        "task": {
            row.task: f"{row.scenario}: {', '.join(row.characters)}" if row.characters else row.task
            for row in gathered.episodes
            if row.task
        },
    }
    found = []
    for headline in shown:
        rows = gathered.columns.of(headline.judge.judged.hash, headline.dimension)
        rows = rows.where(rows.clean)
        if not rows.scored.any():
            continue
        parts = []
        for by in ("scenario", "task"):
            places = places_of(rows, by, titles[by])
            if len(places) > 1 and (by == "scenario" or len(places) > rows.scenario.different):
                parts.append(_part(headline, by, places))
        ends = ends_of(gathered, rows)
        found.append(
            {
                "headline": headline,
                "parts": parts,
                "lowest": ends[:MOST],
                "highest": ends[::-1][: min(MOST, max(0, len(ends) - MOST))],
                "episodes": len(ends),
                "taken": downloads.taken(_plain_ends(headline, ends)),
            }
        )
    return found


def places_of(rows: ScoreColumns, by: By, titles: Mapping[str, str]) -> list[TaskScores]:
    """Scenarios or tasks with a score, the hardest first. ``rows``: of one judge and dimension."""
    words: Words = rows.scenario if by == "scenario" else rows.task
    asked = np.bincount(words.codes, minlength=len(words.names))
    scored, sums = _sums(rows, words.codes, len(words.names))
    minds = len(rows.mind.names) * len(rows.memory.names)
    who = rows.mind.codes.astype(np.int64) * len(rows.memory.names) + rows.memory.codes
    of_minds, sums_of_minds = _sums(rows, words.codes * minds + who, len(words.names) * minds)
    found = []
    for place in np.nonzero(scored)[0].tolist():
        id_ = words.names[place]
        if not id_:
            continue
        means = []
        for at in range(place * minds, (place + 1) * minds):
            if of_minds[at]:
                mind, memory = divmod(at % minds, len(rows.memory.names))
                name = labelled(rows.mind.names[mind], rows.memory.names[memory])
                means.append((name, float(sums_of_minds[at] / of_minds[at])))
        means.sort(key=lambda one: (one[1], one[0]))
        found.append(
            TaskScores(
                id=id_,
                title=titles.get(id_, id_),
                mean=float(sums[place] / scored[place]),
                scored=int(scored[place]),
                asked=int(asked[place]),
                lowest=means[0] if len(means) > 1 else None,
                highest=means[-1] if len(means) > 1 else None,
            )
        )
    return sorted(found, key=lambda one: (one.mean, one.id))


def ends_of(gathered: RunData, rows: ScoreColumns) -> list[ExtremeEpisode]:
    """The episodes with a score, the lowest first. ``rows``: of one judge and dimension."""
    names = rows.episode.names
    asked = np.bincount(rows.episode.codes, minlength=len(names))
    scored, sums = _sums(rows, rows.episode.codes, len(names))
    known = {row.id: row for row in gathered.episodes}
    found = [
        ExtremeEpisode(
            id=row.id,
            title=row.scenario or row.task or row.id,
            minds=row.minds,
            mean=float(sums[at] / scored[at]),
            scored=int(scored[at]),
            asked=int(asked[at]),
        )
        for at in np.nonzero(scored)[0].tolist()
        if (row := known.get(names[at])) is not None
    ]
    return sorted(found, key=lambda one: (one.mean, one.id))


def _sums(
    rows: ScoreColumns, groups: NDArray[Any], count: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Of each group how many are scored, and their sum."""
    mine = groups[rows.scored]
    values = rows.value[rows.scored]
    sums = np.bincount(mine, values, minlength=count).astype(np.float64)
    return np.bincount(mine, minlength=count), sums


def _part(headline: Headline, by: By, places: Sequence[TaskScores]) -> dict[str, object]:
    differing = [one for one in places if one.spread]
    return {
        "by": by,
        "count": len(places),
        "hardest": list(places[:MOST]),
        "widest": sorted(differing, key=lambda one: (-(one.spread or 0), one.id))[:MOST],
        "taken": downloads.taken(_plain(headline, by, places)),
    }


def _plain(headline: Headline, by: By, places: Sequence[TaskScores]) -> PlainTable:
    judge = headline.judge.judged.label
    name = label(headline.dimension)
    return table_of(
        downloads.file_name(f"{by}s-by-difficulty", headline.dimension, judge),
        f"{name} by {by}, the hardest first, judged by {judge}",
        places,
        (PlainColumn(by.capitalize(), "id"), lambda one: one.id),
        (PlainColumn("Title"), lambda one: one.title),
        (PlainColumn(name, "number"), lambda one: one.mean),
        (PlainColumn("Scored", "number"), lambda one: one.scored),
        (PlainColumn("Asked", "number"), lambda one: one.asked),
        (PlainColumn("Lowest mind"), lambda one: one.lowest and one.lowest[0]),
        (PlainColumn("Its mean", "number"), lambda one: one.lowest and one.lowest[1]),
        (PlainColumn("Highest mind"), lambda one: one.highest and one.highest[0]),
        (PlainColumn("Mean of the highest", "number"), lambda one: one.highest and one.highest[1]),
        (PlainColumn("Spread", "number"), lambda one: one.spread),
        note="Means over seats, of episodes in which no action failed",
    )


def _plain_ends(headline: Headline, ends: Sequence[ExtremeEpisode]) -> PlainTable:
    judge = headline.judge.judged.label
    name = label(headline.dimension)
    return table_of(
        downloads.file_name("episodes-by-score", headline.dimension, judge),
        f"Episodes by {name}, the lowest first, judged by {judge}",
        ends,
        (PlainColumn("Episode", "id"), lambda one: one.id),
        (PlainColumn("Title"), lambda one: one.title),
        (PlainColumn("Minds"), lambda one: ", ".join(one.minds)),
        (PlainColumn(name, "number"), lambda one: one.mean),
        (PlainColumn("Scored", "number"), lambda one: one.scored),
        (PlainColumn("Asked", "number"), lambda one: one.asked),
        note="Means over an episode's seats; episodes in which an action failed are left out",
    )
