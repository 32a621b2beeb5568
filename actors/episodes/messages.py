"""The messages between an episode's actor and the manager of its process, and the manager's
interface."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from actors.episodes.journal import SharedPast
from actors.episodes.process.passivation import Passivation
from actors.episodes.rules.decide import EpisodeState
from events.episode import EpisodeStarted


class Redeliver(NamedTuple):
    """To an episode's actor, from its manager: ask again whoever has not answered."""

    after_s: float = 0.0
    """Not those who were asked less than so many seconds ago."""


class Suspend:
    """To an episode's actor, from its manager: leave it where it is."""


class CheckIdle:
    """To an episode's actor, from itself or its manager: leave memory, if it is time. Whoever wrote
    while it was read is heard by now."""


class AgentFailed(NamedTuple):
    """To an episode's actor: the agent in a seat was given up, so the seat does nothing."""

    seat: int
    reason: str


class Manager(Protocol):
    """Who looks after the episodes of a process: seats their local minds, and hears when one is
    over."""

    passivation: Passivation

    def enter(
        self,
        episode: str,
        run: str,
        state: EpisodeState,
        pasts: Sequence[SharedPast],
        *,
        begun_at: float | None,
        woken: bool,
    ) -> None:
        """The episode goes on in this process: its local minds take their seats. ``pasts``: of a
        fork, the oldest first. ``begun_at``: when it began here (of ``time.monotonic``), just now,
        so that they have no past. ``woken``: it was passivated, and nobody waits for its end
        yet."""
        ...

    def reseat(
        self, episode: str, run: str, state: EpisodeState, seat: int, pasts: Sequence[SharedPast]
    ) -> None:
        """Somebody else sits in a seat: who sat there is dismissed if it was a local mind, and who
        sits there now is seated if it is one."""
        ...

    def over(self, episode: str) -> None:
        """The episode has ended, durably."""
        ...

    def passivate(self, episode: str, version: int, due: int | None) -> bool:
        """The episode, whose stream is at a version, waits for nobody but those outside, and these
        are silent: whether its actor is to leave memory. ``due``: when time is up for one of them,
        in microseconds since 1970-01-01 UTC; None: for nobody."""
        ...

    def waits_for_people(self, episode: str, waits: bool) -> None:
        """Whether the episode, which is in memory, waits for nobody but people: then it takes
        nothing from those that are played."""
        ...

    def goes_on(self, episode: str) -> bool:
        """Somebody has written to a passivated episode: whether it is still this process's."""
        ...

    def memories_of(self, started: EpisodeStarted) -> tuple[str, ...]:
        """What each seat remembers of the earlier episodes of its chain; empty where the episode
        belongs to none. Blocking; called in a thread, before the first observation."""
        ...
