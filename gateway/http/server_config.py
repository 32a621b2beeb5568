"""How the HTTP application is served: the same for every kind of process."""

from typing import Final

from litestar import Litestar

from gateway.http.connections import ServerConfig
from gateway.live.protocol import SETTINGS as SOCKETS
from gateway.live.protocol import SocketProtocol
from gateway.settings import Settings

MOST_HEAD: Final = 32 * 1024
"""Bytes of a request's line and headers together."""


def server_config(app: Litestar, settings: Settings) -> ServerConfig:
    """For uvicorn. Forwarded headers are believed of ``TROUPE_PROXIES`` alone."""
    return ServerConfig(
        app,
        settings.tuning,
        log_level="warning",
        # Paths may hold what somebody typed, and who was where is nobody's business.
        access_log=False,
        lifespan="on",
        h11_max_incomplete_event_size=MOST_HEAD,
        ws=SocketProtocol,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=list(settings.outside.proxies),
        **SOCKETS,
    )
