"""What one judge gave the episodes of a run in one dimension: enough to put them in order."""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from store.log import EventStore
from store.projections import tables as t
from store.projections.episodes import EPISODES
from store.projections.projector import catch_up
from store.projections.scores import SCORES
from store.selections import standing_evaluation


class EpisodeMean(NamedTuple):
    """An episode, as one evaluation of it has it."""

    episode: str
    mean: float | None
    """Over the seats that were scored; None: none was."""
    scored: int
    """Seats with a score."""
    failed: int
    """Seats whose score is missing because the judge failed."""
    abstained: int
    """Seats that the judge declined to score."""


class SeatValues(NamedTuple):
    """A seat of an episode, as one evaluation has it."""

    episode: str
    evaluation: str
    values: tuple[float | None, ...]
    """One for each dimension that was asked for."""
    failed: int
    """Dimensions that are missing because the judge failed."""


def episode_means(store: EventStore, run: str, judge: str, dimension: str) -> list[EpisodeMean]:
    """By the judge with this hash; evaluations in the order they were begun, so that of an episode
    that was read twice the later comes later. Takes an id in full. Blocking."""
    c, count = t.scores.c, sa.func.count
    query = (
        sa.select(
            t.evaluations.c.episode,
            sa.func.avg(c.value),
            count(c.value),
            sa.func.sum(sa.case((c.status == "failed", 1), else_=0)),
            sa.func.sum(sa.case((c.status == "abstained", 1), else_=0)),
        )
        .select_from(_of_judge())
        .where(*_which(run, judge), c.dimension == dimension)
        .group_by(t.evaluations.c.id, t.evaluations.c.episode, t.evaluations.c.started_at)
        .order_by(t.evaluations.c.started_at, t.evaluations.c.id)
    )
    catch_up(store, EPISODES, SCORES)
    with store.engine.connect() as connection:
        # PostgreSQL answers sums of big integers as decimals.
        return [
            EpisodeMean(episode, mean, scored, int(failed), int(abstained))
            for episode, mean, scored, failed, abstained in connection.execute(query)
        ]


def seat_values(
    store: EventStore, run: str, judge: str, dimensions: Sequence[str]
) -> list[SeatValues]:
    """The same seat by seat, with several dimensions beside each other."""
    c, e = t.scores.c, t.evaluations.c
    query = (
        sa.select(
            e.episode,
            e.id,
            *(sa.func.max(sa.case((c.dimension == name, c.value))) for name in dimensions),
            sa.func.sum(sa.case((c.status == "failed", 1), else_=0)),
        )
        .select_from(_of_judge())
        .where(*_which(run, judge), c.dimension.in_(dimensions))
        .group_by(e.id, e.episode, e.started_at, c.seat)
        .order_by(e.started_at, e.id)
    )
    catch_up(store, EPISODES, SCORES)
    with store.engine.connect() as connection:
        return [
            SeatValues(row[0], row[1], tuple(row[2:-1]), int(row[-1]))
            for row in connection.execute(query)
        ]


def scores_by_judge(
    store: EventStore, judge: str, episodes: Sequence[str]
) -> list[tuple[str, int, str, str, float | None]]:
    """Of some episodes (ids in full), as many as a page holds: episode, seat, dimension, status and
    value, evaluations in the order they were begun."""
    c, e = t.scores.c, t.evaluations.c
    query = (
        sa.select(e.episode, c.seat, c.dimension, c.status, c.value)
        .select_from(t.evaluations.join(t.scores, c.evaluation == e.id))
        .where(e.episode.in_(episodes), e.judge_hash == judge, e.superseded_by == "")
        .order_by(e.started_at, e.id, c.seat)
    )
    catch_up(store, EPISODES, SCORES)
    with store.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(query)]


def _of_judge() -> sa.FromClause:
    scored = t.evaluations.join(t.scores, t.scores.c.evaluation == t.evaluations.c.id)
    return scored.outerjoin(t.episodes, t.episodes.c.id == t.evaluations.c.episode)


def _which(run: str, judge: str) -> tuple[sa.ColumnElement[bool], ...]:
    e = t.evaluations.c
    of_run = (e.run == run) | ((e.run == "") & (t.episodes.c.run == run))
    return of_run, e.judge_hash == judge, standing_evaluation
