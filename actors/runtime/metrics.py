"""Prometheus metrics of actors, NATS and jobs. Labels are class names and kinds, never ids."""

from collections import Counter as Tally
from collections.abc import Iterator
from typing import Protocol
from weakref import WeakSet

from prometheus_client import REGISTRY, Counter, Gauge
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from pykka import ActorRegistry

from actors.runtime.actors.inbox import LoopInbox, refusals

FAILURES = Counter(
    "troupe_actor_failures_total",
    "Actors that stopped because of an error.",
    ["class", "error_type"],
)
REFUSALS = Counter(
    "troupe_actor_refusals_total",
    "Commands that an actor's rules said no to.",
    ["class"],
)


JOBS = Gauge(
    "troupe_jobs",
    "Jobs that wait for a worker (queued), that one works on (in_hand), and that nobody could do "
    "(dead), when they were last counted.",
    ["kind", "state"],
)


class Connection(Protocol):
    """What can have bytes waiting."""

    @property
    def pending_bytes(self) -> int:
        """How much is published but not yet sent."""
        ...

    @property
    def max_pending_bytes(self) -> int:
        """With more than so many bytes waiting, nothing more is taken."""
        ...


connections: WeakSet[Connection] = WeakSet()
"""This process's connection to NATS; read at each scrape."""
PENDING = Gauge("troupe_nats_pending_bytes", "Bytes that wait to be sent to NATS.")
PENDING.set_function(lambda: sum(one.pending_bytes for one in tuple(connections)))
PENDING_LIMIT = Gauge(
    "troupe_nats_pending_limit_bytes", "Bytes that may wait before messages are refused."
)
PENDING_LIMIT.set_function(lambda: sum(one.max_pending_bytes for one in tuple(connections)))
PENDING_REFUSALS = Counter(
    "troupe_nats_messages_refused_total",
    "Messages that were not sent because too many bytes waited already.",
)


class Inboxes(Collector):
    """Looks at what waits when somebody asks, so that sending a message costs nothing more."""

    def describe(self) -> Iterator[Metric]:
        """The families without values: registering does not visit every actor."""
        yield from (*self._gauges(), self._refused())

    def collect(self) -> Iterator[Metric]:
        """The inboxes of all actors, by the actors' class."""
        waiting: Tally[str] = Tally()
        longest: Tally[str] = Tally()
        limits: dict[str, int] = {}
        for ref in ActorRegistry.get_all():
            inbox = ref.actor_inbox
            if isinstance(inbox, LoopInbox):
                name, messages = ref.actor_class.__name__, inbox.waiting()
                waiting[name] += messages
                longest[name] = max(longest[name], messages)
                if inbox.limit:
                    limits[name] = inbox.limit
        gauges = self._gauges()
        for family, values in zip(gauges, (waiting, longest, limits), strict=True):
            for name, value in values.items():
                family.add_metric([name], value)
        yield from gauges
        refused = self._refused()
        for name, messages in tuple(refusals.items()):
            refused.add_metric([name], messages)
        yield refused

    @staticmethod
    def _gauges() -> tuple[GaugeMetricFamily, GaugeMetricFamily, GaugeMetricFamily]:
        return (
            GaugeMetricFamily(
                "troupe_actor_mailbox_depth",
                "Messages waiting in the inboxes of all actors of a class.",
                labels=["class"],
            ),
            GaugeMetricFamily(
                "troupe_actor_mailbox_longest",
                "Messages waiting in the fullest inbox of a class.",
                labels=["class"],
            ),
            GaugeMetricFamily(
                "troupe_actor_mailbox_limit",
                "Messages that may wait in one inbox of a class; none: no limit.",
                labels=["class"],
            ),
        )

    @staticmethod
    def _refused() -> CounterMetricFamily:
        return CounterMetricFamily(
            "troupe_actor_messages_refused",
            "Messages that were not taken because too many waited for their actor.",
            labels=["class"],
        )


REGISTRY.register(Inboxes())
