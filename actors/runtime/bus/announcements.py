"""Announces the events appended to a stream to its followers."""

from collections.abc import Iterable

import msgspec

from actors.runtime.bus.errors import MessageTooLarge
from actors.runtime.bus.nats_bus import Bus, head_of
from events.base import Envelope
from events.serialization.codec import LEFT_OUT, encode


def announce(bus: Bus, subject: str, envelopes: Iterable[Envelope]) -> None:
    """Publish appended events. One that is larger than a message may be goes without its payload:
    it is stored, and who follows reads it there. Raises ``BusDown``."""
    announce_at(bus, head_of(subject), envelopes)


def announce_at(bus: Bus, head: bytes, envelopes: Iterable[Envelope]) -> None:
    """``announce`` for who does it again and again: ``head`` is the subject's ``head_of``."""
    send = bus.send
    for envelope in envelopes:
        try:
            send(head, encode(envelope))
        except MessageTooLarge:
            small = msgspec.structs.replace(envelope, payload=LEFT_OUT)
            send(head, encode(small))
