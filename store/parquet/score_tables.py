"""The scores of a run as tables, column by column: no object is made of a score."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import sqlalchemy as sa
from numpy.typing import NDArray

from store.database.id_batches import in_batches
from store.log.event_store import EventStore
from store.parquet.schemas import SCORES
from store.projections import tables as t
from store.projections.score_texts import WORDS, words_in
from store.read_model import selections
from store.read_model.score_arrays import STATUSES, EpisodeFacts, ScoreArrays
from store.read_model.score_batches import ScoreReader

_AT_ONCE = 100
"""Evaluations."""


class DerivedScores(msgspec.Struct, frozen=True, kw_only=True):
    """Scores that are worked out from others, one a place of the arrays."""

    dimension: str
    judge: Sequence[str]
    """Hashes."""
    episode: Sequence[str]
    """Ids."""
    seat: NDArray[Any]
    status: NDArray[np.int8]
    """As in ``ScoreArrays``."""
    value: NDArray[np.float64]
    """NaN where there is none."""


def scores(
    store: EventStore,
    run: str,
    arrays: ScoreArrays,
    where: Sequence[sa.ColumnElement[bool]] = (),
) -> Iterator[pa.Table]:
    """What judges gave, evaluation by evaluation. ``arrays``: what was read of the run; ``where``:
    conditions on the table of evaluations."""
    places = {one.id: place for place, one in enumerate(arrays.evaluations)}
    of_episode = {one.id: place for place, one in enumerate(arrays.episodes)}
    episodes = np.array([of_episode[one.episode] for one in arrays.evaluations], dtype=np.int64)
    cast = _Cast(arrays.episodes)
    facts = {
        name: pa.array([getattr(one, name) for one in arrays.evaluations], pa.string())
        for name in ("id", "episode", "judge", "judge_kind", "judge_hash")
    }
    statuses = pa.array(STATUSES, pa.string())
    with store.engine.connect() as connection:
        reader = ScoreReader(connection)
        chosen = selections.evaluations_of_runs((run,))
        if where:
            of = t.evaluations.c.id
            chosen = sa.select(of).where(of.in_(chosen), *where)
        for batch in reader.batches(chosen, WORDS):
            # One that was begun after the run was read is left for the next export.
            place = np.repeat([places.get(id_, -1) for id_ in batch.evaluations], batch.counts)
            there = np.flatnonzero(place >= 0)
            place, seat = place[there], batch.seat[there]
            reasons, evidence, quotes = (
                _words(texts).take(pa.array(batch.place[there])) for texts in batch.also
            )
            columns = {
                **{name: fact.take(pa.array(place)) for name, fact in facts.items()},
                **cast.columns(episodes[place], seat),
                "run": pa.repeat(pa.scalar(run, pa.string()), len(there)),
                "seat": pa.array(seat, pa.int64()),
                "dimension": pa.array(reader.dimensions).take(pa.array(batch.dimension[there])),
                "status": statuses.take(pa.array(batch.status[there])),
                "value": _known(batch.value[there]),
                "reason": reasons,
                "evidence": _lists(evidence, SCORES.field("evidence").type),
                "quotes": _lists(quotes, SCORES.field("quotes").type),
                "derived": pa.repeat(pa.scalar(value=False), len(there)),
            }
            yield _table({**columns, "evaluation": columns["id"]})


def _words(texts: Sequence[str]) -> pa.Array:
    """The parts of the texts of several evaluations, of which a few are strings at once."""
    some = in_batches(texts, _AT_ONCE)
    return pa.concat_arrays([pa.array(words_in("".join(few)), pa.string()) for few in some])


def _known(values: NDArray[np.float64]) -> pa.Array:
    return pa.array(values, mask=np.isnan(values))


def derived_scores(arrays: ScoreArrays, more: DerivedScores) -> pa.Table:
    """Scores worked out from others: of no evaluation, and without a reason."""
    count = len(more.value)
    of_episode = {one.id: place for place, one in enumerate(arrays.episodes)}
    judges = {one.judge_hash: one for one in arrays.evaluations}
    episodes = np.array([of_episode[id_] for id_ in more.episode], dtype=np.int64)
    words: dict[str, list[str]] = {
        "run": [arrays.episodes[place].run for place in episodes],
        "episode": list(more.episode),
        "judge": [judges[hash_].judge for hash_ in more.judge],
        "judge_kind": [judges[hash_].judge_kind for hash_ in more.judge],
        "judge_hash": list(more.judge),
        "dimension": [more.dimension] * count,
        "status": [STATUSES[status] for status in more.status.tolist()],
    }
    nothing = {
        name: pa.nulls(count, SCORES.field(name).type)
        for name in ("evaluation", "reason", "evidence", "quotes")
    }
    return _table(
        {
            **{name: pa.array(told, pa.string()) for name, told in words.items()},
            **_Cast(arrays.episodes).columns(episodes, more.seat),
            **nothing,
            "seat": pa.array(more.seat, pa.int64()),
            "value": _known(more.value),
            "derived": pa.repeat(pa.scalar(value=True), count),
        }
    )


class _Cast:
    """Who is in which seat of which episode."""

    def __init__(self, episodes: Sequence[EpisodeFacts]) -> None:
        self._most = max((len(one.minds) for one in episodes), default=0) + 1

        def told(of: Callable[[EpisodeFacts], Sequence[Any]], kind: pa.DataType) -> pa.Array:
            return pa.array((word for one in episodes for word in self._padded(of(one))), kind)

        self._columns = {
            "mind": told(lambda one: one.minds, pa.string()),
            "character": told(lambda one: one.characters, pa.string()),
            "partner": told(_partners, pa.list_(pa.string())),
        }

    def columns(self, episode: NDArray[Any], seat: NDArray[Any]) -> dict[str, pa.Array]:
        """A row for each place of an episode and seat; nulls for a seat that there is not."""
        there = np.where((seat >= 0) & (seat < self._most), seat, self._most - 1)
        places = pa.array(episode * self._most + there)
        return {name: column.take(places) for name, column in self._columns.items()}

    def _padded(self, words: Sequence[Any]) -> list[Any]:
        return [*words[: self._most - 1], *[None] * (self._most - len(words[: self._most - 1]))]


def _partners(one: EpisodeFacts) -> list[list[str]]:
    return [sorted({*one.minds[:at], *one.minds[at + 1 :]}) for at in range(len(one.minds))]


def _lists(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    """Lists stored as JSON texts, many of which are the same: each is read once."""
    known = texts.dictionary_encode()
    read = [msgspec.json.decode(text) if text else [] for text in known.dictionary.to_pylist()]
    return pa.array(read, kind).take(known.indices)


def _table(columns: dict[str, pa.Array]) -> pa.Table:
    return pa.Table.from_arrays([columns[name] for name in SCORES.names], schema=SCORES)
