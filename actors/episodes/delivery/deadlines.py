"""Deadlines of people who have been asked something.

Time runs from what is recorded: from the opening of the turn, or from the moment at which they took
their seat in it, or at which a researcher had the episode go on. So every reader of the history
computes the same deadline: the process that continues the episode, and the gateway that displays
the time left.
"""

import time
from collections.abc import Iterator

from actors.episodes.delivery.delays import Delays
from actors.episodes.rules.state import EpisodeState
from events.base import Event
from events.episode import (
    EpisodeContinued,
    EpisodeForked,
    EpisodeReopened,
    EpisodeStarted,
    EpisodeStepped,
    PeopleRules,
    SeatTaken,
    TurnOpened,
)
from store.log.forked_history import Numbered

_NONE = PeopleRules()

_ALL = (TurnOpened, EpisodeStepped, EpisodeContinued, EpisodeReopened, EpisodeForked)
"""After these the time begins for everybody."""


def now_us() -> int:
    """Microseconds since 1970-01-01 UTC."""
    return time.time_ns() // 1000


class Deadlines:
    """The clock of one episode. It is told every event of a history, with when it was recorded."""

    __slots__ = ("_all", "_seated")

    def __init__(self) -> None:
        self._all = 0
        self._seated: dict[int, int] = {}
        """By seat that somebody has taken."""

    def note(self, event: Event, recorded_at: int) -> None:
        """``recorded_at``: in microseconds since 1970-01-01 UTC."""
        if isinstance(event, _ALL):
            self._all = recorded_at
        elif isinstance(event, SeatTaken):
            self._seated[event.seat] = recorded_at

    def until(self, state: EpisodeState, seat: int) -> int | None:
        """When time is up in a seat, in microseconds since 1970-01-01 UTC; None: there is no limit,
        or nobody sits there who is asked something and may answer now."""
        return self._after(state, seat, _rules(state).deadline_s)

    def nudge_at(self, state: EpisodeState, seat: int) -> int | None:
        """When who sits there is to be reminded; None as for ``until``."""
        return self._after(state, seat, _rules(state).nudge_s)

    def next(self, state: EpisodeState) -> int | None:
        """When time is up for the first of those who are asked something; None: for nobody."""
        if not _rules(state).deadline_s:
            return None
        return min((until for _, until in self._running(state)), default=None)

    def late(self, state: EpisodeState, now: int) -> list[int]:
        """The seats whose time is up."""
        return [seat for seat, until in self._running(state) if until <= now]

    def _running(self, state: EpisodeState) -> Iterator[tuple[int, int]]:
        for seat in state.waiting:
            if (until := self.until(state, seat)) is not None:
                yield seat, until

    def _after(self, state: EpisodeState, seat: int, seconds: float) -> int | None:
        people = state.people
        if not seconds or people.held or not people.participant(seat) or seat not in state.waiting:
            return None
        return max(self._all, self._seated.get(seat, 0)) + int(seconds * 1_000_000)


class ShownDeadlines(Deadlines):
    """The same by stored events alone, of which all are given, in order: time runs from when
    participants are shown that they are asked, which an episode's ``Delays`` may put off."""

    __slots__ = ("_delays",)

    def __init__(self) -> None:
        super().__init__()
        self._delays: Delays | None = None

    def note_stored(self, numbered: Numbered) -> None:
        """One more event of the history."""
        event, at = numbered.event, numbered.envelope.recorded_at
        if isinstance(event, EpisodeStarted) and Delays.wanted(event):
            self._delays = Delays(event)
        if self._delays is not None:
            at = self._delays.visible_at(numbered)
        self.note(event, at)


def _rules(state: EpisodeState) -> PeopleRules:
    return _NONE if state.started is None else state.started.people
