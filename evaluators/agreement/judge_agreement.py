"""The agreement of two judges on the same run (``troupe compare``)."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluators.agreement.constant_judges import flat_judges
from evaluators.plugin import OVERALL
from evaluators.scores.dimensions import is_checkpoint
from evaluators.scores.scales import ENDLESS, scale_of
from evaluators.scores.score_columns import ScoreColumns
from evaluators.scores.seat_scores import Judged, find_judge
from evaluators.statistics import estimates
from evaluators.statistics.cluster_means import Floats
from evaluators.statistics.clusters import clusters_of, usual
from evaluators.statistics.estimates import Estimate
from evaluators.statistics.populations import Population


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges on one dimension, over the seats that either was asked about in episodes in which
    no action failed."""

    dimension: str
    asked: int
    """Seats that at least one of the two was asked about: the denominator of all below."""
    missing_a: int
    """Of them, seats without a value by the first judge: failed, abstained or not asked."""
    missing_b: int
    pairs: int
    """Seats with a value by both; all that follows is over these."""
    mean_a: float | None
    mean_b: float | None
    mean_absolute_difference: float | None
    pearson: Estimate
    """The intervals and tests of both correlations, and of kappa, take scores of one cluster as
    related (``Comparison.population``)."""
    spearman: Estimate
    agreed: float | None = None
    """For a checkpoint: the share of pairs in which both say the same; else None."""
    kappa: Estimate | None = None
    """For a checkpoint: Cohen's kappa; else None."""
    over_all: "Agreement | None" = None
    """The same over all episodes; None: an action failed in none of them, or this is it."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges, dimension by dimension."""

    judge_a: Judged
    judge_b: Judged
    population: Population
    """What the intervals speak of."""
    episodes: int
    """Episodes that one of the two was to score."""
    clean: int
    """Of them, those in which no action failed."""
    dimensions: tuple[Agreement, ...]
    """Those that both were to score."""
    only_a: tuple[str, ...] = ()
    """Dimensions that the second judge was never asked for."""
    only_b: tuple[str, ...] = ()
    """Dimensions that the first judge was never asked for."""
    rehearsal: tuple[str, ...] = ()
    """Of the two, those that are no language models: what they agree on is no finding."""
    flat: tuple[str, ...] = ()
    """Of the two, those that tell nothing apart, a sentence each."""
    local: tuple[str, ...] = ()
    """Of the two, those that are local models: no finding, either."""


def compare(
    columns: ScoreColumns, judge_a: str, judge_b: str, population: Population | None = None
) -> Comparison:
    """Compare two judges by name, hash or beginning of a hash.

    ``population``: what the intervals are to speak of; None: what is usual for these scores. Raises
    ``UnknownJudgeOfRun``.
    """
    a = find_judge(columns.judges, judge_a)
    b = find_judge(columns.judges, judge_b)
    population = population or usual(columns)
    by_a, by_b = columns.of(a.hash), columns.of(b.hash)
    of_a, of_b = by_a.dimensions(), by_b.dimensions()
    both = columns.where(columns.judge.among(a.hash, b.hash))
    return Comparison(
        judge_a=a,
        judge_b=b,
        population=population,
        episodes=both.episode.different,
        clean=both.episode[both.clean].different,
        dimensions=tuple(
            _beside(
                name,
                by_a.where(by_a.dimension.among(name)),
                by_b.where(by_b.dimension.among(name)),
                population,
            )
            for name in of_a
            if name in of_b
        ),
        only_a=tuple(name for name in of_a if name not in of_b),
        only_b=tuple(name for name in of_b if name not in of_a),
        rehearsal=tuple(
            judge.label for judge in (a, b) if columns.kinds[judge.hash] == "rehearsal"
        ),
        flat=tuple(flat_judges(columns, {a.hash, b.hash}).values()),
        local=tuple(judge.label for judge in (a, b) if columns.kinds[judge.hash] == "local"),
    )


def paired(columns: ScoreColumns, judge_a: str, judge_b: str, dimension: str) -> Floats:
    """What two judges (their hashes) gave each seat that both gave a value, in episodes in which no
    action failed: a row a seat."""
    columns = columns.where(columns.clean)
    a, b = columns.of(judge_a, dimension), columns.of(judge_b, dimension)
    a, b = a.where(a.scored), b.where(b.scored)
    at_a, at_b = _common(a.seats, b.seats)
    return np.column_stack((a.value[at_a], b.value[at_b]))


class Apart(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that two judges gave different values in one dimension."""

    episode: str
    seat: int
    """From 0."""
    character: str
    mind: str
    dimension: str
    a: float
    b: float
    share: float
    """How far they are apart, as a share of the dimension's scale, 0 to 1; of a scale without ends
    as a share of the greatest distance there is."""


def furthest(columns: ScoreColumns, judge_a: str, judge_b: str, most: int) -> list[Apart]:
    """Where two judges (their hashes) are furthest apart, over episodes in which no action failed:
    so many places at most, the furthest first. The score that is worked out is left out."""
    columns = columns.where(columns.clean & columns.scored)
    found: list[Apart] = []
    for name in columns.of(judge_a).dimensions():
        a, b = columns.of(judge_a, name), columns.of(judge_b, name)
        if name == OVERALL or not len(b):
            continue
        at_a, at_b = _common(a.seats, b.seats)
        a, b = a.where(at_a), b.where(at_b)
        distance = np.abs(a.value - b.value)
        scale = scale_of(columns, name)
        reach = distance.max(initial=0) if scale == ENDLESS else scale.high - scale.low
        order = np.argsort(-distance, kind="stable")[:most]
        order = order[distance[order] > 0]
        rows = a.where(order)
        found += [
            Apart(
                episode=episode,
                seat=int(seat),
                character=character,
                mind=mind,
                dimension=name,
                a=float(a.value[at]),
                b=float(b.value[at]),
                share=float(distance[at] / reach),
            )
            for at, episode, seat, character, mind in zip(
                order,
                rows.episode.words(),
                rows.seat,
                rows.character.words(),
                rows.mind.words(),
                strict=True,
            )
        ]
    return sorted(found, key=lambda one: -one.share)[:most]


def _beside(
    dimension: str, by_a: ScoreColumns, by_b: ScoreColumns, population: Population
) -> Agreement:
    """Over clean episodes, and over all beside where some are not."""
    values = np.unique(np.concatenate((by_a.value[by_a.scored], by_b.value[by_b.scored])))
    checkpoint = is_checkpoint(dimension, values.tolist())
    over_all = None
    if not (by_a.clean.all() and by_b.clean.all()):
        over_all = _agreement(dimension, by_a, by_b, population, checkpoint=checkpoint)
    clean_a, clean_b = by_a.where(by_a.clean), by_b.where(by_b.clean)
    found = _agreement(dimension, clean_a, clean_b, population, checkpoint=checkpoint)
    return msgspec.structs.replace(found, over_all=over_all)


def _agreement(
    dimension: str,
    by_a: ScoreColumns,
    by_b: ScoreColumns,
    population: Population,
    *,
    checkpoint: bool,
) -> Agreement:
    scored_a, scored_b = by_a.where(by_a.scored), by_b.where(by_b.scored)
    asked = len(by_a) + len(by_b) - len(_common(by_a.seats, by_b.seats)[0])
    at_a, at_b = _common(scored_a.seats, scored_b.seats)
    a, b = scored_a.value[at_a], scored_b.value[at_b]
    clusters = clusters_of(scored_a, population)[at_a]
    pairs = len(a)
    return Agreement(
        dimension=dimension,
        asked=asked,
        missing_a=asked - len(scored_a),
        missing_b=asked - len(scored_b),
        pairs=pairs,
        mean_a=float(a.mean()) if pairs else None,
        mean_b=float(b.mean()) if pairs else None,
        mean_absolute_difference=float(np.abs(a - b).mean()) if pairs else None,
        pearson=estimates.pearson(a, b, clusters),
        spearman=estimates.spearman(a, b, clusters),
        agreed=float((a == b).mean()) if checkpoint and pairs else None,
        kappa=estimates.kappa(a, b, clusters) if checkpoint else None,
    )


def _common(
    a: NDArray[np.int64], b: NDArray[np.int64]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places in two rows of numbers of those that both have; each row is in order, and has each
    number once."""
    at = np.searchsorted(b, a)
    both = np.nonzero(np.append(b, np.iinfo(np.int64).min)[at] == a)[0]
    return both, at[both]
