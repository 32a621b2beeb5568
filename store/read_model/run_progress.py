"""How far a run is and how fast it goes: a few counts, cheap enough to be asked every second."""

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from store.log.event_store import EventStore
from store.projections import tables as t
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import catch_up
from store.projections.runs import RUNS
from store.projections.scores import SCORES
from store.read_model.selections import own_episode


class RunProgress(NamedTuple):
    playing: int
    """Planned episodes under way."""
    evaluations_ended: int
    """By its own judges; of those made again the newest counts."""
    evaluations_failed: int
    episodes_lately: int
    """Planned episodes that came to an end, or were given up, since some moment."""
    evaluations_lately: int
    """The same of evaluations."""


def run_pace(store: EventStore, run: str, judges: Collection[str], since: int) -> RunProgress:
    """Of a run (id in full) with judges of some hashes; ``since`` is in microseconds since 1970,
    UTC."""
    catch_up(store, RUNS, EPISODES, SCORES)
    episodes, evaluations = t.episodes.c, t.evaluations.c
    of_episodes = sa.select(
        _count(episodes.status == "playing"), _count(episodes.ended_at >= since)
    ).where(episodes.run == run, own_episode, episodes.superseded_by == "")
    of_evaluations = sa.select(
        _count(evaluations.status == "ended"),
        _count(evaluations.status == "failed"),
        _count(evaluations.ended_at >= since),
    ).where(
        evaluations.run == run,
        evaluations.superseded_by == "",
        evaluations.judge_hash.in_(list(judges)),
    )
    with store.engine.connect() as connection:
        playing, over = connection.execute(of_episodes).one()
        ended, failed, judged = connection.execute(of_evaluations).one()
    return RunProgress(playing, ended, failed, over, judged)


def _count(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return sa.func.coalesce(sa.func.sum(sa.case((condition, 1), else_=0)), 0)
