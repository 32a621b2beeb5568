"""The results of a verification."""

from collections import Counter
from typing import Literal

import msgspec

Check = Literal[
    "database", "guards", "positions", "versions", "ids", "payloads", "correlations", "projections"
]
MOST = 20
"""Defects listed of each check; of more only the number is kept."""


class Defect(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is not as it must be."""

    check: Check
    """The check that it does not pass."""
    where: str
    """A stream, a position, a table, or the database."""
    what: str
    """One sentence."""


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a verification."""

    url: str
    """The store, without its password."""
    events: int
    """Events in the log."""
    streams: int
    """Streams that they belong to."""
    head: int
    """The last position that was looked at."""
    tables: int
    """Tables that were compared with a rebuild."""
    archived_runs: int = 0
    """Runs that are in archives, where the log says so."""
    archived_events: int = 0
    """Events of theirs, which the log accounts for."""
    defects: tuple[Defect, ...] = msgspec.field(name="findings")
    """At most ``MOST`` of each check."""
    unlisted: dict[Check, int] = msgspec.field(name="untold")
    """How many more there were of each check."""

    @property
    def sound(self) -> bool:
        """Whether everything is as it must be."""
        return not self.defects


class Defects:
    """Collects defects: the first ``MOST`` of each check, and how many there were."""

    def __init__(self) -> None:
        self.listed: list[Defect] = []
        self._counts: Counter[Check] = Counter()

    def add(self, check: Check, where: str, what: str) -> None:
        self._counts[check] += 1
        if self._counts[check] <= MOST:
            self.listed.append(Defect(check=check, where=where, what=what))

    def merge(self, other: "Defects") -> None:
        """Add all that another one has collected."""
        for defect in other.listed:
            self.add(defect.check, defect.where, defect.what)
        self._counts.update(other.unlisted())

    def unlisted(self) -> dict[Check, int]:
        """By check, how many were counted beyond those listed."""
        return {check: count - MOST for check, count in self._counts.items() if count > MOST}
