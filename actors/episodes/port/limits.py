"""Bounds on an episode's length that are known before it is played; forecasts use them."""

from typing import Final, Generic, TypeVar

from events.environments import Setup

S = TypeVar("S", bound=Setup)
B = TypeVar("B")


class Limits(Generic[S, B]):
    """How much there will be at most."""

    def questions(self, setup: S, seats: int) -> tuple[int, ...] | None:
        """How often each seat may be asked in an episode; None: nobody knows before."""
        del setup, seats
        return None

    def days(self, setup: S) -> float | None:
        """How many days of its own time an episode lasts; None: it has no clock. For the forecast
        of what minds that plan ask of models."""
        del setup
        return None

    def told(self, setup: S, seat: int) -> str | None:
        """All that a seat may be told in an episode, in words, where that is written down before
        it; None: it grows by what all answer."""
        del setup, seat
        return None

    def reasks(self, background: B) -> int | None:
        """How often a model's answer that cannot be used is asked for again; None: as often as is
        usual."""
        del background
        return None


NO_LIMITS: Final = Limits[Setup, object]()
