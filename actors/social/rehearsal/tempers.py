"""How a rehearsal mind behaves: a handful of numbers with a name."""

from actors.episodes.port.prompts import UnknownTemper
from events.base import Value


class Temper(Value, frozen=True, kw_only=True):
    """Every figure lies between 0 and 1, except ``patience``."""

    name: str
    concession: float
    """How fast it gives ground, and how little it settles for."""
    patience: int
    """Own turns after which it goes, agreed or not; at least 3."""
    warmth: float
    """How kindly it puts things; from 0.5 on it takes the warm phrases."""
    secrecy: float
    """How safe its secret is with it."""
    honesty: float
    """How readily it answers a question with the truth about its own position."""


TEMPERS: dict[str, Temper] = {
    temper.name: temper
    for temper in (
        Temper(name="generous", concession=0.85, patience=8, warmth=0.9, secrecy=0.5, honesty=0.8),
        Temper(name="candid", concession=0.5, patience=8, warmth=0.7, secrecy=0.05, honesty=1.0),
        Temper(name="guarded", concession=0.4, patience=7, warmth=0.4, secrecy=0.98, honesty=0.5),
        Temper(name="stubborn", concession=0.12, patience=8, warmth=0.2, secrecy=0.8, honesty=0.7),
        Temper(name="wily", concession=0.3, patience=8, warmth=0.65, secrecy=0.9, honesty=0.05),
    )
}


def temper_named(name: str) -> Temper:
    """The temper of this name; ``generous`` where it is empty. Raises ``UnknownTemper``."""
    if not name:
        return TEMPERS["generous"]
    try:
        return TEMPERS[name]
    except KeyError:
        raise UnknownTemper(name, tuple(TEMPERS)) from None
