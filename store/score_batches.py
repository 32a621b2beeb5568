"""Scores fetched evaluation by evaluation, a few texts each, instead of row by row.

The database puts the scores of an evaluation together, a text for each column, all in the same
order: a row to fetch costs more than all that is in it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from store.projections import tables as t
from store.rows import fetched
from store.score_arrays import STATUSES
from store.selections import Select

_WHAT = (sa.cast(t.scores.c.seat, sa.Text), t.scores.c.status, t.scores.c.dimension)
_NEXT = "\x1e"
"""Between two scores in a text of many: in no name."""
_LARGEST_SEAT = 2**31 - 1
AT_ONCE = 50_000
"""Scores whose texts are in memory at once."""
_numbers = msgspec.json.Decoder(list[float | None]).decode


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreBatch:
    """The scores of some evaluations, one evaluation's after the other's."""

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
    also: Sequence[Sequence[str]]
    """For each further column that was asked for: the words of an evaluation, as a JSON array."""


NO_SCORES = ScoreBatch(
    evaluations=(),
    counts=np.empty(0, dtype=np.int64),
    seat=np.empty(0, dtype=np.int32),
    status=np.empty(0, dtype=np.int8),
    dimension=np.empty(0, dtype=np.int32),
    value=np.empty(0, dtype=np.float64),
    also=(),
)


class ScoreReader:
    """Reads scores, and numbers the dimensions it comes upon."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._kinds = _Kinds()

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Those in what was read so far."""
        return tuple(self._kinds.dimensions)

    def read(self, chosen: Select) -> ScoreBatch:
        """All scores of these evaluations in one batch."""
        parts = [NO_SCORES, *self.batches(chosen)]
        return ScoreBatch(
            evaluations=[id_ for part in parts for id_ in part.evaluations],
            counts=np.concatenate([part.counts for part in parts]),
            seat=np.concatenate([part.seat for part in parts]),
            status=np.concatenate([part.status for part in parts]),
            dimension=np.concatenate([part.dimension for part in parts]),
            value=np.concatenate([part.value for part in parts]),
            also=(),
        )

    def batches(
        self,
        chosen: Select,
        also: Sequence[str] = (),
        most: int = AT_ONCE,
        where: Sequence[sa.ColumnElement[bool]] = (),
    ) -> Iterator[ScoreBatch]:
        """The scores of these evaluations (their ids, in their order) that meet some conditions on
        ``scores``, with further columns of words, in batches of about ``most`` scores."""
        c = t.scores.c
        query = (
            sa.select(
                c.evaluation,
                sa.func.aggregate_strings(_exactly(self._connection, c.value), ","),
                *(sa.func.aggregate_strings(part, _NEXT) for part in _WHAT),
                *(listed(self._connection, c[name]) for name in also),
            )
            .where(c.evaluation.in_(chosen), *where)
            .group_by(c.evaluation)
            .order_by(c.evaluation)
        )
        rows: list[tuple[Any, ...]] = []
        scores = 0
        for id_, numbers, seat, status, dimension, *words in fetched(self._connection, query):
            kind = self._kinds[seat, status, dimension]
            rows.append((id_, numbers, kind, *words))
            scores += len(kind)
            if scores >= most:
                yield _batch(rows)
                rows, scores = [], 0
        if rows:
            yield _batch(rows)


def is_sqlite(connection: sa.Connection) -> bool:
    """Whether this is SQLite, not PostgreSQL."""
    return connection.dialect.name == "sqlite"


def _batch(rows: Sequence[tuple[Any, ...]]) -> ScoreBatch:
    evaluations, numbers, kinds, *also = zip(*rows, strict=True)
    kind = np.concatenate(kinds)
    return ScoreBatch(
        evaluations=evaluations,
        counts=np.array([len(one) for one in kinds], dtype=np.int64),
        seat=kind[:, 0],
        status=kind[:, 1].astype(np.int8),
        dimension=kind[:, 2],
        # As a JSON array: NumPy takes four times as long to read a text. None becomes NaN.
        value=np.array(_numbers(f"[{','.join(numbers)}]"), dtype=np.float64),
        also=also,
    )


def _exactly(
    connection: sa.Connection, value: sa.ColumnElement[float | None]
) -> sa.ColumnElement[str]:
    """A number as JSON that is read back as the same number; ``null`` where there is none."""
    if not is_sqlite(connection):
        return sa.case((value.is_(None), "null"), else_=sa.cast(value, sa.Text))
    # Its quote() writes digits enough, and takes its time; most scores are whole numbers, which it
    # makes texts of by itself.
    whole = sa.type_coerce(sa.cast(value, sa.Integer), sa.Text)
    return sa.case((value == whole, whole), (value.is_(None), "null"), else_=sa.func.quote(value))


def listed(connection: sa.Connection, words: sa.ColumnElement[Any]) -> sa.ColumnElement[str]:
    """Words that may be any, of all rows in one: the text of a JSON array. Of very many, rows cost
    more than what is in them."""
    text = sa.type_coerce(words, sa.Text)
    if is_sqlite(connection):
        return sa.func.json_group_array(text)
    return sa.cast(sa.func.json_agg(text), sa.Text)


class _Kinds(dict[tuple[str, ...], NDArray[np.int32]]):
    """What the scores of an evaluation are, by the texts that say it: for each its seat, status and
    dimension, as numbers. Most evaluations of a judge have the same texts."""

    def __init__(self) -> None:
        self.dimensions: dict[str, int] = {}

    def __missing__(self, texts: tuple[str, ...]) -> NDArray[np.int32]:
        found = [
            (_seat(seat), STATUSES.index(status), self._number(dimension))
            for seat, status, dimension in zip(*(text.split(_NEXT) for text in texts), strict=True)
        ]
        self[texts] = np.array(found, dtype=np.int32)
        return self[texts]

    def _number(self, dimension: str) -> int:
        return self.dimensions.setdefault(dimension, len(self.dimensions))


def _seat(text: str) -> int:
    """A log may hold a score of a seat that there is not."""
    return max(-_LARGEST_SEAT, min(_LARGEST_SEAT, int(text)))
