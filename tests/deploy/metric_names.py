"""What /metrics names, and what queries name."""

import re
from collections.abc import Iterator

from prometheus_client import REGISTRY

import gateway.servers.server  # noqa: F401  whatever a server exposes is registered with it

SUFFIXES = ("", "_total", "_bucket", "_sum", "_count", "_created")
_STRINGS = re.compile(r'"[^"]*"')
_BRACES = re.compile(r"\{[^}]*\}")
_NAME = re.compile(r"\b(?:troupe|gen_ai|process)_[a-z0-9_]+\b")


def exposed() -> set[str]:
    """Every name a series of this process can have."""
    families = list(REGISTRY.collect())
    return {family.name + suffix for family in families for suffix in SUFFIXES}


def labels_of(name: str) -> set[str]:
    """The labels that a family's metric was declared with, where it says so."""
    for collector in set(REGISTRY._collector_to_names):
        names = REGISTRY._collector_to_names[collector]
        if name in names:
            return set(getattr(collector, "_labelnames", ()))
    return set()


def named_in(expression: str) -> Iterator[str]:
    """The names of metrics in a query; those of recording rules left out."""
    bare = _BRACES.sub("", _STRINGS.sub("", expression))
    for found in _NAME.finditer(bare):
        if bare[found.start() - 1 : found.start()] != ":":
            yield found.group()
