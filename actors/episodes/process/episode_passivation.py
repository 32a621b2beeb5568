"""Whether one episode may leave memory, and whether it has."""

from math import inf
from time import monotonic

from actors.episodes.delivery.deadline_alarm import DeadlineAlarm
from actors.episodes.messages import Manager
from actors.episodes.rules.people import is_outside
from actors.episodes.rules.state import EpisodeState


class EpisodePassivation:
    """The passivation of one episode, as its actor knows it; ``Passivation`` has all that are out
    of memory. The state is given with each request."""

    __slots__ = (
        "_episode",
        "_manager",
        "_silent_since",
        "heard",
        "passivated_at",
        "waits_for_people",
    )

    def __init__(self, manager: Manager, episode: str, passivated_at: int | None = None) -> None:
        self._manager, self._episode = manager, episode
        self.passivated_at = passivated_at
        """The version at which the episode left memory, in an actor that only says what it is
        asked; None: the episode is under way."""
        self.heard = False
        """Whether something happened or somebody asked since ``leave`` looked last. A flag, for it
        is set at every message."""
        self._silent_since = -inf
        """When ``leave`` found that last (of ``time.monotonic``)."""
        self.waits_for_people = False
        """Whether nobody is asked but people, as the manager was told last."""

    def leave(self, state: EpisodeState, version: int, alarm: DeadlineAlarm) -> bool:
        """Whether the actor is to leave memory now: nobody is asked but seats outside, and these
        are silent. The manager sees to their deadlines then, and the alarm rings no more."""
        if self.heard:
            self.heard, self._silent_since = False, monotonic()
        waiting = state.waiting
        if not (waiting or state.people.held):
            return False
        if not all(is_outside(state.minds[seat]) for seat in waiting):
            return False
        if not self._manager.passivation.is_due(self._episode, monotonic() - self._silent_since):
            return False
        if self.passivated_at is None:
            due = alarm.deadlines.next(state)
            if not self._manager.passivate(self._episode, version, due):
                return False
        alarm.cancel()
        return True

    def wake(self) -> bool:
        """Somebody has written to the episode, so that it goes on; False where it is no longer this
        process's."""
        self.passivated_at = None
        return self._manager.goes_on(self._episode)

    def note_waiting(self, state: EpisodeState, *, anyway: bool = False) -> None:
        """Tell the manager whether only people are to do something, those who play or who paused
        the episode; ``anyway``: also where it was told so before."""
        waiting, held = state.waiting, state.people.held
        waits = (
            state.ended is None
            and (held or bool(waiting))
            and all(state.minds[seat].kind == "person" for seat in waiting)
        )
        if anyway or waits != self.waits_for_people:
            self.waits_for_people = waits
            self._manager.waits_for_people(self._episode, waits)
