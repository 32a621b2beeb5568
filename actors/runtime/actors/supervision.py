"""How often and how soon a failed actor is restarted."""

import random
from dataclasses import dataclass
from typing import Final

from actors.runtime.backoff import backoff
from actors.runtime.bus.errors import BusDown
from events.serialization.codec import NewerEvent
from store.database.transient_errors import is_transient
from store.errors import StoreUnavailable

OUTAGES: Final[tuple[type[BaseException], ...]] = (StoreUnavailable, BusDown, NewerEvent)
"""Errors that are nobody's fault: the actor is restarted until they pass, and never given up. What
a newer version has stored, a newer process reads; this one is to end."""


@dataclass(frozen=True, slots=True)
class RestartPolicy:
    """Delays that double, spread at random so that actors that failed together do not return
    together (Brooker 2015, "Exponential Backoff And Jitter": equal jitter)."""

    attempts: int = 5
    """Failures in a row after which an actor is given up; at least 1."""
    first_s: float = 0.2
    """Seconds before the first restart, at most; half of it at least."""
    longest_s: float = 30.0
    """No delay is longer, in seconds."""
    forget_after_s: float = 300.0
    """An actor that has run this many seconds begins with a clean record."""

    def delay(self, failures: int) -> float:
        """Seconds to wait before the restart that follows the ``failures``-th failure in a row."""
        whole = backoff(failures, first=self.first_s, longest=self.longest_s)
        return whole * random.uniform(0.5, 1.0)  # noqa: S311 no secret depends on it


def is_outage(error: BaseException, outages: tuple[type[BaseException], ...] = OUTAGES) -> bool:
    """Whether what an actor needs is away for now, or has no room: nothing of the actor's doing."""
    return isinstance(error, outages) or is_transient(error)
