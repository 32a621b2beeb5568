"""What one judge gave some episodes, as many as a page holds."""

from collections.abc import Sequence

import sqlalchemy as sa

from store.log.event_store import EventStore
from store.projections import tables as t
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import catch_up
from store.projections.score_texts import scores_in
from store.projections.scores import SCORES


def scores_by_judge(
    store: EventStore, judge: str, episodes: Sequence[str]
) -> list[tuple[str, int, str, str, float | None]]:
    """Of some episodes (ids in full), as many as a page holds: episode, seat, dimension, status and
    value, evaluations in the order they were begun."""
    s, e = t.scores.c, t.evaluations.c
    query = (
        sa.select(e.episode, s.kinds, s.numbers)
        .select_from(t.evaluations.join(t.scores, s.evaluation == e.id))
        .where(e.episode.in_(episodes), e.judge_hash == judge, e.superseded_by == "")
        .order_by(e.started_at, e.id)
    )
    catch_up(store, EPISODES, SCORES)
    with store.engine.connect() as connection:
        return [
            (episode, *score)
            for episode, kinds, numbers in connection.execute(query)
            for score in scores_in(kinds, numbers)
        ]
