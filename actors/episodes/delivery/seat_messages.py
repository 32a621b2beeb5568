"""Builds and sends messages to seats; remote seats can also get them as JSON."""

from typing import Final

from actors.episodes.delivery.message_size import fitting
from actors.episodes.rules.people import OUTSIDE
from actors.runtime.bus.errors import MessageTooLarge
from actors.runtime.bus.nats_bus import Bus, head_of
from events.minds import MindSpec
from events.serialization.codec import JSON, encode
from events.wire import subjects
from events.wire.messages import EpisodeOver, News, Observation

_INSIDE: Final = ((encode, b""),)
"""In which forms, and how the subject of each ends."""
_OUTSIDE: Final = (*_INSIDE, (JSON.encode, subjects.as_json("").encode()))


class SeatMessages:
    """Speaks to the seats of one episode."""

    __slots__ = ("_bus", "_head")

    def __init__(self, bus: Bus, episode: str) -> None:
        self._bus = bus
        self._head = head_of(subjects.seats(bus.space, episode))[:-1]
        """Up to where the seat's number stands in the subject."""

    def send(self, mind: MindSpec, message: Observation | News | EpisodeOver) -> None:
        """To the seat that the message names, whose mind is ``mind``; without its oldest news where
        it would be too large."""
        bus = self._bus
        news = b".news" if type(message) is News else b""
        for form, ending in _OUTSIDE if mind.kind in OUTSIDE else _INSIDE:
            head = b"%b.%d%b%b " % (self._head, message.seat, news, ending)
            try:
                bus.send(head, form(message))
            except MessageTooLarge:
                if isinstance(message, EpisodeOver):
                    raise
                bus.send(head, fitting(message, form, bus.max_payload))
