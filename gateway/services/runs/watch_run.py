"""What there is to see of a run while it goes on, whichever process carries it out."""

import time
from collections.abc import Iterator

from actors.runs.execution.run_cache import RunCache
from actors.runs.state import Hold, Note, RunState, run_stream
from events.base import Value
from events.episode import EpisodeEnded, EpisodeFailed
from events.run import Budget, RunPlanned, RunResumed
from events.serialization.codec import event_of
from events.serialization.fingerprints import judge_hash
from events.wire.subjects import split_stream
from gateway.services.runs.awaited_seats import AwaitedSeat, awaited_seats
from gateway.services.runs.run_status import Standing, standings
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EpisodeRow, RunRow
from store.read_model.run_progress import run_pace

WINDOW_S = 300.0
"""Rates are those of so many seconds past, or since the run began or was resumed."""
ASK_FLEET_S = 5.0
"""How often a fleet is asked who carries the run out, in seconds."""
LOOK_S = 1.0
"""How often a run is looked at, in seconds."""
OVER_LOOKS = 2
"""It must be over in so many looks."""
_BATCH = 1000


class Moment(Value, frozen=True, kw_only=True):
    """A run at a moment."""

    run: str
    at: int
    """Microseconds since 1970, UTC."""
    standing: Standing
    episodes: int
    """Planned."""
    episodes_ended: int
    episodes_failed: int
    """Given up."""
    playing: int
    """Under way."""
    evaluations: int
    """There will be as many, one for each episode that ends and judge."""
    evaluations_ended: int
    evaluations_failed: int
    episodes_per_minute: float
    evaluations_per_minute: float
    left_s: float | None
    """Seconds until all is done at this pace; None: unknown."""
    usd: float
    """Spent so far; models of unknown price count in tokens only."""
    tokens: int
    budget: Budget
    holds: tuple[Hold, ...] = ()
    """Models that fail, so that calls wait."""
    notes: tuple[Note, ...] = ()
    """What became of models."""
    awaited: tuple[AwaitedSeat, ...] = ()
    """Remote seats that are asked something, whoever has waited longest first."""


class RunStatusReader:
    """How one run stands, looked at again and again; a fleet is not asked at every look.
    Blocking."""

    def __init__(self, settings: Settings, store: EventStore, run: str) -> None:
        """``run``: an id in full."""
        self.settings, self.store, self.run = settings, store, run
        self._known: Standing | None = None
        self._asked_at = 0.0
        self._looked_at = -LOOK_S
        self._over = 0

    def of(self, row: RunRow) -> Standing:
        """How the run stands whose row this is now."""
        now = time.monotonic()
        known = self._known
        old = now - self._asked_at >= (0.0 if self.settings.embedded_nats else ASK_FLEET_S)
        if known is None or old or row.status != "running":
            known = standings(self.settings, self.store, [row])[0].standing
            self._known, self._asked_at = known, now
        return known

    @property
    def now(self) -> Standing:
        return self.of(queries.run(self.store, self.run))

    def more(self) -> bool:
        """Whether more of the run is to come. It must be over in some looks, one a second: what is
        under way finishes its turn, and a process that is gone may have handed it on."""
        if time.monotonic() - self._looked_at >= LOOK_S:
            self._looked_at = time.monotonic()
            self._over = self._over + 1 if self.now.over else 0
        return self._over < OVER_LOOKS


class RunWatch:
    """Looks at one run again and again. Blocking."""

    def __init__(self, settings: Settings, store: EventStore, run: str) -> None:
        """``run``: an id in full."""
        self.settings, self.store, self.run = settings, store, run
        self._cache = RunCache(store)
        self._position = store.head()
        self._standing = RunStatusReader(settings, store, run)

    def look(self) -> Moment:
        state = self._cache.run(self.run)
        assert state is not None, "the caller looked the run up"
        row = queries.run(self.store, self.run)
        now = time.time_ns() // 1000
        since = max(now - round(WINDOW_S * 1e6), _going_since(self.store, state, self.run))
        judges = {judge_hash(judge) for judge in state.plan.judges}
        pace = run_pace(self.store, self.run, judges, since)
        spent = queries.spent(self.store, self.run)
        evaluations = (row.episodes_planned - row.episodes_failed) * len(judges)
        minutes = max(1, now - since) / 60e6
        rates = pace.episodes_lately / minutes, pace.evaluations_lately / minutes
        standing = self._standing.of(row)
        return Moment(
            run=self.run,
            at=now,
            standing=standing,
            episodes=row.episodes_planned,
            episodes_ended=row.episodes_ended,
            episodes_failed=row.episodes_failed,
            playing=pace.playing,
            evaluations=evaluations,
            evaluations_ended=pace.evaluations_ended,
            evaluations_failed=pace.evaluations_failed,
            episodes_per_minute=rates[0],
            evaluations_per_minute=rates[1],
            left_s=time_left(
                row.episodes_planned - row.episodes_ended - row.episodes_failed,
                evaluations - pace.evaluations_ended - pace.evaluations_failed,
                rates,
            ),
            usd=spent.usd,
            tokens=spent.tokens,
            budget=state.budget,
            holds=state.holds,
            notes=state.notes,
            awaited=self._awaited() if standing.waiting else (),
        )

    def _awaited(self) -> tuple[AwaitedSeat, ...]:
        return tuple(awaited_seats(self.store, [self.run], space=self.settings.space))

    def ended(self) -> Iterator[EpisodeRow]:
        """The run's episodes that have come to an end since the last time this was asked, in
        order."""
        tags = (EpisodeEnded.__name__, EpisodeFailed.__name__)
        while found := self.store.read_all(self._position, tags=tags, limit=_BATCH):
            self._position = found[-1].position
            for envelope in found:
                if envelope.correlation == self.run:
                    yield queries.episode(self.store, split_stream(envelope.stream)[1])


def time_left(episodes: int, evaluations: int, rates: tuple[float, float]) -> float | None:
    """Seconds until so many episodes and evaluations are over, which go on side by side at
    ``rates`` a minute; None where one of them does not move."""
    times = []
    for left, rate in zip((episodes, evaluations), rates, strict=True):
        if left > 0 and rate <= 0:
            return None
        times.append(left / rate * 60 if left > 0 else 0.0)
    return max(times)


def _going_since(store: EventStore, state: RunState, run: str) -> int:
    """When the run began, or was resumed last."""
    for version in range(state.version, -1, -1):
        (envelope,) = store.read(run_stream(run), version, version)
        if isinstance(event_of(envelope), RunPlanned | RunResumed):
            return envelope.recorded_at
    return 0
