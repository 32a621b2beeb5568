"""What theory says of a game that was dealt."""

from importlib.util import find_spec
from typing import Final, Protocol

from actors.games.setup import Deal
from events.lazy_function import LazyFunction


class OutcomeInTheory(Protocol):
    """``actors.games.theory.TheoryOutcome``."""

    @property
    def equilibrium(self) -> tuple[float | None, ...]:
        """Each seat's payoff in the equilibrium; None: there is no theory of it."""

    @property
    def efficient(self) -> float | None:
        """The greatest sum of all payoffs; None: there is no theory of it."""


class NoTheory:
    """Of a game that theory says nothing of."""

    def __init__(self, deal: Deal) -> None:
        self.equilibrium: tuple[float | None, ...] = (None,) * len(deal.players)
        self.efficient: float | None = None


_MODULE: Final = "actors.games.theory"
_THEORY: Final = LazyFunction(f"{_MODULE}:theory_of") if find_spec(_MODULE) else NoTheory


def theory_of(deal: Deal) -> OutcomeInTheory:
    """The equilibrium and the efficient outcome of a game."""
    found: OutcomeInTheory = _THEORY(deal)
    return found
