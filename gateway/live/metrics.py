"""What sockets tell Prometheus."""

from typing import Final, get_args

from prometheus_client import Counter, Gauge

from gateway.access.roles import Role

CONNECTIONS: Final = Gauge("troupe_ws_connections", "Sockets that watch, by role.", ["role"])
DISCONNECTS: Final = Counter(
    "troupe_ws_disconnects_total", "Sockets that ended, by why.", ["reason"]
)
REASONS: Final = {
    1012: "restart",
    4000: "slow",
    4001: "token",
    4003: "forbidden",
    4004: "unknown_episode",
    4008: "silent",
    4009: "replaced",
    4022: "bad_frame",
    4029: "too_many",
}
"""By the code that a gateway closes with; whoever goes by themselves is ``client``."""

for _role in get_args(Role):
    CONNECTIONS.labels(_role)
for _reason in (*REASONS.values(), "client"):
    DISCONNECTS.labels(_reason)
