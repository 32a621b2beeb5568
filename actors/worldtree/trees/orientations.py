"""What a protagonist is after, for itself and for others (SocialEval, Table 5)."""

from typing import Final, NamedTuple


class Orientation(NamedTuple):
    name: str
    self_interest: int
    """1: it wants what is good for itself; 0: it does not care; -1: it gives it up."""
    altruism: int
    """The same for others."""
    group: str
    """``prosocial``, ``proself`` or ``antisocial``."""


ORIENTATIONS: Final = (
    Orientation("Cooperation", 1, 1, "prosocial"),
    Orientation("Negotiation", 1, 0, "prosocial"),
    Orientation("Assistance", 0, 1, "prosocial"),
    Orientation("Altruism", -1, 1, "prosocial"),
    Orientation("Competition", 1, -1, "proself"),
    Orientation("Induction", 0, -1, "antisocial"),
    Orientation("Conflict", -1, -1, "antisocial"),
)
"""In the order of the paper's tables."""
GROUPS: Final = ("prosocial", "proself", "antisocial")
BY_NAME: Final = {one.name: one for one in ORIENTATIONS}


def orientation_of(self_interest: int, altruism: int) -> Orientation | None:
    """The orientation of a pair of values; None: there is none."""
    pair = (self_interest, altruism)
    return next((one for one in ORIENTATIONS if (one.self_interest, one.altruism) == pair), None)
