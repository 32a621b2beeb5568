"""Scores as a matrix: a row for each seat of each episode, a column for each dimension."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from evaluators.plugin import OVERALL
from evaluators.scores.distinct_numbers import distinct
from evaluators.scores.score_columns import Mask, ScoreColumns, Words
from evaluators.social import sotopia_eval
from store.read_model.score_arrays import FAILED

HUMAN: Final = "human"
"""What tables call a person in a seat, whatever mind was planned there."""
BESIDE: Final = " + "
"""Between the names of those who shared a seat (``store.read_model.seat_occupants``)."""
DIMENSIONS: Final = (
    sotopia_eval.SOCIAL_RULES,
    sotopia_eval.SECRET,
    sotopia_eval.FINANCIAL,
    sotopia_eval.RELATIONSHIP,
    sotopia_eval.KNOWLEDGE,
    sotopia_eval.GOAL,
    sotopia_eval.BELIEVABILITY,
    OVERALL,
)
"""In the order of the paper's tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTable:
    """What one judge said of some seats. Columns of equal length, by episode and seat."""

    run: Words
    episode: Words
    task: NDArray[np.int64]
    """A number for each task: rows of the same scenario with the same cast share it."""
    scenario: Words
    seat: NDArray[np.int32]
    """From 0."""
    mind: Words
    """Who sat there: a mind, or ``human``."""
    partner: Words
    """Who sat in the other seat; where several minds sat there, all."""
    pair: Mask
    """The episode has two seats."""
    shared: Mask
    """A person and another mind both acted in the seat."""
    clean: Mask
    """No action of the episode failed."""
    values: NDArray[np.float64]
    """A row a seat and a column a dimension; NaN where there is none."""
    failed: NDArray[np.bool_]
    """Where there is none because the judge failed."""
    dimensions: tuple[str, ...]
    """Of the columns, by name, ``overall`` among them."""

    def __len__(self) -> int:
        return len(self.seat)

    def where(self, rows: Mask) -> Self:
        if rows.all():
            return self
        return replace(
            self,
            **{
                field.name: getattr(self, field.name)[rows]
                for field in fields(self)
                if field.name != "dimensions"
            },
        )

    def of(self, dimension: str) -> NDArray[np.float64]:
        """The values in one dimension."""
        return self.values[:, self.dimensions.index(dimension)]


def seat_table(
    columns: ScoreColumns,
    judges: Sequence[str],
    people: Collection[str] = (),
) -> SeatTable:
    """What judges (their hashes) said of each seat; of several, such as people who annotated, the
    plain mean over those who scored it. ``people``: names of minds that are people."""
    mine = columns.where(columns.judge.among(*judges))
    there = set(mine.dimension.there())
    names = tuple(name for name in DIMENSIONS if name in there)
    mine = mine.where(mine.dimension.among(*names))
    width = int(mine.seat.max(initial=0)) + 1
    keys, row = distinct(mine.episode.codes.astype(np.int64) * width + mine.seat)
    first = np.zeros(len(keys), dtype=np.intp)
    first[row[::-1]] = np.arange(len(row))[::-1]
    places = np.full(max(1, len(mine.dimension.names)), -1)
    for place, name in enumerate(names):
        places[mine.dimension.names.index(name)] = place
    cell = row * len(names) + places[mine.dimension.codes]
    shape = (len(keys), len(names))
    count, scored = len(keys) * len(names), mine.scored
    sums = np.bincount(cell[scored], weights=mine.value[scored], minlength=count)
    counts = np.bincount(cell[scored], minlength=count)
    with np.errstate(invalid="ignore"):
        values = (sums / counts).reshape(shape)
    failed = np.bincount(cell[mine.status == FAILED], minlength=count).reshape(shape) > 0
    seats = mine.where(first)
    last = np.zeros(len(seats.episode.names) + 1, dtype=np.int32)
    np.maximum.at(last, seats.episode.codes, seats.seat)
    return SeatTable(
        run=seats.run,
        episode=seats.episode,
        task=_tasks(seats),
        scenario=seats.scenario,
        seat=seats.seat,
        mind=_with_people(seats.mind, people),
        partner=_with_people(seats.partner, people),
        pair=last[seats.episode.codes] == 1,
        shared=seats.shared,
        clean=seats.clean,
        values=values,
        failed=failed & np.isnan(values),
        dimensions=names,
    )


def _tasks(seats: ScoreColumns) -> NDArray[np.int64]:
    """Of an episode that has no task in a catalog its scenario and cast tell what was played."""
    found = seats.catalog.codes.astype(np.int64)
    for words in (seats.task, seats.scenario, seats.cast):
        found = found * max(1, len(words.names)) + words.codes
    return distinct(found)[1].astype(np.int64)


def _with_people(words: Words, people: Collection[str]) -> Words:
    """The same words, but ``human`` for each that names a person, alone or beside a mind."""
    known: dict[str, int] = {}
    names = [
        HUMAN if any(one in people for one in word.split(BESIDE)) else word for word in words.names
    ]
    codes = [known.setdefault(name, len(known)) for name in names]
    return Words(np.array(codes or [0], dtype=np.int32)[words.codes], tuple(known) or ("",))
