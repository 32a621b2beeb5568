"""Parts of long lists, in any order, as fast for the last part as for the first. Blocking."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from store import selections
from store.log import EventStore
from store.projections import tables as t
from store.projections.episodes import EPISODES
from store.projections.projector import catch_up
from store.projections.runs import RUNS
from store.projections.scores import SCORES
from store.records import EpisodeRow, RunRow

Conditions = Sequence[sa.ColumnElement[bool]]
Order = Sequence[sa.ColumnElement[Any]]


def runs(store: EventStore, conditions: Conditions, order: Order, most: int) -> list[RunRow]:
    """The first ``most`` runs that meet all conditions, in an order."""
    catch_up(store, RUNS, EPISODES)
    query = selections.RUNS.where(*conditions).order_by(None).order_by(*order).limit(most)
    with store.engine.connect() as connection:
        return [RunRow(**row._asdict()) for row in connection.execute(query)]


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


class AtWork(NamedTuple):
    """A judge that has judged."""

    name: str
    hash: str
    kind: str
    evaluations: int
    """That stand."""
    last: str
    """The id of one of them."""


def judges_at_work(store: EventStore, hash_: str = "") -> list[AtWork]:
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
        return [AtWork(*row) for row in connection.execute(query)]
