"""What planning minds need to know of a game."""

from typing import Final, Generic, TypeVar

from actors.episodes.planning_support import Living
from actors.episodes.port.sight import Notice
from actors.episodes.typed_answers import plain_line

B = TypeVar("B")
N = TypeVar("N", bound=Notice)


class Planning(Generic[B, N]):
    """A seat's life, or what of an episode is remembered."""

    placement: str = ""
    """Where a mind does what it plans, as ``module:NAME`` of a subclass of
    ``actors.minds.generative.placement.Placement``; empty: there are no places."""

    def living(self, background: B) -> Living | None:
        """A seat's life, for a mind that plans and remembers; None: there is nothing to plan here.
        Then such a mind remembers what it is told, and is asked as any model is."""
        del background
        return None

    def told(self, background: B, notice: N) -> str:
        """What a seat noticed, as a sentence that such a mind remembers; empty: it is nothing to be
        remembered."""
        del background
        return plain_line(notice)


NO_PLANS: Final = Planning[object, Notice]()
