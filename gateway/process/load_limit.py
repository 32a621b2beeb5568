"""Keeps a process from accepting more work than it can handle."""

from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakSet

from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from actors.models.caller import ModelCaller
from actors.runtime.bus.nats_bus import Bus
from gateway.process.process_limits import Tuning
from store.log.event_store import EventStore

EARLY_FOR_STORE = 0.2
"""Of the events that may wait to be stored: from here on no more jobs are taken. The rest is for
those in hand, which go on."""
EARLY_FOR_NATS = 0.5


class Backlog(NamedTuple):
    """What waits for one thing that may be slow or away."""

    name: str
    waiting: float
    enough: float
    """From here on no more jobs are taken."""


class LoadLimit:
    """Looks at what piles up when something behind it is slow or away.

    Inboxes are not looked at: they have limits of their own, beyond which senders are refused.
    """

    def __init__(self, store: EventStore, bus: Bus, caller: ModelCaller, tuning: Tuning) -> None:
        self.store, self.bus, self.caller, self.tuning = store, bus, caller, tuning
        _pressures.add(self)

    def __call__(self) -> str:
        """What is too full now; empty while nothing is."""
        return next((one.name for one in self.backlogs() if one.waiting >= one.enough), "")

    def backlogs(self) -> tuple[Backlog, ...]:
        """Everything that is looked at, as it is now."""
        bus, tuning = self.bus, self.tuning
        return (
            Backlog("append_queue", self.store.waiting, tuning.append_queue * EARLY_FOR_STORE),
            Backlog("nats_pending", bus.pending_bytes, bus.max_pending_bytes * EARLY_FOR_NATS),
            Backlog("model_queue", self.caller.waiting, tuning.model_queue),
        )


_pressures: WeakSet[LoadLimit] = WeakSet()
"""This process's; looked at when somebody asks."""


class LoadMetrics(Collector):
    """Says whether jobs are held back, and by what."""

    def describe(self) -> Iterator[Metric]:
        """The families without values."""
        yield from self._families()

    def collect(self) -> Iterator[Metric]:
        """Every backlog; where there are several of a kind in a process, the fullest."""
        found: dict[str, Backlog] = {}
        for pressure in tuple(_pressures):
            for one in pressure.backlogs():
                other = found.get(one.name, one)
                found[one.name] = max(one, other, key=lambda of: of.waiting / of.enough)
        waiting, enough, held_back = families = self._families()
        for name, one in found.items():
            waiting.add_metric([name], one.waiting)
            enough.add_metric([name], one.enough)
            held_back.add_metric([name], one.waiting >= one.enough)
        yield from families

    @staticmethod
    def _families() -> tuple[GaugeMetricFamily, GaugeMetricFamily, GaugeMetricFamily]:
        return (
            GaugeMetricFamily(
                "troupe_backlog",
                "What waits: events (append_queue), bytes (nats_pending), requests (model_queue).",
                labels=["of"],
            ),
            GaugeMetricFamily(
                "troupe_backlog_enough",
                "The backlog from which on no more jobs are taken.",
                labels=["of"],
            ),
            GaugeMetricFamily(
                "troupe_jobs_held_back",
                "1 while no more jobs are taken because of a backlog, else 0.",
                labels=["by"],
            ),
        )


REGISTRY.register(LoadMetrics())
