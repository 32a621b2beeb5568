"""From which pages a browser may open a socket: its own alone, or any that is allowed by name."""

from collections.abc import Collection
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def may_come_from(origin: str, host: str, allowed: Collection[str] = ()) -> bool:
    """Whether a handshake with these headers ``Origin`` and ``Host`` may go on. Programs that are
    no browsers send no origin; ``allowed``: further origins, as browsers write them."""
    if not origin or origin in allowed:
        return True
    try:
        from_, to = urlsplit(origin), urlsplit(f"//{host}")
        if from_.scheme not in ("http", "https") or not from_.hostname:
            return False
        default = _PORTS[from_.scheme]
        return (from_.hostname, from_.port or default) == (to.hostname, to.port or default)
    except ValueError:
        return False
