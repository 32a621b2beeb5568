"""The tables for analysis, read in batches: what exports write and notebooks load.

Conditions go to the database where it knows what they are about; what stands in events alone, as
what an action says, is looked at after reading.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import sqlalchemy as sa

from events.episode import EpisodeStarted
from store.database.id_batches import in_batches
from store.log.event_store import EventStore
from store.parquet.action_tables import actions, beginnings
from store.parquet.schemas import EPISODES, SCHEMAS
from store.parquet.score_tables import DerivedScores, derived_scores, scores
from store.projections import tables as t
from store.read_model import queries, selections
from store.read_model.read_scores import planned_episodes, read_scores
from store.read_model.records import EpisodeRow
from store.read_model.score_arrays import ScoreArrays

Record = TypeVar("Record", bound=msgspec.Struct)
_BATCH = 20_000
"""Rows in memory at once."""

Filters = Mapping[str, Sequence[Any]]
"""By a column of ``FILTERS`` the values that it may have; ids and hashes in full."""
Labels = Callable[[EpisodeStarted], Mapping[str, str]]
"""What can be said of how an episode began, by a short name; a column of ``episodes`` each."""
Tags = Callable[[EpisodeStarted], Sequence[str]]
"""An episode's tags."""


class RunContext(msgspec.Struct, frozen=True, kw_only=True):
    """What the store alone does not know of a run."""

    tags: Tags = lambda started: started.tags
    labels: Labels = lambda _: {}
    derived: Callable[[ScoreArrays], DerivedScores | None] = lambda _: None
    """The scores that are worked out from others."""
    derives: Sequence[str] = ()
    """The dimensions that ``derived`` gives."""


_R, _E, _V, _K, _H, _M = (
    table.c for table in (t.runs, t.episodes, t.evaluations, t.calls, t.chains, t.memories)
)
_VERBATIM: Mapping[str, Mapping[str, sa.ColumnElement[Any]]] = {
    "runs": {"run": _R.id, "name": _R.name, "catalog": _R.catalog, "status": _R.status},
    "episodes": {
        "episode": _E.id,
        **{
            name: _E[name]
            for name in (
                "run", "task", "catalog", "scenario_id", "scenario", "status", "parent", "chain",
            )
        },
    },
    "evaluations": {
        "run": selections.evaluation_run,
        "evaluation": _V.id,
        **{name: _V[name] for name in ("episode", "judge", "judge_kind", "judge_hash", "status")},
    },
    "calls": {
        "episode": selections.called_episode,
        **{
            name: _K[name]
            for name in ("run", "seat", "evaluation", "purpose", "model", "chain")
        },
    },
    "chains": {
        "chain": _H.id,
        **{name: _H[name] for name in ("run", "catalog", "memory", "module", "status")},
    },
    "memories": {
        "index": _M.index_,
        **{name: _M[name] for name in ("chain", "seat", "episode", "writer")},
    },
}  # fmt: skip
"""The columns of the database that are what tables show."""
_OF_EVALUATION = ("episode", "judge", "judge_kind", "judge_hash", "evaluation")
_OF_SCORE = ("seat", "dimension", "status", "mind")
FILTERS: Mapping[str, tuple[str, ...]] = {
    **{name: tuple(columns) for name, columns in _VERBATIM.items()},
    "episodes": (*_VERBATIM["episodes"], "minds"),
    "actions": ("run", "episode", "seat", "mind", "kind", "failure"),
    "scores": ("run", *_OF_EVALUATION, *_OF_SCORE),
    "chains": (*_VERBATIM["chains"], "minds"),
    "memories": ("run", *_VERBATIM["memories"]),
}
"""The columns of each table by whose values it can be narrowed; of ``minds`` one has to be it."""


def read_frame(
    store: EventStore, table: str, filters: Filters, beyond: RunContext
) -> Iterator[pa.Table]:
    """The rows of one of ``SCHEMAS`` that have the values asked for, in batches. Blocking."""
    match table:
        case "runs":
            runs = queries.runs_where(store, _where(table, filters))
            return _records(table, runs, run=attrgetter("id"))
        case "episodes":
            return _episodes(store, filters, beyond)
        case "actions":
            return _actions(store, filters)
        case "scores":
            return _scores(store, filters, beyond)
        case "evaluations":
            standing = selections.standing_evaluation & _where(table, filters)
            evaluations = queries.evaluations_where(store, standing)
            return _records(table, evaluations, evaluation=attrgetter("id"))
        case "calls":
            return _records(table, queries.calls_where(store, _where(table, filters)))
        case "chains":
            chains = queries.chains_where(store, _where(table, filters))
            return _records(table, chains, chain=attrgetter("id"))
        case _:
            return _memories(store, filters)


def _where(table: str, filters: Filters) -> sa.ColumnElement[bool]:
    """What the database is asked: all of the filters that are about its columns."""
    conditions: list[sa.ColumnElement[bool]] = [sa.true()]
    for name, values in filters.items():
        if name in _VERBATIM[table]:
            conditions.append(_among(_VERBATIM[table][name], values))
        elif name == "minds":
            minds = (_E if table == "episodes" else _H).minds
            conditions.append(sa.or_(sa.false(), *(_holds(minds, str(value)) for value in values)))
    return sa.and_(*conditions)


def _among(column: sa.ColumnElement[Any], values: Sequence[Any]) -> sa.ColumnElement[bool]:
    there = [value for value in values if value is not None]
    found = column.in_(there)
    return found if len(there) == len(values) else found | column.is_(None)


def _holds(names: sa.ColumnElement[Any], name: str) -> sa.ColumnElement[bool]:
    """Whether a list of names, which is stored as JSON, has this one in it."""
    written = msgspec.json.encode(name).decode()
    # Not LIKE, which on SQLite does not tell capitals apart.
    return sa.func.replace(sa.type_coerce(names, sa.Text), written, "") != sa.type_coerce(
        names, sa.Text
    )


def _episodes(store: EventStore, filters: Filters, beyond: RunContext) -> Iterator[pa.Table]:
    rows = _run_by_run(store, queries.episodes(store, where=_where("episodes", filters)))
    if rows:
        yield episodes_table(store, rows, beyond)


def _run_by_run(store: EventStore, rows: list[EpisodeRow]) -> list[EpisodeRow]:
    """Episodes in the order of their runs, the oldest first, and within each as they come."""
    if len({row.run for row in rows}) < 2:
        return rows
    places = {row.id: place for place, row in enumerate(queries.runs(store))}
    return sorted(rows, key=lambda row: places.get(row.run, -1))


def episodes_table(store: EventStore, rows: Sequence[EpisodeRow], beyond: RunContext) -> pa.Table:
    """Some episodes as one table, with the columns that their environments bring."""
    runs = dict.fromkeys(row.run for row in rows if row.run)
    planned = {one.id: one for run in runs for one in planned_episodes(store, run)}
    tags: dict[str, list[str]] = {}
    labels: dict[str, Mapping[str, str]] = {}
    # One after the other: how an episode began is the largest part of it.
    for id_, started in beginnings(store, rows):
        tags[id_], labels[id_] = list(beyond.tags(started)), beyond.labels(started)
    beside: dict[str, list[Any]] = {
        "episode": [row.id for row in rows],
        "seed": [planned[row.id].seed if row.id in planned else None for row in rows],
        "hard": [row.id in planned and planned[row.id].hard for row in rows],
        "tags": [tags.get(row.id) for row in rows],
    }
    columns = [
        pa.array(beside[name] if name in beside else [getattr(row, name) for row in rows], kind)
        for name, kind in zip(EPISODES.names, EPISODES.types, strict=True)
    ]
    table = pa.Table.from_arrays(columns, schema=EPISODES)
    for name in sorted({name for values in labels.values() for name in values}):
        words = [labels.get(row.id, {}).get(name) for row in rows]
        table = table.append_column(name, pa.array(words, pa.string()))
    return table


def _actions(store: EventStore, filters: Filters) -> Iterator[pa.Table]:
    of_episode = {name: values for name, values in filters.items() if name in ("run", "episode")}
    rows = queries.episodes(store, where=_where("episodes", of_episode))
    if "mind" in filters:
        # Of a fork others may have acted before.
        there = set(filters["mind"])
        rows = [row for row in rows if row.parent is not None or there & set(row.minds)]
    for table in actions(store, _run_by_run(store, rows)):
        yield _narrowed(table, filters)


def _scores(store: EventStore, filters: Filters, beyond: RunContext) -> Iterator[pa.Table]:
    # A row of the database has all scores of an evaluation.
    of_evaluation = {name: filters[name] for name in _OF_EVALUATION if name in filters}
    of_score = {name: filters[name] for name in _OF_SCORE if name in filters}
    conditions = [_where("evaluations", of_evaluation)] if of_evaluation else []
    worked_out = set(beyond.derives) & set(filters.get("dimension", beyond.derives))
    derives = bool(worked_out) and "evaluation" not in filters
    for run in _runs(store, filters):
        arrays = read_scores(store, (run,), facts_only=not derives)
        for table in scores(store, run, arrays, conditions):
            yield _narrowed(table, of_score)
        if derives and (more := beyond.derived(arrays)) is not None:
            yield _narrowed(derived_scores(arrays, more), filters)


def _runs(store: EventStore, filters: Filters) -> list[str]:
    """The runs that scores may be of, the oldest first; then the empty word, where an episode is
    named that belongs to none, as forks do."""
    wanted = {"run": filters["run"]} if "run" in filters else {}
    if "episode" in filters and not wanted:
        rows = queries.episodes(store, where=_among(_E.id, filters["episode"]), superseded=True)
        wanted = {"run": [row.run for row in rows]}
    found = [row.id for row in queries.runs_where(store, _where("runs", wanted))]
    return [*found, ""] if "" in wanted.get("run", ()) else found


def _memories(store: EventStore, filters: Filters) -> Iterator[pa.Table]:
    of_chain = {name: filters[name] for name in ("run", "chain") if name in filters}
    chains = queries.chains_where(store, _where("chains", of_chain))
    runs = {chain.id: chain.run for chain in chains}
    places = {chain.id: place for place, chain in enumerate(chains)}
    found = queries.memories_where(store, _where("memories", filters))
    there = sorted((row for row in found if row.chain in runs), key=lambda row: places[row.chain])
    yield from _records("memories", there, run=lambda row: runs[row.chain])


def _narrowed(table: pa.Table, filters: Filters) -> pa.Table:
    """The rows whose columns have the values asked for."""
    for name, values in filters.items():
        column = table.column(name)
        mask = pc.is_in(column, pa.array([v for v in values if v is not None], column.type))
        if None in values:
            mask = pc.or_(mask, pc.is_null(column))
        table = table.filter(mask)
    return table


def _records(
    name: str, rows: Sequence[Record], **of: Callable[[Record], object]
) -> Iterator[pa.Table]:
    """Records as tables; ``of``: what a column has of a record, where that is not the attribute of
    its name."""
    schema = SCHEMAS[name]
    values = [of.get(column) or attrgetter(column) for column in schema.names]
    for batch in in_batches(rows, _BATCH):
        columns = [
            pa.array([value(row) for row in batch], kind)
            for value, kind in zip(values, schema.types, strict=True)
        ]
        yield pa.Table.from_arrays(columns, schema=schema)
