"""Whether this process has been there all the time.

Work is handed to another process when its own is silent for too long: stopped, swapped out, on a
laptop that slept, or cut off. Who comes back from that cannot know it by itself; the clock can.
"""

from math import inf
from time import monotonic


class Pulse:
    """Beats as long as others can hear that this process lives; before its first beat there is
    nobody who could take it for dead."""

    __slots__ = ("_beaten", "_broken", "longest_s")

    def __init__(self, longest_s: float) -> None:
        """``longest_s``: so many seconds without a beat, and the process may have been taken for
        dead."""
        self.longest_s = longest_s
        self._beaten, self._broken = inf, -inf

    def beat(self) -> None:
        """Others were told just now that this process lives."""
        self._look()
        self._beaten = monotonic()

    def unbroken_since(self, moment: float) -> bool:
        """Whether there was no break between a moment (of ``time.monotonic``) and now."""
        self._look()
        return moment > self._broken

    def _look(self) -> None:
        now = monotonic()
        if now - self._beaten > self.longest_s:
            self._broken = now
