"""Which pages a request may come from, and whether it comes from this machine.

A browser sends a cookie along with what other sites' pages ask for, too. What changes something
must therefore come from a page of ours: browsers say so in ``Sec-Fetch-Site`` and ``Origin``, which
no page can forge. Programs send neither, and carry a bearer token, which no browser adds by itself.
"""

from ipaddress import ip_address
from typing import Final

from litestar.datastructures import Headers
from litestar.types import Scope

from gateway.process.public_address import PublicAddress

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods that change nothing."""
LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_PLAIN: Final = {"ws": "http", "wss": "https"}


def own_origin(scope: Scope, outside: PublicAddress) -> str:
    """The origin of our own pages, as the sender of this request sees them."""
    if outside.public_url:
        return outside.public_url
    scheme = _PLAIN.get(scope["scheme"], scope["scheme"])
    return f"{scheme}://{Headers.from_scope(scope).get('host', '').lower()}"


def is_ours(origin: str, scope: Scope, outside: PublicAddress) -> bool:
    """Whether a page of this origin may open sockets by its reader's session: one of our own, or of
    ``TROUPE_ORIGINS``. ``null``, which sandboxed pages have, is nobody's."""
    origin = origin.lower()
    return origin == own_origin(scope, outside) or origin in outside.origins


def allows_socket(scope: Scope, outside: PublicAddress) -> bool:
    """Whether a socket's handshake comes from a page of ours, or from a program. Programs send no
    ``Origin``; no browser leaves it out."""
    origin = Headers.from_scope(scope).get("origin")
    return origin is None or is_ours(origin, scope, outside)


def allows_change(scope: Scope, outside: PublicAddress, *, session: bool) -> bool:
    """Whether a request that changes something comes from a page of ours, or from a program that
    uses no cookie. ``session``: it carries the session's cookie."""
    headers = Headers.from_scope(scope)
    origin = headers.get("origin")
    if origin is not None:
        # Those of ``TROUPE_ORIGINS`` may open sockets, and no more.
        return origin.lower() == own_origin(scope, outside)
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    return not session


def is_secure(scope: Scope, outside: PublicAddress) -> bool:
    """Whether the reader has come by TLS, here or at a proxy in front."""
    return own_origin(scope, outside).startswith("https:")


def address_of(scope: Scope) -> str:
    """The address that a request comes from; behind a proxy that is believed, the one it names."""
    client = scope.get("client")
    return client[0] if client else ""


def is_local(scope: Scope, outside: PublicAddress) -> bool:
    """Whether a request comes from this very machine, asked for by a name of this machine: with any
    other, a page elsewhere might have led a browser here. Behind a public address nobody is
    local: a proxy on this machine makes everybody look so."""
    if outside.public_url and _host(outside.public_url.partition("://")[2]) not in LOCAL_NAMES:
        return False
    headers = Headers.from_scope(scope)
    if any(name in headers for name in ("forwarded", "x-forwarded-for", "x-real-ip", "via")):
        return False
    try:
        loopback = ip_address(address_of(scope)).is_loopback
    except ValueError:
        return False
    return loopback and _host(headers.get("host", "")) in LOCAL_NAMES


def _host(netloc: str) -> str:
    """A host without its port, an IPv6 address without its brackets."""
    if netloc.startswith("["):
        return netloc[1:].partition("]")[0]
    return netloc.partition(":")[0].lower()
