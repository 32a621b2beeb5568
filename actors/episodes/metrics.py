"""Prometheus metrics of episodes."""

from typing import get_args

from prometheus_client import Counter, Gauge, Histogram

from events.minds import MindKind

SECONDS = (*(0.01 * 2**n for n in range(16)), 600.0)
"""Doubling from 10 ms, up to 600 s."""

EPISODES = Counter(
    "troupe_episodes_total",
    "Episodes that are over, by how they ended.",
    ["environment", "outcome"],
)
ACTIVE = Gauge(
    "troupe_episodes_active", "Episodes under way in this process.", ["environment", "state"]
)
TURN = Histogram(
    "troupe_turn_duration_seconds",
    "From asking a seat to its stored action, by kind of mind.",
    ["mind"],
    buckets=SECONDS,
)

TURNS = {kind: TURN.labels(kind) for kind in get_args(MindKind)}
