"""How a character goes to a place."""

from actors.sandbox.rehearsal.life import GOING
from actors.sandbox.setup import Act


def walking(address: str) -> Act:
    """Going there: what is to be done is decided on arrival."""
    return Act(text=f"{GOING}{place_name(address)}", address=address, emoji="🚶", minutes=1)


def place_name(address: str) -> str:
    """How one calls a place: a room by the house it is in, a street by its own name."""
    names = address.split(":")
    if len(names) > 2 and names[2][:1].isupper() and "'" not in names[2]:
        return names[2]
    return names[1] if len(names) > 1 else address
