"""A run as Parquet tables, for analysis: episodes, actions, scores, calls, chains, memories.

Times are UTC timestamps, money is US dollars, latencies are seconds. What is not known is null:
a score without a value says why in ``status`` and ``reason``.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from events.episode import ActionTaken, EpisodeForked, EpisodeStarted
from events.subjects import stream_name
from store import queries
from store.atomic_files import atomic_write
from store.history import read_history
from store.log import EventStore
from store.records import ChainRow, EpisodeRow

_TEXT, _WHOLE, _NUMBER, _FLAG = pa.string(), pa.int64(), pa.float64(), pa.bool_()
_TIME = pa.timestamp("us", tz="UTC")
_WORDS, _NUMBERS = pa.list_(_TEXT), pa.list_(_WHOLE)

EPISODES = pa.schema(
    [
        ("run", _TEXT),
        ("episode", _TEXT),
        ("task", _TEXT),
        ("catalog", _TEXT),
        ("scenario_id", _TEXT),
        ("scenario", _TEXT),
        ("characters", _WORDS),
        ("minds", _WORDS),
        ("status", _TEXT),
        ("turns", _WHOLE),
        ("end_reason", _TEXT),
        ("failed_actions", _WHOLE),
        ("parent", _TEXT),
        ("forked_at", _WHOLE),
        ("started_at", _TIME),
        ("ended_at", _TIME),
        # Empty where it belongs to no chain; its place there.
        ("chain", _TEXT),
        ("index", _WHOLE),
        # The episode played in its place; empty: it stands.
        ("superseded_by", _TEXT),
    ]
)
ACTIONS = pa.schema(
    [
        ("run", _TEXT),
        ("episode", _TEXT),
        # The event's number in the episode's history.
        ("number", _WHOLE),
        ("turn", _WHOLE),
        ("seat", _WHOLE),
        ("character", _TEXT),
        ("mind", _TEXT),
        # The whole action, as JSON; what it has of kind, text and seats stands beside it.
        ("action", _TEXT),
        ("kind", _TEXT),
        ("text", _TEXT),
        # Seats that may notice it; empty: everybody.
        ("to", _NUMBERS),
        # True where a fork shares the action with its parent.
        ("inherited", _FLAG),
        ("failure", _TEXT),
        ("failure_detail", _TEXT),
        ("recorded_at", _TIME),
    ]
)
SCORES = pa.schema(
    [
        ("run", _TEXT),
        ("episode", _TEXT),
        ("evaluation", _TEXT),
        ("judge", _TEXT),
        ("judge_kind", _TEXT),
        ("judge_hash", _TEXT),
        ("seat", _WHOLE),
        ("character", _TEXT),
        ("mind", _TEXT),
        ("dimension", _TEXT),
        ("status", _TEXT),
        ("value", _NUMBER),
        ("reason", _TEXT),
        ("evidence", _NUMBERS),
        ("quotes", _WORDS),
    ]
)
CALLS = pa.schema(
    [
        ("run", _TEXT),
        ("episode", _TEXT),
        ("seat", _WHOLE),
        ("evaluation", _TEXT),
        ("turn", _WHOLE),
        ("attempt", _WHOLE),
        ("purpose", _TEXT),
        ("model", _TEXT),
        ("asked", _WHOLE),
        ("answered", _WHOLE),
        ("failed", _WHOLE),
        ("failure", _TEXT),
        ("input_tokens", _WHOLE),
        ("output_tokens", _WHOLE),
        ("cost_usd", _NUMBER),
        ("latency_s", _NUMBER),
        ("retries", _WHOLE),
        # The chain of the memory that asked; the turn is then the episode's index.
        ("chain", _TEXT),
    ]
)
CHAINS = pa.schema(
    [
        ("run", _TEXT),
        ("chain", _TEXT),
        ("catalog", _TEXT),
        ("characters", _WORDS),
        ("minds", _WORDS),
        ("memory", _TEXT),
        ("module", _TEXT),
        ("length", _WHOLE),
        ("done", _WHOLE),
        ("failed", _WHOLE),
        ("memories_failed", _WHOLE),
        ("status", _TEXT),
        ("reason", _TEXT),
        ("started_at", _TIME),
        ("ended_at", _TIME),
    ]
)
MEMORIES = pa.schema(
    [
        ("run", _TEXT),
        ("chain", _TEXT),
        ("seat", _WHOLE),
        ("index", _WHOLE),
        ("episode", _TEXT),
        # Indices of earlier episodes.
        ("recalled", _NUMBERS),
        ("dropped", _NUMBERS),
        ("recalled_tokens", _WHOLE),
        ("limit_tokens", _WHOLE),
        ("recalled_at", _TIME),
        ("words", _WHOLE),
        ("tokens", _WHOLE),
        ("writer", _TEXT),
        ("attempts", _WHOLE),
        ("within_bounds", _FLAG),
        ("cost_usd", _NUMBER),
        ("input_tokens", _WHOLE),
        ("output_tokens", _WHOLE),
        ("written_at", _TIME),
    ]
)

_BATCH = 20_000
"""Rows in memory at once."""


def export_parquet(store: EventStore, run: str, folder: Path) -> dict[str, Path]:
    """Write the tables of a run, one ``.parquet`` each; all of them, or none.

    Answers the files by table. Raises ``UnknownId``, ``AmbiguousId``.
    """
    id_ = queries.find_run(store, run)
    episodes, chains = queries.episodes(store, run=id_), queries.chains(store, run=id_)
    tables: dict[str, tuple[pa.Schema, Iterable[dict[str, Any]]]] = {
        "episodes": (EPISODES, (_episode(row) for row in episodes)),
        "actions": (ACTIONS, (row for one in episodes for row in _actions(store, one))),
        "scores": (SCORES, map(msgspec.structs.asdict, queries.scores(store, run=id_))),
        "calls": (CALLS, map(msgspec.structs.asdict, queries.calls(store, run=id_))),
        "chains": (CHAINS, (_chain(row) for row in chains)),
        "memories": (MEMORIES, _memories(store, id_, chains)),
    }
    paths = {name: folder / f"{name}.parquet" for name in tables}
    with ExitStack() as together:
        for name, (schema, rows) in tables.items():
            _write(together.enter_context(atomic_write(paths[name])), schema, rows)
    return paths


def _write(path: Path, schema: pa.Schema, rows: Iterable[dict[str, Any]]) -> None:
    waiting = iter(rows)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := list(islice(waiting, _BATCH)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))


def _episode(row: EpisodeRow) -> dict[str, Any]:
    values = msgspec.structs.asdict(row)
    return {**values, "episode": values.pop("id")}


def _chain(row: ChainRow) -> dict[str, Any]:
    values = msgspec.structs.asdict(row)
    return {**values, "chain": values.pop("id")}


def _memories(store: EventStore, run: str, chains: Sequence[ChainRow]) -> Iterator[dict[str, Any]]:
    places = {chain.id: place for place, chain in enumerate(chains)}
    for row in sorted(queries.memories_of_run(store, run), key=lambda row: places[row.chain]):
        yield {"run": run, **msgspec.structs.asdict(row)}


def _actions(store: EventStore, row: EpisodeRow) -> Iterator[dict[str, Any]]:
    if row.started_at is None:
        return
    own = stream_name("episode", row.id)
    cast: tuple[str, ...] = ()
    minds: tuple[str, ...] = ()
    for number, envelope, event in read_history(store, row.id):
        match event:
            case EpisodeStarted():
                cast = event.characters
                minds = tuple(mind.name for mind in event.minds)
            case EpisodeForked():
                minds = tuple(mind.name for mind in event.minds)
            case ActionTaken():
                yield {
                    "run": row.run,
                    "episode": row.id,
                    "number": number,
                    "turn": event.turn,
                    "seat": event.seat,
                    "character": _of_seat(cast, event.seat),
                    "mind": _of_seat(minds, event.seat),
                    "action": msgspec.json.encode(event.action).decode(),
                    "kind": getattr(event.action, "kind", None),
                    "text": getattr(event.action, "text", None),
                    "to": getattr(event.action, "to", None),
                    "inherited": envelope.stream != own,
                    "failure": event.failure.reason if event.failure else None,
                    "failure_detail": event.failure.detail if event.failure else None,
                    "recorded_at": envelope.recorded_at,
                }


def _of_seat(words: tuple[str, ...], seat: int) -> str | None:
    return words[seat] if 0 <= seat < len(words) else None
