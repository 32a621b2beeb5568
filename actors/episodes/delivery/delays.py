"""When participants are shown an action. If the episode's ``PeopleRules`` say so, the answer of a
mind is shown only after the time that a person would need for it."""

from collections.abc import Sequence

from actors.episodes.registry import game_of
from actors.episodes.views.inconsistent_history import telling
from events.base import Event
from events.episode import ActionTaken, EpisodeForked, EpisodeStarted, SeatReleased, SeatTaken
from store.log.forked_history import Numbered


class Delays:
    """One episode's, event by event: by the history alone, so that every gateway says the same."""

    def __init__(self, started: EpisodeStarted) -> None:
        game = game_of(started)
        self._eyes = game.sight.reducer(started, "narrator")
        self._write = game.words.entry_writer(started, "narrator")
        self._base = started.people.reply_delay_s
        self._per_character = started.people.reply_delay_per_character_s
        self._minds = started.minds
        self._last = 0

    @staticmethod
    def wanted(started: EpisodeStarted) -> bool:
        """Whether an episode has any."""
        people = started.people
        return people.reply_delay_s > 0 or people.reply_delay_per_character_s > 0

    def visible_at(self, numbered: Numbered) -> int:
        """When participants are shown the next event of the history, in microseconds since
        1970-01-01 UTC: never before the one before it."""
        event = numbered.event
        seconds = self._seconds(numbered.number, event)
        match event:
            case SeatTaken() | SeatReleased():
                seat = event.seat
                self._minds = (*self._minds[:seat], event.mind, *self._minds[seat + 1 :])
            case EpisodeForked():
                self._minds = event.minds
        self._last = max(self._last, numbered.envelope.recorded_at + int(seconds * 1e6))
        return self._last

    def _seconds(self, number: int, event: Event) -> float:
        notices = self._eyes.apply(number, event)
        if not isinstance(event, ActionTaken) or self._minds[event.seat].kind == "person":
            return 0.0
        entries = [self._write(notice) for notice in notices]
        characters = sum(len(entry.text or entry.line) for entry in entries)
        return self._base + self._per_character * characters


def shown_by(history: Sequence[Numbered], now: int) -> Sequence[Numbered]:
    """As much of a history as participants were shown by ``now``, in microseconds since 1970-01-01
    UTC. Raises ``OddHistory``."""
    started = _wanting(history)
    if started is None:
        return history
    with telling(started.environment):
        delays = Delays(started)
        hidden = (place for place, one in enumerate(history) if delays.visible_at(one) > now)
        return history[: next(hidden, len(history))]


def all_shown_at(history: Sequence[Numbered]) -> int:
    """When participants were shown the last event of a history. Raises as ``shown_by``."""
    started = _wanting(history)
    if started is None:
        return history[-1].envelope.recorded_at
    with telling(started.environment):
        delays = Delays(started)
        return [delays.visible_at(one) for one in history][-1]


def _wanting(history: Sequence[Numbered]) -> EpisodeStarted | None:
    """The beginning of an episode that has delays."""
    events = (one.event for one in history)
    started = next((event for event in events if isinstance(event, EpisodeStarted)), None)
    return started if started is not None and Delays.wanted(started) else None
