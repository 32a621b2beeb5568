"""What people do who talk, as the rules say it and as files and scorers find it."""

from typing import Final

CONVERSING: Final = "conversing about"
"""How what one does in a talk begins; what it is about follows."""
SMALL_TALK: Final = "this and that"
"""What a talk is about of which nobody said it."""
_WITH: Final = "<persona> "


def persona(name: str) -> str:
    """The address of what is done with somebody."""
    return f"{_WITH}{name}"


def partner_at(address: str) -> str:
    """With whom something is done; empty: it is done at a place."""
    return address.removeprefix(_WITH) if is_persona(address) else ""


def is_persona(address: str) -> bool:
    """Whether something is done with somebody."""
    return address.startswith(_WITH)


def is_place(address: str) -> bool:
    """Whether something is done at a place: neither with somebody nor, in published files, as
    ``<waiting>`` and the like."""
    return not address.startswith("<")
