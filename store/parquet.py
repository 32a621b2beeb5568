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
from store.parquet_actions import actions, beginnings
from store.parquet_schemas import ACTIONS, CALLS, CHAINS, EPISODES, MEMORIES, SCORES
from store.parquet_scores import DerivedScores, derived_scores, scores
from store.records import ChainRow, EpisodeRow
from store.score_arrays import ScoreArrays
from store.score_reading import read_scores

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
    tables: dict[str, Iterable[pa.Table]] = {
        "episodes": [_episodes(store, rows, arrays, beyond)],
        "actions": actions(store, rows),
        "scores": _scores(store, id_, arrays, beyond),
        "calls": _tables(CALLS, map(msgspec.structs.asdict, queries.calls(store, run=id_))),
        "chains": _tables(CHAINS, (_chain(row) for row in chains)),
        "memories": _tables(MEMORIES, _memories(store, id_, chains)),
    }
    schemas = dict(zip(tables, (EPISODES, ACTIONS, SCORES, CALLS, CHAINS, MEMORIES), strict=True))
    paths = {name: folder / f"{name}.parquet" for name in tables}
    with ExitStack() as together:
        for name, parts in tables.items():
            path = together.enter_context(atomic_write(paths[name]))
            _write(path, schemas[name], parts)
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


def _episodes(
    store: EventStore, rows: Sequence[EpisodeRow], arrays: ScoreArrays, beyond: Beyond
) -> pa.Table:
    tags: dict[str, list[str]] = {}
    labels: dict[str, Mapping[str, str]] = {}
    for id_, started in beginnings(store, rows):
        tags[id_] = list(beyond.tags(started))
        labels[id_] = beyond.labels(started)
    hard = {one.id for one in arrays.episodes if one.hard}
    told = [
        {**msgspec.structs.asdict(row), "hard": row.id in hard, "tags": tags.get(row.id)}
        for row in rows
    ]
    table = pa.Table.from_pylist([{**one, "episode": one["id"]} for one in told], schema=EPISODES)
    for name in sorted({name for values in labels.values() for name in values}):
        words = [labels.get(row.id, {}).get(name) for row in rows]
        table = table.append_column(name, pa.array(words, pa.string()))
    return table


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
