"""The timer that rings when time is up for a person who was asked something."""

import asyncio
from collections.abc import Sequence
from typing import Any

from pykka import ActorRef

from actors.episodes.delivery.deadlines import ShownDeadlines, now_us
from actors.episodes.rules.seats import Late
from actors.episodes.rules.state import EpisodeState
from events.base import Envelope, Event
from store.log.forked_history import Numbered


class DeadlineAlarm:
    """Tells the actor of an episode ``Late`` for each person whose time is up. One timer runs at a
    time: for the first deadline of those who are asked something."""

    __slots__ = ("_actor", "_timer", "deadlines")

    def __init__(self, actor: ActorRef[Any]) -> None:
        self.deadlines = ShownDeadlines()
        self._actor = actor
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        """Whether somebody's time runs."""
        return self._timer is not None

    def follow(
        self,
        state: EpisodeState,
        appended: Sequence[tuple[int, Event]],
        envelopes: Sequence[Envelope],
    ) -> None:
        """Ring by what was appended, version and event of each, after which the episode is in this
        state."""
        # An event's number in the history, less its version in the stream.
        ahead = state.number - appended[-1][0]
        for (version, event), envelope in zip(appended, envelopes, strict=True):
            self.deadlines.note_stored(Numbered(version + ahead, envelope, event))
        self.set(state)

    def set(self, state: EpisodeState) -> None:
        """Ring at the first deadline in a state, if there is one; earlier ones are forgotten."""
        self.cancel()
        until = self.deadlines.next(state)
        if until is not None and self._actor.is_alive():
            left = max(0, until - now_us()) / 1_000_000
            self._timer = asyncio.get_running_loop().call_later(left, self.ring, state)

    def ring(self, state: EpisodeState) -> None:
        """Tell of those who are late in a state."""
        if not self._actor.is_alive():
            return
        for seat in self.deadlines.late(state, now_us()):
            who = state.people.participant(seat)
            self._actor.tell(Late(seat=seat, turn=state.turn, participant=who))

    def is_due(self, state: EpisodeState, seat: int) -> bool:
        """Whether time is up in a seat."""
        until = self.deadlines.until(state, seat)
        return until is not None and until <= now_us()

    def cancel(self) -> None:
        """Ring no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
