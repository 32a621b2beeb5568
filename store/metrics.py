"""What the store tells Prometheus."""

from prometheus_client import Counter, Gauge, Histogram

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
