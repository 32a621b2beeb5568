"""Whose stream it is, read from its name."""

_DIGITS = 9
"""Of a seat's number; Python refuses to read numbers of thousands of digits."""


def thing_and_seat(id_: str) -> tuple[str, int | None]:
    """The parts of an agent's or a memory's id, ``<thing>.<seat>``; None where it has no seat."""
    thing, _, seat = id_.rpartition(".")
    return thing, int(seat) if seat.isdecimal() and len(seat) <= _DIGITS else None
