"""How a gateway is reached from outside, as the environment says it."""

from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Final
from urllib.parse import urlsplit

import msgspec

PUBLIC_URL, ORIGINS = "TROUPE_PUBLIC_URL", "TROUPE_ORIGINS"
PROXIES, METRICS = "TROUPE_PROXIES", "TROUPE_METRICS"
OUTSIDE: Final = {
    PUBLIC_URL: "https://host that people reach it by; unset: as each request says",
    ORIGINS: "https://host, …: other sites whose pages may open sockets (default none)",
    PROXIES: "addresses of proxies whose X-Forwarded-… is believed (default 127.0.0.1,::1)",
    METRICS: "open: anybody may read /metrics; local: this machine and operators (default)",
}
HERE: Final = ("127.0.0.1", "::1")


class PublicAddress(msgspec.Struct, frozen=True, kw_only=True):
    """Checked by ``outside_problems``."""

    public_url: str = ""
    """Scheme and host, without a path; empty: as each request says."""
    origins: tuple[str, ...] = ()
    """Other origins whose pages may open sockets."""
    proxies: tuple[str, ...] = HERE
    """Addresses and networks whose ``X-Forwarded-For`` and ``-Proto`` are believed."""
    metrics: str = "local"
    """Who may read ``/metrics``: ``local`` or ``open``."""


def read_outside(env: Mapping[str, str]) -> PublicAddress:
    """What the environment says, unchecked."""
    return PublicAddress(
        public_url=(env.get(PUBLIC_URL) or "").strip().rstrip("/").lower(),
        origins=_words(env.get(ORIGINS) or ""),
        proxies=_words(env.get(PROXIES) or "") or HERE,
        metrics=(env.get(METRICS) or "local").strip().lower(),
    )


def outside_problems(outside: PublicAddress) -> Iterator[tuple[str, str, str]]:
    """What is wrong: variable, value, and what would be right."""
    if outside.public_url and not is_origin(outside.public_url):
        yield (
            PUBLIC_URL,
            _shown(outside.public_url),
            "must be like https://troupe.example.org, no path",
        )
    for origin in outside.origins:
        if not is_origin(origin):
            yield ORIGINS, _shown(origin), "must be like https://other.example.org, no path"
    for proxy in outside.proxies:
        try:
            ip_network(proxy)
        except ValueError:
            yield PROXIES, _shown(proxy), "must be an address or a network, such as 10.0.0.0/8"
    if outside.metrics not in ("local", "open"):
        yield METRICS, outside.metrics, "must be local or open"


def is_origin(text: str) -> bool:
    """Whether a text is scheme, host and perhaps port."""
    try:
        parts = urlsplit(text)
        return (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and f"{parts.scheme}://{parts.netloc}" == text
            and "@" not in parts.netloc
            and parts.port != 0
        )
    except ValueError:
        return False


def _shown(address: str) -> str:
    """An address without the name and password that it may hold, whatever else is wrong with it."""
    scheme, slashes, rest = address.rpartition("://")
    return f"{scheme.rpartition('@')[2]}{slashes}{rest.rpartition('@')[2]}"


def _words(text: str) -> tuple[str, ...]:
    return tuple(
        word for word in (word.strip().rstrip("/").lower() for word in text.split(",")) if word
    )
