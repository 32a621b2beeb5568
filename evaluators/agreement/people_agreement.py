"""The agreement of annotators with each other, and of judges with annotators.

People are judges of kind ``person`` (``events.annotation``). Taken together they are a judge of
their own, *people*, who gives each seat the mean of what they gave: with it every comparison of two
judges is one of a judge with people.
"""

from dataclasses import fields, replace
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from evaluators.agreement import judge_agreement, rater_agreement
from evaluators.agreement.judge_agreement import Agreement
from evaluators.agreement.rater_agreement import InBins
from evaluators.scores.dimensions import is_checkpoint, kept
from evaluators.scores.scales import ENDLESS, scale_of
from evaluators.scores.score_columns import ScoreColumns, Words
from evaluators.scores.seat_scores import Judged, find_judge
from evaluators.statistics.cluster_means import Floats
from evaluators.statistics.clusters import clusters_of, usual
from evaluators.statistics.estimates import Estimate, places
from evaluators.statistics.populations import Population
from store.read_model.score_arrays import ABSTAINED, SCORED

PEOPLE: Final = "people"
"""The name, and in place of a hash, of all of them together."""


class AmongPeople(msgspec.Struct, frozen=True, kw_only=True):
    """How far people agree with each other in one dimension, over all episodes they annotated."""

    dimension: str
    annotators: int
    """Who gave a value."""
    seats: int
    """Seats with a value."""
    several: int
    """Of them, those with values by two annotators or more: what agreement is over."""
    ratings: int
    """Values there are."""
    declined: int
    """Values that annotators declined to give."""
    checkpoint: bool
    """It is passed or failed; there is then one way to put it into bins."""
    bins: tuple[InBins, ...]
    """None where the dimension's scale has no ends."""
    alpha: Estimate
    """Krippendorff's: of values as an interval scale, of checkpoints as names."""


class OfAnnotator(msgspec.Struct, frozen=True, kw_only=True):
    """The agreement of one annotator with the others, in one dimension."""

    annotator: Judged
    dimension: str
    ratings: int
    mean: float
    """Of what they gave."""
    others: int
    """Seats that others gave a value, too."""
    apart: float | None
    """There: the mean of their value less the mean of the others'; None: there is no such seat."""
    distance: float | None
    """There: the mean of the absolute difference."""


class AgainstPeople(msgspec.Struct, frozen=True, kw_only=True):
    """A judge beside people in one dimension."""

    dimension: str
    beside: Agreement
    """The judge as the first, the mean of what people gave as the second."""
    lowest: float | None
    """The least of the annotators' means over these seats."""
    highest: float | None
    ranged: int
    """Seats, of those with a value by both, that two annotators or more gave a value."""
    within: float | None
    """Of them, the share in which the judge lies within what people gave: not below the least nor
    above the greatest. None: there are none."""


class JudgeAndPeople(msgspec.Struct, frozen=True, kw_only=True):
    """A judge beside people."""

    judge: Judged
    kind: str
    """``model``, ``rehearsal``, ``rule``, ``imported`` or ``person``."""
    population: Population
    dimensions: tuple[AgainstPeople, ...]


class NoPeople(LookupError):
    """Scores among which are none by people."""

    def __init__(self) -> None:
        super().__init__(
            "nobody has annotated any of these episodes; `troupe annotate new` has people do it"
        )


def of_people(columns: ScoreColumns) -> ScoreColumns:
    """The rows by people, of dimensions that tables show. Raises ``NoPeople``."""
    found = _by_people(columns)
    if not len(found):
        raise NoPeople
    return found


def has_people(columns: ScoreColumns) -> bool:
    """Whether people scored any of it in a dimension that tables show."""
    return len(_by_people(columns)) > 0


def _by_people(columns: ScoreColumns) -> ScoreColumns:
    persons = [hash_ for hash_, kind in columns.kinds.items() if kind == "person"]
    return columns.where(columns.judge.among(*persons) & ~columns.dimension.among(*kept()))


def with_people(columns: ScoreColumns, without: str = "") -> ScoreColumns:
    """The same with the judge *people* beside the others: for each seat and dimension the mean of
    what people gave. ``without``: the hash of one whose values are left out of it. Where nobody
    remains: as it was."""
    persons = [h for h, kind in columns.kinds.items() if kind == "person" and h != without]
    rows = columns.where(columns.judge.among(*persons))
    if not persons or not len(rows):
        return columns
    # In the order of seats and, within, of dimensions: as columns are.
    keys = rows.seats * len(rows.dimension.names) + rows.dimension.codes
    _, first, row = np.unique(keys, return_index=True, return_inverse=True)
    given = np.bincount(row, weights=rows.scored)
    summed = np.bincount(row, weights=np.where(rows.scored, rows.value, 0.0))
    there = given > 0
    names = (*columns.judge.names, PEOPLE)
    together = replace(
        rows.where(first),
        status=np.where(there, SCORED, ABSTAINED).astype(np.int8),
        value=np.where(there, summed / np.where(there, given, 1), np.nan),
        judge=Words(np.full(len(first), len(names) - 1, dtype=np.int32), names),
    )
    whole = replace(columns, judge=Words(columns.judge.codes, names))
    label = f"people (mean of {len(rows.judge.there())})"
    return replace(
        _behind(whole, together),
        judges=(*columns.judges, Judged(name=PEOPLE, hash=PEOPLE, label=label)),
        kinds={**columns.kinds, PEOPLE: "person"},
    )


def among_people(columns: ScoreColumns, population: Population | None = None) -> list[AmongPeople]:
    """How far people agree, dimension by dimension. Raises ``NoPeople``."""
    rows = of_people(columns)
    population = population or usual(columns)
    return [
        _among(rows.where(rows.dimension.among(name)), name, population)
        for name in rows.dimensions()
    ]


def annotators(columns: ScoreColumns) -> list[OfAnnotator]:
    """Each annotator beside the others, in each dimension. Raises ``NoPeople``."""
    rows = of_people(columns)
    rows = rows.where(rows.scored)
    by_hash = {judge.hash: judge for judge in columns.judges}
    found = []
    for name in rows.dimensions():
        mine = rows.where(rows.dimension.among(name))
        _, table, _ = _table(mine)
        found += [
            _annotator(by_hash[hash_], name, table, place)
            for place, hash_ in enumerate(mine.judge.there())
        ]
    return found


def against_people(
    columns: ScoreColumns, judge: str, population: Population | None = None
) -> JudgeAndPeople:
    """A judge beside people, over episodes in which no action failed; a person beside the others.
    Raises ``NoPeople``, ``UnknownJudgeOfRun``."""
    found = find_judge(columns.judges, judge)
    rows = of_people(columns)
    rows = rows.where(rows.clean & rows.scored & ~rows.judge.among(found.hash))
    if not len(rows):
        raise NoPeople
    beside = judge_agreement.compare(
        with_people(columns, found.hash), found.hash, PEOPLE, population
    )
    return JudgeAndPeople(
        judge=found,
        kind=columns.kinds[found.hash],
        population=beside.population,
        dimensions=tuple(
            _against(
                rows.where(rows.dimension.among(one.dimension)),
                columns.of(found.hash, one.dimension),
                one,
            )
            for one in beside.dimensions
        ),
    )


def _behind(columns: ScoreColumns, more: ScoreColumns) -> ScoreColumns:
    """Rows behind others."""
    joined: dict[str, Any] = {}
    for field in fields(columns):
        one, other = getattr(columns, field.name), getattr(more, field.name)
        if isinstance(one, Words):
            joined[field.name] = Words(np.concatenate((one.codes, other.codes)), one.names)
        elif isinstance(one, np.ndarray):
            joined[field.name] = np.concatenate((one, other))
    return replace(columns, **joined)


def _among(rows: ScoreColumns, name: str, population: Population) -> AmongPeople:
    given = rows.where(rows.scored)
    seats, table, first = _table(given)
    clusters = clusters_of(given, population)[first]
    checkpoint = is_checkpoint(name, np.unique(given.value).tolist())
    scale = scale_of(rows, name)
    cuts = (2,) if checkpoint else rater_agreement.BINS
    return AmongPeople(
        dimension=name,
        annotators=len(given.judge.there()),
        seats=len(seats),
        several=int(np.count_nonzero(np.isfinite(table).sum(axis=1) >= 2)),
        ratings=len(given),
        declined=len(rows) - len(given),
        checkpoint=checkpoint,
        bins=tuple(
            rater_agreement.in_bins(table, scale, bins, clusters, population) for bins in cuts
        )
        if scale != ENDLESS
        else (),
        alpha=rater_agreement.alpha(table, "nominal" if checkpoint else "interval", clusters),
    )


def _table(rows: ScoreColumns) -> tuple[NDArray[np.int64], Floats, NDArray[np.intp]]:
    """The values of one dimension: a row a seat and a column an annotator, in the order of
    ``rows.judge.there()``; and for each seat the place of its first row."""
    return rater_agreement.table_of(
        rows.seats, places(rows.judge.codes.astype(np.int64)), rows.value
    )


def _annotator(annotator: Judged, name: str, table: Floats, place: int) -> OfAnnotator:
    mine = table[:, place]
    others = np.delete(table, place, axis=1)
    counts = np.isfinite(others).sum(axis=1)
    both = np.isfinite(mine) & (counts > 0)
    apart = mine[both] - np.nansum(others[both], axis=1) / counts[both]
    return OfAnnotator(
        annotator=annotator,
        dimension=name,
        ratings=int(np.isfinite(mine).sum()),
        mean=float(np.nanmean(mine)),
        others=len(apart),
        apart=float(apart.mean()) if len(apart) else None,
        distance=float(np.abs(apart).mean()) if len(apart) else None,
    )


def _against(people: ScoreColumns, judge: ScoreColumns, beside: Agreement) -> AgainstPeople:
    judge = judge.where(judge.clean & judge.scored)
    seats, table, _ = _table(people)
    at = np.searchsorted(judge.seats, seats)
    both = np.append(judge.seats, -1)[at] == seats
    values, table = judge.value[at[both]], table[both]
    several = np.isfinite(table).sum(axis=1) >= 2
    means = [float(np.nanmean(one)) for one in table.T if np.isfinite(one).any()]
    least, most = (end(table[several], axis=1) for end in (np.nanmin, np.nanmax))
    inside = (least <= values[several]) & (values[several] <= most)
    return AgainstPeople(
        dimension=beside.dimension,
        beside=beside,
        lowest=min(means, default=None),
        highest=max(means, default=None),
        ranged=int(several.sum()),
        within=float(inside.mean()) if several.any() else None,
    )
