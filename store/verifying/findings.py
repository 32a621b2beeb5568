"""What a verification found."""

from collections import Counter
from typing import Literal

import msgspec

Check = Literal[
    "database", "guards", "positions", "versions", "ids", "payloads", "correlations", "projections"
]
MOST = 20
"""Findings told of each check; of more only the number is told."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is not as it must be."""

    check: Check
    where: str
    """A stream, a position, a table, or the database."""
    what: str
    """One sentence."""


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome."""

    url: str
    """The store, without its password."""
    events: int
    streams: int
    head: int
    """The last position that was looked at."""
    tables: int
    """Tables that were compared with a rebuild."""
    findings: tuple[Finding, ...]
    untold: dict[Check, int]
    """How many more there were of each check."""

    @property
    def sound(self) -> bool:
        """Whether everything is as it must be."""
        return not self.findings


class Findings:
    """Collects findings, some of each check."""

    def __init__(self) -> None:
        self.told: list[Finding] = []
        self._counts: Counter[Check] = Counter()

    def add(self, check: Check, where: str, what: str) -> None:
        """One more."""
        self._counts[check] += 1
        if self._counts[check] <= MOST:
            self.told.append(Finding(check=check, where=where, what=what))

    def take(self, other: "Findings") -> None:
        """All that another one has collected."""
        for finding in other.told:
            self.add(finding.check, finding.where, finding.what)
        self._counts.update(other.untold())

    def untold(self) -> dict[Check, int]:
        """How many of each check were not told."""
        return {check: count - MOST for check, count in self._counts.items() if count > MOST}
