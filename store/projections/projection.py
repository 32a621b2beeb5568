"""What a projection is: a pure mapping from events to changes of its rows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Delete, Table

from events.base import Envelope, Event
from events.episode import EpisodeEnded, EpisodeStarted
from store.projections.changes import Change


class Shared(NamedTuple):
    """The past that a fork has in common with its parent."""

    started: EpisodeStarted
    turns: int
    """The last turn in which somebody acted; 0: none."""
    failed_actions: int
    """Actions in it that a mind failed to give."""
    ended: EpisodeEnded | None
    """Set when the past that is shared is that of a whole episode."""


Past = Callable[[Envelope, str, int], Shared | None]
"""The past shared by a fork: of its first envelope, its parent, the last number shared.

None where the store had no such past when the fork was appended. The log never changes, so this
answers the same for ever and a mapping that asks it stays pure.
"""

Mapping = Callable[[Envelope, Event, Past], Iterable[Change]]


@dataclass(frozen=True, slots=True)
class Projection:
    """Tables that follow from the log."""

    name: str
    tables: tuple[Table, ...]
    """The tables that this projection, and nothing else, writes."""
    tags: tuple[str, ...]
    """The tags of the events it reads."""
    changes: Mapping
    rows_of: Callable[[str], tuple[Delete, ...]] = lambda _: ()
    """Statements that delete the rows of a run, for when it leaves the log."""
