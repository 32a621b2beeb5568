"""Places and times in words, as people and models are told them."""

from datetime import datetime

from actors.sandbox.clock import Clock
from actors.sandbox.conversation.partner_address import is_place, partner_at


def moment(clock: Clock, step: int) -> str:
    """``Mon 07:05``, or with seconds where steps are shorter than minutes."""
    return short(clock.moment(step), clock.step_s)


def short(when: datetime, step_s: int = 60) -> str:
    """A weekday and a time of day."""
    return when.strftime("%a %H:%M" if step_s % 60 == 0 else "%a %H:%M:%S")


def long(when: datetime) -> str:
    """``Monday, 13 February 2023, 07:05``."""
    return f"{when:%A}, {when.day} {when:%B %Y, %H:%M}"


def place(address: str) -> str:
    """An address without the world it is in; what is done with somebody is done there."""
    if not is_place(address):
        return partner_at(address) or address
    return address.partition(":")[2] or "outdoors"
