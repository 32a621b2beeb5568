"""Scores fetched evaluation by evaluation, as the texts that the database has of each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from store.log.rows import streamed
from store.projections import tables as t
from store.projections.score_texts import kinds_of, numbers_in
from store.read_model.score_arrays import STATUSES
from store.read_model.selections import Select

_LARGEST_SEAT = 2**31 - 1
_AT_ONCE = 20_000
"""Scores, about, whose texts are in memory at once: 50,000 take more memory and no less time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreBatch:
    """The scores of some evaluations, one evaluation's after the other's, each by seat and
    dimension."""

    evaluations: Sequence[str]
    """Their ids."""
    counts: NDArray[np.int64]
    """How many scores each has."""
    seat: NDArray[np.int32]
    status: NDArray[np.int8]
    """As in ``ScoreArrays``."""
    dimension: NDArray[np.int32]
    """Places in ``ScoreReader.dimensions``."""
    value: NDArray[np.float64]
    """NaN where there is none."""
    place: NDArray[np.int64]
    """Of each score among all parts of the texts in ``also``."""
    also: Sequence[Sequence[str]]
    """For each further column that was asked for, its text of each evaluation."""


class ScoreReader:
    """Reads scores, and numbers the dimensions it comes upon."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._kinds = _Kinds()

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Those in what was read so far."""
        return tuple(self._kinds.dimensions)

    def batches(self, chosen: Select, also: Sequence[str] = ()) -> Iterator[ScoreBatch]:
        """The scores of these evaluations (their ids), with further texts, some of them at once."""
        c = t.scores.c
        query = (
            sa.select(c.evaluation, c.kinds, c.numbers, *(c[name] for name in also))
            .where(c.evaluation.in_(chosen))
            .order_by(c.evaluation)
        )
        rows: list[tuple[Any, ...]] = []
        scores = 0
        for row in streamed(self._connection, query):
            rows.append(row)
            scores += self._kinds[row[1]].parts
            if scores >= _AT_ONCE:
                yield self.batch(rows)
                rows, scores = [], 0
        if rows:
            yield self.batch(rows)

    def batch(self, rows: Sequence[tuple[Any, ...]]) -> ScoreBatch:
        """What is in rows of an evaluation's id, ``kinds``, ``numbers`` and further texts."""
        evaluations, kinds, numbers, *also = zip(*rows, strict=True) if rows else ((), (), ())
        of = [self._kinds[text] for text in kinds]
        counts = np.array([len(one.scores) for one in of], dtype=np.int64)
        begin = np.cumsum([0, *(one.parts for one in of)])[:-1]
        scores = np.concatenate([_NO_SCORES, *(one.scores for one in of)])
        place = np.repeat(begin, counts) + scores[:, 0]
        # As a JSON array: NumPy takes four times as long to read a text. None becomes NaN.
        values = np.array(numbers_in("".join(numbers)), dtype=np.float64)
        return ScoreBatch(
            evaluations=evaluations,
            counts=counts,
            seat=scores[:, 1],
            status=scores[:, 2].astype(np.int8),
            dimension=scores[:, 3],
            value=values[place],
            place=place,
            also=also,
        )


_NO_SCORES = np.empty((0, 4), dtype=np.int32)


@dataclass(frozen=True, slots=True)
class _Numbered:
    """What ``score_texts.Kinds`` has, in numbers."""

    scores: NDArray[np.int32]
    """For each its place among the parts, its seat, status and dimension."""
    parts: int


class _Kinds(dict[str, _Numbered]):
    """What the scores of an evaluation are, by the text that says it."""

    def __init__(self) -> None:
        self.dimensions: dict[str, int] = {}

    def __missing__(self, text: str) -> _Numbered:
        kinds, parts = kinds_of(text)
        numbered = [
            (
                one.at,
                max(-_LARGEST_SEAT, min(_LARGEST_SEAT, one.seat)),
                STATUSES.index(one.status),
                self.dimensions.setdefault(one.dimension, len(self.dimensions)),
            )
            for one in kinds
        ]
        self[text] = _Numbered(np.array(numbered, dtype=np.int32).reshape(-1, 4), parts)
        return self[text]
