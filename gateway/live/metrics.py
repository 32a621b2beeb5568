"""What sockets tell Prometheus."""

from typing import Final

from prometheus_client import Counter, Gauge

CONNECTIONS = Gauge(
    "troupe_ws_connections", "Sockets that are open and were let in, by role.", ["role"]
)
DISCONNECTS = Counter("troupe_ws_disconnects_total", "Sockets that ended, by why.", ["reason"])

REASONS: Final = {
    0: "client",
    1012: "restart",
    1013: "database_away",
    4000: "slow",
    4001: "token",
    4003: "forbidden",
    4004: "unknown_episode",
    4008: "silent",
    4009: "replaced",
    4022: "bad_frame",
    4029: "too_many",
}
"""By the code that the gateway closed with; 0: the client did, or was gone."""
