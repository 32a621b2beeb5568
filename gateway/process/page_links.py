"""The addresses of pages, for links that are printed."""

from typing import Final

from gateway.process.process_registry import live_processes
from gateway.settings import Settings

PORT: Final = 8700
"""Where ``troupe serve`` listens unless told otherwise."""
_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - nothing listens by this


def reached_at(host: str, port: int) -> str:
    """The address by which this machine's browsers reach what listens there."""
    host = _EVERYWHERE.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def base_of(settings: Settings) -> str:
    """How links begin: ``TROUPE_PUBLIC_URL``, else where a living server listens, else where one
    will by default."""
    if settings.outside.public_url:
        return settings.outside.public_url
    serving = (process.http for process in live_processes(settings) if process.http)
    return next(serving, reached_at("127.0.0.1", PORT))
