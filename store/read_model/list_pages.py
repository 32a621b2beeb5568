"""Parts of long lists, in any order, as fast for the last part as for the first. Blocking."""

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from events.base import Envelope
from events.wire.subjects import split_stream
from store.database.id_batches import in_batches
from store.log.event_store import EventStore
from store.projections import tables as t
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import catch_up
from store.projections.runs import RUNS
from store.projections.scores import SCORES
from store.read_model import selections
from store.read_model.records import EpisodeRow, RunRow

Conditions = Sequence[sa.ColumnElement[bool]]
Order = Sequence[sa.ColumnElement[Any]]
_FEW = 2_000
"""Events that are looked through for the runs that they changed; beyond, all are read anew."""
_KEPT = 2_000
"""Rows of runs that are kept, those asked for last: a server sees any number of runs."""


class RunRows:
    """Runs as lists show them, kept while nothing happens to them: counting the episodes of a
    hundred long runs takes as long as a hundred short lists."""

    def __init__(self, store: EventStore, tags: Sequence[str], kept: int = _KEPT) -> None:
        """``tags``: of all events after which a run's row is another one. ``kept``: the most rows
        that are."""
        self._store, self._tags, self._kept = store, tags, kept
        self._rows: dict[str, RunRow] = {}
        self._head = 0
        self._lock = threading.Lock()

    def first(self, conditions: Conditions, order: Order, most: int) -> list[RunRow]:
        """The first ``most`` runs that meet all conditions, in an order."""
        catch_up(self._store, RUNS, EPISODES)
        query = sa.select(t.runs.c.id).where(*conditions).order_by(*order).limit(most)
        with self._lock, self._store.engine.connect() as connection:
            self._forget_changed()
            ids = list(connection.execute(query).scalars())
            missing = [id_ for id_ in ids if id_ not in self._rows]
            for some in in_batches(missing):
                for row in connection.execute(selections.RUNS.where(t.runs.c.id.in_(some))):
                    self._rows[row.id] = RunRow(**row._asdict())
            found = [self._rows.pop(id_) for id_ in ids]
            self._rows.update({row.id: row for row in found})
            for id_ in list(self._rows)[: -self._kept]:
                del self._rows[id_]
            return found

    def __len__(self) -> int:
        """How many rows are kept."""
        return len(self._rows)

    def _forget_changed(self) -> None:
        head = self._store.head()
        found = self._store.read_all(self._head, tags=self._tags, limit=_FEW)
        changed = {_run_of(envelope) for envelope in found}
        if len(found) == _FEW or "" in changed:
            self._rows.clear()
        for run in changed:
            self._rows.pop(run, None)
        # What is appended from here on is looked at again: it may be in the rows or not.
        self._head = max(head, self._head)


def _run_of(envelope: Envelope) -> str:
    """The run that an event changes; empty: nobody knows."""
    kind, id_ = split_stream(envelope.stream)
    return id_ if kind == "run" else envelope.correlation if kind == "episode" else ""


def keyed_episodes(
    store: EventStore,
    conditions: Conditions,
    order: Order,
    most: int,
    key: sa.ColumnElement[Any],
) -> tuple[list[EpisodeRow], list[Any]]:
    """The same of episodes, and of each its ``key``, which may be no field of theirs."""
    catch_up(store, EPISODES)
    query = selections.EPISODES.add_columns(key.label("_key")).where(*conditions)
    query = query.order_by(None).order_by(*order).limit(most)
    rows, keys = [], []
    with store.engine.connect() as connection:
        for row in connection.execute(query):
            found = row._asdict()
            keys.append(found.pop("_key"))
            rows.append(EpisodeRow(**found))
    return rows, keys


def contains(columns: Sequence[sa.ColumnElement[Any]], text: str) -> sa.ColumnElement[bool]:
    """Condition: one of the columns has a text in it, whatever its case (of ASCII on SQLite)."""
    wanted = text.lower()
    return sa.or_(
        *(
            sa.func.lower(sa.cast(column, sa.Text)).contains(wanted, autoescape=True)
            for column in columns
        )
    )


class JudgeActivity(NamedTuple):
    name: str
    hash: str
    kind: str
    evaluations: int
    """That stand."""
    last: str
    """The id of one of them."""


def judges_at_work(store: EventStore, hash_: str = "") -> list[JudgeActivity]:
    """All judges that have judged, or the one with a hash, by name."""
    catch_up(store, SCORES)
    c = t.evaluations.c
    query = (
        sa.select(
            sa.func.max(c.judge),
            c.judge_hash,
            sa.func.max(c.judge_kind),
            sa.func.count(),
            sa.func.max(c.id),
        )
        .where(c.superseded_by == "", c.judge_hash != "")
        .group_by(c.judge_hash)
        .order_by(sa.func.max(c.judge), c.judge_hash)
    )
    if hash_:
        query = query.where(c.judge_hash == hash_)
    with store.engine.connect() as connection:
        return [JudgeActivity(*row) for row in connection.execute(query)]
