"""What a projection is: a pure mapping from events to changes of its rows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from sqlalchemy import Delete, Table

from events.archive import StreamsBroughtBack, StreamsTakenOut
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

MOVES: Final = (StreamsTakenOut.__name__, StreamsBroughtBack.__name__)
"""Tags of the events that say that a run left the log or came back."""


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

    @classmethod
    def of_runs(
        cls,
        name: str,
        tables: tuple[Table, ...],
        events: Iterable[type[Event]],
        changes: Mapping,
        rows_of: Callable[[str], tuple[Delete, ...]] | None = None,
    ) -> Self:
        """A projection whose rows are of runs: it reads the events in ``MOVES``, too. ``rows_of``
        left out: all of its tables have a column ``run``."""

        def named(run: str) -> tuple[Delete, ...]:
            return tuple(table.delete().where(table.c.run == run) for table in tables)

        tags = (*(event.__name__ for event in events), *MOVES)
        return cls(name, tables, tags, changes, rows_of or named)
