"""The list of one run's episodes: filtered, searched, ordered, and read page by page.

Every answer costs what its page holds and one walk over the run's rows; nothing is kept between.
"""

import json
from collections.abc import Sequence
from typing import Any, Final, Literal, get_args

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from store.database.id_batches import in_batches
from store.log.event_store import EventStore
from store.log.rows import listed
from store.projections import tables as t
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import catch_up
from store.read_model import selections
from store.read_model.records import EpisodeRow, EpisodeStatus

Order = Literal["plan", "title", "status", "turns", "failures", "started", "lasted"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)
MOST: Final = 500
"""Rows of one page."""
_LAST: Final = 2**62
MOST_NAMED: Final = 30_000
"""Ids in one condition: databases limit how many a statement may name."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which episodes of a run are meant. What is empty is not asked for."""

    run: str
    """Id in full."""
    text: str = ""
    """Words, all of which are in an episode's id, scenario, task, characters, minds or ending;
    small letters and capitals are the same."""
    status: EpisodeStatus | Literal[""] = ""
    mind: str = ""
    """It sits in some seat."""
    partner: str = ""
    """It sits in some other seat than ``mind`` does."""
    scenario: str = ""
    """The scenario's id, or its title where it has none."""
    task: str = ""
    chain: str = ""
    ending: str = ""
    """Why it ended, or was given up."""
    failures: bool = False
    """Actions failed in it."""
    ids: tuple[str, ...] | None = None
    """One of these; None: any. The first ``MOST_NAMED`` count."""
    forks: bool = False
    """It is a fork."""


class Cursor(msgspec.Struct, frozen=True, array_like=True):
    """Where a page begins or ends: a row's value in the order, and its id."""

    value: int | str
    id: str


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Some rows that follow each other."""

    rows: tuple[EpisodeRow, ...]
    cursors: tuple[Cursor, ...]
    """One a row."""
    total: int | None
    """How many episodes are meant in all; None for a page beside a cursor."""


def page_of_episodes(
    store: EventStore,
    wanted: Wanted,
    order: Order = "plan",
    *,
    descending: bool = False,
    limit: int = 100,
    skip: int = 0,
    after: Cursor | None = None,
) -> Page:
    """The first so many, those behind ``skip`` others, or those right after a row.

    ``plan``: as they were planned, forks behind them by age. Rows that are alike come by id.
    """
    catch_up(store, EPISODES)
    value, id_ = _value(order), t.episodes.c.id
    # A search reads every row's texts: whoever counts meanwhile need not do so again.
    total = sa.func.count().over() if wanted.text and not after else sa.null()
    query = sa.select(id_, value.label("value"), total.label("total")).where(*_conditions(wanted))
    if after is not None:
        beyond = value < after.value if descending else value > after.value
        query = query.where(beyond | ((value == after.value) & (id_ > after.id)))
    query = query.order_by(value.desc() if descending else value.asc(), id_.asc())
    query = query.limit(min(limit, MOST)).offset(skip)
    with store.engine.connect() as connection:
        found = connection.execute(query).all()
    rows = episodes_by_id(store, [row.id for row in found])
    there = [(rows[row.id], Cursor(row.value, row.id)) for row in found if row.id in rows]
    return Page(
        rows=tuple(one for one, _ in there),
        cursors=tuple(cursor for _, cursor in there),
        total=_total(store, wanted, found, skip) if after is None else None,
    )


def _total(store: EventStore, wanted: Wanted, found: Sequence[Any], skip: int) -> int:
    if wanted.text and (found or not skip):
        return found[0].total if found else 0
    query = sa.select(sa.func.count()).select_from(t.episodes).where(*_conditions(wanted))
    with store.engine.connect() as connection:
        count: int = connection.execute(query).scalar_one()
    return count


def episode_ids(store: EventStore, wanted: Wanted) -> list[str]:
    """The ids of all of them, in no order."""
    catch_up(store, EPISODES)
    with store.engine.connect() as connection:
        ids = listed(connection, t.episodes.c.id)
        text = connection.execute(sa.select(ids).where(*_conditions(wanted))).scalar()
    return msgspec.json.decode(text or "[]", type=list[str])


def episodes_by_id(store: EventStore, ids: Sequence[str]) -> dict[str, EpisodeRow]:
    """Some episodes by their ids in full; one that is not there is left out."""
    found: dict[str, EpisodeRow] = {}
    with store.engine.connect() as connection:
        for some in in_batches(ids):
            query = selections.EPISODES.order_by(None).where(t.episodes.c.id.in_(some))
            for row in connection.execute(query):
                found[row.id] = EpisodeRow(**row._asdict())
    return found


def _conditions(wanted: Wanted) -> list[sa.ColumnElement[bool]]:
    c = t.episodes.c
    found: list[sa.ColumnElement[bool]] = [c.run == wanted.run, c.superseded_by == ""]
    minds = _stored(c.minds)
    if wanted.status:
        found.append(c.status == wanted.status)
    if wanted.mind:
        found.append(minds.contains(_quoted(wanted.mind), autoescape=True))
    if wanted.partner and wanted.partner != wanted.mind:
        found.append(minds.contains(_quoted(wanted.partner), autoescape=True))
    elif wanted.partner:
        twice = minds.like(_like(_quoted(wanted.mind)) * 2, escape="/")
        found.append(twice)
    if wanted.scenario:
        untitled = (c.scenario_id == "") & (c.scenario == wanted.scenario)
        found.append((c.scenario_id == wanted.scenario) | untitled)
    for column, value in ((c.task, wanted.task), (c.chain, wanted.chain)):
        if value:
            found.append(column == value)
    if wanted.ending:
        found.append(c.end_reason == wanted.ending)
    if wanted.failures:
        found.append(c.failed_actions > 0)
    if wanted.ids is not None:
        found.append(c.id.in_(wanted.ids[:MOST_NAMED]))
    if wanted.forks:
        found.append(c.parent.is_not(None))
    return found + [_has(word) for word in wanted.text.lower().split()]


def _has(word: str) -> sa.ColumnElement[bool]:
    c = t.episodes.c
    names = (_stored(c.characters), _stored(c.minds))
    # Written as JSON, names have some letters otherwise.
    inside = json.dumps(word, ensure_ascii=False)[1:-1]
    return sa.or_(
        *(_LowContains(place, _like(word)) for place in (c.scenario, c.id, c.task, c.end_reason)),
        *(_LowContains(place, _like(inside)) for place in names),
    )


class _LowContains(FunctionElement[bool]):
    """Whether a text has a part that matches a pattern of small letters, capitals being the
    same."""

    name = "low_contains"
    type = sa.Boolean()
    inherit_cache = True


@compiles(_LowContains)
def _lowered(element: _LowContains, compiler: SQLCompiler, **more: Any) -> str:
    text, pattern = (compiler.process(one, **more) for one in element.clauses)
    return f"lower({text}) LIKE {pattern} ESCAPE '/'"


@compiles(_LowContains, "sqlite")
def _as_it_is(element: _LowContains, compiler: SQLCompiler, **more: Any) -> str:
    # There LIKE takes the letters that lower() changes for the same, in a third of the time.
    text, pattern = (compiler.process(one, **more) for one in element.clauses)
    return f"{text} LIKE {pattern} ESCAPE '/'"


def _value(order: Order) -> sa.ColumnElement[Any]:
    c = t.episodes.c
    values: dict[Order, sa.ColumnElement[Any]] = {
        "plan": t.placed,
        "title": sa.case((c.scenario != "", c.scenario), else_=c.task),
        "status": c.status,
        "turns": c.turns,
        "failures": c.failed_actions,
        "started": sa.func.coalesce(c.started_at, _LAST),
        "lasted": sa.func.coalesce(c.ended_at - c.started_at, -1),
    }
    return values[order]


def _stored(column: sa.Column[Any]) -> sa.ColumnElement[str]:
    """A list of names as the text that it is stored as."""
    return sa.type_coerce(column, sa.Text)


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _like(text: str) -> str:
    """A pattern: anything with this text in it."""
    return f"%{''.join(f'/{letter}' if letter in '/%_' else letter for letter in text)}%"
