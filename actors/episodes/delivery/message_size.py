"""Shortens observations so that each fits into one message."""

from collections.abc import Callable
from typing import Final

import msgspec

from events.wire.messages import News, Observation

_SPARE: Final = 256
"""Bytes for the comma between two entries, and for a longer number of those left out."""


def fitting(message: Observation | News, encode: Callable[[object], bytes], most: int) -> bytes:
    """A message encoded that would have more than ``most`` bytes, without its oldest news. What
    does not fit even without news comes without any."""
    room = most - _SPARE - len(encode(msgspec.structs.replace(message, news=())))
    first = len(message.news)
    while first and (room := room - len(encode(message.news[first - 1])) - 1) >= 0:
        first -= 1
    shown = msgspec.structs.replace(
        message, news=message.news[first:], left_out=message.left_out + first
    )
    return encode(shown)
