"""How the HTTP application is served: the same for every kind of process."""

from typing import Final

import uvicorn
from litestar import Litestar

from gateway.live.protocol import SETTINGS as SOCKETS
from gateway.live.protocol import SocketProtocol
from gateway.settings import Settings

MOST_HEAD: Final = 32 * 1024
"""Bytes of a request's line and headers together."""


def server_config(app: Litestar, settings: Settings) -> uvicorn.Config:
    """For uvicorn. Forwarded headers are believed of ``TROUPE_PROXIES`` alone."""
    return uvicorn.Config(
        app,
        log_level="warning",
        # Paths may hold what somebody typed, and who was where is nobody's business.
        access_log=False,
        lifespan="on",
        http="h11",
        h11_max_incomplete_event_size=MOST_HEAD,
        ws=SocketProtocol,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=list(settings.outside.proxies),
        **SOCKETS,
    )
