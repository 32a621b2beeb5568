"""Tracks whether this process can be sure that it still owns its work.

Jobs and streams go to another process when their owner is silent for too long: stopped, swapped
out, on a sleeping laptop, or disconnected. A process that wakes up does not learn this from
messages; it is told by the clock and by the replies to what it sent.
"""

import asyncio
from collections.abc import Callable
from math import inf
from time import monotonic


class Lease:
    """This process's hold on its work, which has parts: one for each kind of job it takes. Lasts as
    long as each part is renewed in time. Where there is no part, nobody else can have the work."""

    __slots__ = ("_clock", "_lapsed_at", "_renewed", "_waiting", "lost", "term_s")

    def __init__(self, term_s: float, clock: Callable[[], float] = monotonic) -> None:
        """``term_s``: seconds without a renewal after which the work may be another's. All moments
        are the clock's."""
        self.term_s = term_s
        self.lost: set[str] = set()
        """Runs that another process carries out now, with a job queue of its own: nothing is asked
        for them here. The empty word is for what belongs to no run."""
        self._clock = clock
        self._renewed: dict[str, float] = {}
        self._lapsed_at = -inf
        self._waiting: list[asyncio.Future[None]] = []

    def begin(self, part: str) -> None:
        """Nobody can have anything of a part before this moment."""
        self._check()
        self._renewed[part] = self._clock()

    def renew(self, part: str, begun: float) -> None:
        """What was sent at the moment ``begun``, to say that this process is at work, has arrived.

        That moment counts, and neither when it arrived, which nobody here knows, nor when that was
        heard: whoever was told meanwhile that the work is theirs was told after it."""
        self._check()
        self._renewed[part] = max(begun, self._renewed.get(part, begun))
        self._wake()

    def end(self, part: str) -> None:
        """There is nothing more of a part that could be another's."""
        self._check()
        self._renewed.pop(part, None)
        self._wake()

    def renewed_at(self, part: str) -> float:
        """When a part was renewed last."""
        return self._renewed.get(part, inf)

    @property
    def is_held(self) -> bool:
        """Whether the lease is held now."""
        return self._clock() - min(self._renewed.values(), default=inf) <= self.term_s

    def held_since(self, moment: float) -> bool:
        """Whether the lease has not lapsed between a moment and now."""
        self._check()
        return moment > self._lapsed_at

    async def held(self) -> None:
        """Wait until the lease is held: at once, unless this process is cut off."""
        while not self.is_held:
            renewed = asyncio.get_running_loop().create_future()
            self._waiting.append(renewed)
            await renewed

    def _wake(self) -> None:
        if self.is_held:
            waiting, self._waiting = self._waiting, []
            for one in waiting:
                if not one.done():
                    one.set_result(None)

    def _check(self) -> None:
        if not self.is_held:
            self._lapsed_at = self._clock()
