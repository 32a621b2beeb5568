"""How far several raters agree, each item rated by two or more of them.

Ratings of a scale are put into bins, equal parts of its range; of these there are

- pairwise agreement: the share of pairs of ratings of one item that fall into the same bin, the
  mean over items;
- Randolph's free-marginal kappa (Randolph 2005, "Free-marginal multirater kappa: an alternative to
  Fleiss' fixed-marginal multirater kappa", Joensuu Learning and Instruction Symposium): the same
  beyond what chance would bring if every bin were as likely. It is (P - 1/k) / (1 - 1/k) for the
  agreement P in k bins, so the interval of P gives its interval.

And of the ratings themselves Krippendorff's alpha (Krippendorff 2011, "Computing Krippendorff's
alpha-reliability"), with the interval by drawing clusters of items
(``evaluators.statistics.bootstrap``).
"""

from collections.abc import Sequence
from math import isfinite
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluators.scores.distinct_numbers import distinct
from evaluators.scores.scales import Scale
from evaluators.statistics import bootstrap, estimates
from evaluators.statistics.cluster_means import Codes, Floats
from evaluators.statistics.estimates import Estimate
from evaluators.statistics.populations import Population

BINS = (3, 4, 5)
"""Into so many parts a scale is cut."""
Level = Literal["nominal", "interval"]


class InBins(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement on which part of a scale it is."""

    bins: int
    agreed: Estimate
    """Pairwise agreement, 0 to 1."""
    kappa: Estimate
    """Randolph's, -1 to 1."""


def in_bins(
    ratings: Floats, scale: Scale, bins: int, clusters: Codes, population: Population
) -> InBins:
    """Agreement of ratings: a row an item, a column a rater, NaN where there is none.

    Items with fewer than two ratings are left out. ``clusters``: for each item the one it is in.
    """
    counts, rows = _counts(_binned(ratings, scale, bins), bins)
    if not len(rows):
        nothing = Estimate(why="no item has two ratings")
        return InBins(bins=bins, agreed=nothing, kappa=nothing)
    raters = counts.sum(axis=1)
    alike = (counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))
    agreed = estimates.mean(alike, clusters[rows], population, (0.0, 1.0))
    low, high = (None if end is None else _beyond(end, bins) for end in (agreed.low, agreed.high))
    kappa = msgspec.structs.replace(agreed, value=randolph(counts), low=low, high=high, sd=None)
    return InBins(bins=bins, agreed=agreed, kappa=kappa)


def randolph(counts: NDArray[np.intp]) -> float:
    """Randolph's kappa of items, a row each: how many raters chose each category. Items may have
    been rated by different numbers of raters, but by two at the least: what is meant is then the
    mean over items, as where all have as many."""
    from statsmodels.stats.inter_rater import fleiss_kappa

    raters = counts.sum(axis=1)
    alike = [counts[raters == many] for many in np.unique(raters)]
    return float(
        sum(fleiss_kappa(some, method="randolph") * len(some) for some in alike) / len(counts)
    )


def alpha(ratings: Floats, level: Level, clusters: Codes) -> Estimate:
    """Krippendorff's alpha; arguments as of ``in_bins``."""
    values = np.unique(ratings[np.isfinite(ratings)])
    places = np.where(np.isfinite(ratings), np.searchsorted(values, ratings), -1)
    counts, rows = _counts(places, len(values))
    if not len(rows):
        return Estimate(why="no item has two ratings")
    used = np.flatnonzero(counts.sum(axis=0))
    if len(used) < 2:
        return Estimate(why=f"everybody gave {values[used[0]]:g} to all {len(rows)} items")
    counts, values = counts[:, used], values[used]
    import krippendorff

    value = float(
        krippendorff.alpha(value_counts=counts, value_domain=values, level_of_measurement=level)
    )
    _, of = distinct(clusters[rows])
    many = int(of.max()) + 1
    ends = _drawn(counts, values, level, of)
    if ends is None:
        few = many < bootstrap.LEAST_CLUSTERS
        why = (
            f"{many} clusters; an interval by drawing them needs {bootstrap.LEAST_CLUSTERS}"
            if few
            else "in too many draws of clusters all gave the same"
        )
        return Estimate(value=value, why=why, clusters=many)
    return Estimate(value=value, low=ends[0], high=ends[1], clusters=many)


def alphas(counts: Floats, values: Floats, level: Level, clusters: Codes, times: Floats) -> Floats:
    """Alpha where each cluster of items stands as often as a row of ``times`` says; NaN where all
    that is drawn is alike. Items add up: their coincidences are counted once."""
    raters = counts.sum(axis=1)
    same = np.einsum("iv,vw->ivw", counts, np.eye(len(values)))
    pairs = (counts[:, :, None] * counts[:, None, :] - same) / (raters - 1)[:, None, None]
    summed = np.zeros((times.shape[1], len(values) * len(values)))
    np.add.at(summed, clusters, pairs.reshape(len(counts), -1))
    coincidences = (times @ summed).reshape(len(times), len(values), len(values))
    apart = (
        (values[:, None] - values[None, :]) ** 2
        if level == "interval"
        else 1.0 - np.eye(len(values))
    )
    margins = coincidences.sum(axis=2)
    observed = np.einsum("dvw,vw->d", coincidences, apart)
    expected = np.einsum("dv,dw,vw->d", margins, margins, apart) / (margins.sum(axis=1) - 1)
    there = expected > 0
    found: Floats = np.where(there, 1 - observed / np.where(there, expected, 1), np.nan)
    return found


def _drawn(
    counts: NDArray[np.intp], values: Floats, level: Level, clusters: Codes
) -> tuple[float, float] | None:
    many = int(clusters.max()) + 1
    if many < bootstrap.LEAST_CLUSTERS:
        return None
    chance = np.random.default_rng(bootstrap.SEED)
    times = chance.multinomial(many, np.full(many, 1 / many), size=bootstrap.DRAWS)
    found = alphas(counts.astype(float), values, level, clusters, times.astype(float))
    return bootstrap.percentiles(found)


def _binned(ratings: Floats, scale: Scale, bins: int) -> NDArray[np.intp]:
    """The bin of each rating, from 0; -1 where there is none."""
    there = np.isfinite(ratings)
    reach = scale.high - scale.low
    if not isfinite(reach) or reach <= 0:
        raise ValueError("a scale without ends has no parts")
    # Decimal thirds of a range are no binary fractions: an end of a bin is not to fall short of it.
    place = np.floor(bins * (np.where(there, ratings, scale.low) - scale.low) / reach + 1e-9)
    return np.where(there, np.clip(place, 0, bins - 1), -1).astype(np.intp)


def _counts(places: NDArray[np.intp], categories: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For each item with two ratings or more, how many raters chose each category; and which items
    these are."""
    rows = np.flatnonzero((places >= 0).sum(axis=1) >= 2)
    of = places[rows]
    counts = np.stack([(of == category).sum(axis=1) for category in range(categories)], axis=1)
    return counts.astype(np.intp), rows


def _beyond(agreed: float, bins: int) -> float:
    return (agreed - 1 / bins) / (1 - 1 / bins)


def table_of(
    items: Sequence[int] | NDArray[np.int64], raters: Codes, values: Floats
) -> tuple[NDArray[np.int64], Floats, NDArray[np.intp]]:
    """Single ratings as a table: the items in order, a row each with a column a rater; and for each
    item the place of its first rating. A rater who rated an item twice counts with the last."""
    known, first, rows = np.unique(np.asarray(items), return_index=True, return_inverse=True)
    table = np.full((len(known), int(raters.max(initial=-1)) + 1), np.nan)
    table[rows, raters] = values
    return known, table, first
