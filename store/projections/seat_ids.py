"""The seat in the id of an agent's or a memory's stream."""

_DIGITS = 9
"""Of a seat's number; Python refuses to read numbers of thousands of digits."""


def split_seat(id_: str) -> tuple[str, int | None]:
    """The parts of an agent's or a memory's id, ``<thing>.<seat>``; None where it has no seat."""
    thing, _, seat = id_.rpartition(".")
    return thing, int(seat) if seat.isdecimal() and len(seat) <= _DIGITS else None
