"""The store's Prometheus metrics."""

from typing import Protocol
from weakref import WeakSet

from prometheus_client import Counter, Gauge, Histogram


class AppendQueue(Protocol):
    """The queue of a store's appends."""

    waiting: int
    """Events."""
    most_queued: int
    """Events that may wait before ``append_soon`` refuses more."""


# The common buckets double from 10 ms; an append takes far less, so these begin lower.
_SECONDS = [0.01 * 2**power for power in range(-6, 17)]

append_duration = Histogram(
    "troupe_store_append_duration_seconds",
    "From handing in an append until it was durable or refused.",
    ["backend", "outcome"],
    buckets=_SECONDS,
)
conflicts = Counter(
    "troupe_store_conflicts_total", "Appends that expected another version of their stream."
)
head_position = Gauge(
    "troupe_store_head_position", "The last position this process knows to be stored."
)
projection_lag = Gauge(
    "troupe_projection_lag_events",
    "Events that wait to go into a projection's rows.",
    ["projection"],
)
append_queue = Gauge(
    "troupe_store_append_queue", "Events that were handed in and wait to be stored."
)
queues: WeakSet[AppendQueue] = WeakSet()
"""Metrics of the stores that this process has opened; read at each scrape."""
append_queue.set_function(lambda: sum(queue.waiting for queue in tuple(queues)))
append_queue_limit = Gauge(
    "troupe_store_append_queue_limit", "Events that may wait before appends are refused."
)
append_queue_limit.set_function(lambda: sum(queue.most_queued for queue in tuple(queues)))
refused = Counter(
    "troupe_store_appends_refused_total",
    "Appends that were not taken because too many events waited already.",
)
