"""Bounds of an episode that are known before it is played: its length, for forecasts, and who may
sit in it."""

from collections.abc import Sequence
from typing import Final, Generic, TypeVar

from events.environments import Setup
from events.minds import MindSpec

S = TypeVar("S", bound=Setup)
B = TypeVar("B")


class Limits(Generic[S, B]):
    """How much there will be at most, and by whom."""

    def minds_fault(self, setup: S, minds: Sequence[MindSpec]) -> str | None:
        """Why an episode with this setup cannot be played by these minds, one a seat, as a
        sentence; None if it can."""
        del setup, minds
        return None

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
