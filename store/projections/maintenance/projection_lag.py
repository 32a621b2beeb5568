"""How far projections are behind the log."""

from typing import NamedTuple

import sqlalchemy as sa

from store.database.tables import log
from store.log.event_store import EventStore
from store.metrics import projection_lag
from store.projections.maintenance.projector import position
from store.projections.projection import Projection
from store.projections.registry import PROJECTIONS

_WAITING = (
    sa.select(sa.func.count())
    .select_from(log)
    .where(
        log.c.position > sa.bindparam("after"),
        log.c.position <= sa.bindparam("upto"),
        log.c.tag.in_(sa.bindparam("tags", expanding=True)),
    )
)


class _Counted(NamedTuple):
    """Events that wait for a projection."""

    reached: int
    """The last position in its rows."""
    upto: int
    """The last position that was looked at."""
    waiting: int
    """Between the two, those with one of its tags."""


class Lags:
    """Counts again and again. Each event is looked at once, whether anybody asks for the rows that
    it goes into or not: else each look would read the log from where somebody last did."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._counted: dict[str, _Counted] = {}

    def look(self) -> dict[str, int]:
        """How many events wait to go into the rows of each projection; also sets the metric.
        Blocking."""
        found = {}
        head = self.store.head()
        for name, projection in PROJECTIONS.items():
            counted = self._counted[name] = self._count(projection, head)
            found[name] = counted.waiting
            projection_lag.labels(name).set(counted.waiting)
        return found

    def _count(self, projection: Projection, head: int) -> _Counted:
        reached = position(self.store, projection)
        before = self._counted.get(projection.name)
        if before is None or before.reached != reached:
            before = _Counted(reached, reached, 0)
        if head <= before.upto:
            return before
        between = {"after": before.upto, "upto": head, "tags": projection.tags}
        with self.store.engine.connect() as connection:
            new: int = connection.execute(_WAITING, between).scalar_one()
        return _Counted(reached, head, before.waiting + new)
