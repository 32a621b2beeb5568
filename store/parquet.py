"""A run as Parquet tables, for analysis: episodes, actions, scores, calls, chains, memories.

What is not known is null: a score without a value says why in ``status`` and ``reason``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from events.episode import EpisodeStarted
from store import queries
from store.atomic_files import atomic_write
from store.log import EventStore
from store.parquet_actions import actions
from store.parquet_schemas import ACTIONS, CALLS, CHAINS, EPISODES, MEMORIES, SCORES
from store.parquet_scores import DerivedScores, derived_scores, scores
from store.records import ChainRow, EpisodeRow
from store.score_arrays import ScoreArrays
from store.score_reading import read_scores

_SCHEMAS = {
    "episodes": EPISODES,
    "actions": ACTIONS,
    "scores": SCORES,
    "calls": CALLS,
    "chains": CHAINS,
    "memories": MEMORIES,
}
_BATCH = 20_000
"""Rows in memory at once."""

Labels = Callable[[EpisodeStarted], Mapping[str, str]]
"""What can be said of how an episode began, by a short name; a column of ``episodes`` each."""
Tags = Callable[[EpisodeStarted], Sequence[str]]
"""An episode's tags."""


class Beyond(msgspec.Struct, frozen=True, kw_only=True):
    """What the store alone does not know of a run."""

    tags: Tags = lambda started: started.tags
    labels: Labels = lambda _: {}
    derived: Callable[[ScoreArrays], DerivedScores | None] = lambda _: None
    """The scores that are worked out from others."""


def export_parquet(
    store: EventStore, run: str, folder: Path, beyond: Beyond | None = None
) -> dict[str, Path]:
    """Write the tables of a run, one ``.parquet`` each; all of them, or none.

    Answers the files by table. Raises ``UnknownId``, ``AmbiguousId``.
    """
    id_ = queries.find_run(store, run)
    beyond = beyond or Beyond()
    rows, chains = queries.episodes(store, run=id_), queries.chains(store, run=id_)
    arrays = read_scores(store, (id_,))
    told = _Beginnings(beyond)
    tables: dict[str, Iterable[pa.Table]] = {
        "actions": actions(store, rows, told.take),
        # After the actions: as these are read, it is seen how episodes began.
        "episodes": _episodes(rows, arrays, told),
        "scores": _scores(store, id_, arrays, beyond),
        "calls": _tables(CALLS, map(msgspec.structs.asdict, queries.calls(store, run=id_))),
        "chains": _tables(CHAINS, (_chain(row) for row in chains)),
        "memories": _tables(MEMORIES, _memories(store, id_, chains)),
    }
    paths = {name: folder / f"{name}.parquet" for name in _SCHEMAS}
    with ExitStack() as together:
        for name, parts in tables.items():
            path = together.enter_context(atomic_write(paths[name]))
            _write(path, _SCHEMAS[name], parts)
    return paths


def _write(path: Path, schema: pa.Schema, parts: Iterable[pa.Table]) -> None:
    waiting = iter(parts)
    first = next(waiting, schema.empty_table())
    # Of episodes there are more columns, whose names nobody knows before.
    with pq.ParquetWriter(path, first.schema, compression="zstd") as writer:
        writer.write_table(first)
        for table in waiting:
            writer.write_table(table)


def _tables(schema: pa.Schema, rows: Iterable[dict[str, Any]]) -> Iterator[pa.Table]:
    waiting = iter(rows)
    while batch := list(islice(waiting, _BATCH)):
        yield pa.Table.from_pylist(batch, schema=schema)


class _Beginnings:
    """What is told of how episodes began."""

    def __init__(self, beyond: Beyond) -> None:
        self._beyond = beyond
        self.tags: dict[str, list[str]] = {}
        self.labels: dict[str, Mapping[str, str]] = {}

    def take(self, episode: str, started: EpisodeStarted) -> None:
        self.tags[episode] = list(self._beyond.tags(started))
        self.labels[episode] = self._beyond.labels(started)


def _episodes(
    rows: Sequence[EpisodeRow], arrays: ScoreArrays, told: _Beginnings
) -> Iterator[pa.Table]:
    hard = {one.id for one in arrays.episodes if one.hard}
    beside: dict[str, list[Any]] = {
        "episode": [row.id for row in rows],
        "hard": [row.id in hard for row in rows],
        "tags": [told.tags.get(row.id) for row in rows],
    }
    columns = [
        pa.array(beside[name] if name in beside else [getattr(row, name) for row in rows], kind)
        for name, kind in zip(EPISODES.names, EPISODES.types, strict=True)
    ]
    table = pa.Table.from_arrays(columns, schema=EPISODES)
    for name in sorted({name for values in told.labels.values() for name in values}):
        words = [told.labels.get(row.id, {}).get(name) for row in rows]
        table = table.append_column(name, pa.array(words, pa.string()))
    yield table


def _scores(store: EventStore, run: str, arrays: ScoreArrays, beyond: Beyond) -> Iterator[pa.Table]:
    yield from scores(store, run, arrays)
    if (more := beyond.derived(arrays)) is not None:
        yield derived_scores(arrays, more)


def _chain(row: ChainRow) -> dict[str, Any]:
    values = msgspec.structs.asdict(row)
    return {**values, "chain": values.pop("id")}


def _memories(store: EventStore, run: str, chains: Sequence[ChainRow]) -> Iterator[dict[str, Any]]:
    places = {chain.id: place for place, chain in enumerate(chains)}
    for row in sorted(queries.memories_of_run(store, run), key=lambda row: places[row.chain]):
        yield {"run": run, **msgspec.structs.asdict(row)}
