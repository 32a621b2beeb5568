"""Whether the work of this process has been its own all the time.

Jobs and streams are given to another process when their own is silent for too long: stopped,
swapped out, on a laptop that slept, or cut off. A process that comes back from that cannot know it
from what it hears; the clock tells it.
"""

from math import inf
from time import monotonic


class Lease:
    """This process's hold on its work: lasts as long as it is renewed in time. Before the first
    renewal nobody else could take the work."""

    __slots__ = ("_lapsed_at", "_renewed_at", "term_s")

    def __init__(self, term_s: float) -> None:
        """``term_s``: seconds without a renewal after which the work may be another's."""
        self.term_s = term_s
        self._renewed_at, self._lapsed_at = inf, -inf

    def renew(self) -> None:
        """Others were told just now that this process is at work."""
        self._check()
        self._renewed_at = monotonic()

    def held_since(self, moment: float) -> bool:
        """Whether the lease has not lapsed between a moment (of ``time.monotonic``) and now."""
        self._check()
        return moment > self._lapsed_at

    def _check(self) -> None:
        now = monotonic()
        if now - self._renewed_at > self.term_s:
            self._lapsed_at = now
