"""What is sent to seats, and how: to those outside as JSON, too."""

from collections.abc import Callable

from actors.episodes.fitting import fitting
from actors.episodes.people import is_outside
from actors.runtime.bus import Bus
from actors.runtime.bus_errors import MessageTooLarge
from events import subjects
from events.codec import JSON, encode
from events.messages import EpisodeOver, News, Observation
from events.minds import MindSpec


class SeatMessages:
    """Speaks to the seats of one episode."""

    __slots__ = ("_bus", "_subject")

    def __init__(self, bus: Bus, episode: str) -> None:
        self._bus, self._subject = bus, subjects.seats(bus.space, episode)

    def send(self, mind: MindSpec, message: Observation | News | EpisodeOver) -> None:
        """To the seat that the message names, whose mind is ``mind``."""
        subject = f"{self._subject}.{message.seat}"
        if isinstance(message, News):
            subject += ".news"
        self._publish(subject, message, encode)
        if is_outside(mind):
            self._publish(subjects.as_json(subject), message, JSON.encode)

    def _publish(
        self,
        subject: str,
        message: Observation | News | EpisodeOver,
        encode: Callable[[object], bytes],
    ) -> None:
        """Send something, without its oldest news where it would be too large."""
        try:
            self._bus.publish(subject, encode(message))
        except MessageTooLarge:
            if isinstance(message, EpisodeOver):
                raise
            self._bus.publish(subject, fitting(message, encode, self._bus.max_payload))
