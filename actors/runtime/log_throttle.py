"""Throttles log lines that any sender of messages can cause: the first one is logged, then one a
minute.

Each occurrence is counted in ``troupe_messages_refused_total``; a flood of messages cannot fill the
disk.
"""

import asyncio
from typing import Final

from prometheus_client import Counter
from structlog.stdlib import BoundLogger

EVERY_S: Final = 60.0
"""Seconds between two lines that say the same."""

_REFUSED: Final = Counter(
    "troupe_messages_refused_total",
    "Messages from outside that were not taken, by the event that the log says it with.",
    ["event"],
)


class LogThrottle:
    """Says a line when something happens first, and every minute how often it happened since."""

    def __init__(self, every_s: float = EVERY_S) -> None:
        self._every_s = every_s
        self._since: dict[str, int] = {}
        """How often each was left unsaid since its last line, while that is recent. Events are
        words of ours, so there are few."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._last: dict[str, tuple[BoundLogger, dict[str, object]]] = {}

    def warning(self, log: BoundLogger, event: str, **about: object) -> None:
        """``log.warning(event, **about)``, now or counted. To be called on the loop."""
        _REFUSED.labels(event).inc()
        if (loop := asyncio.get_running_loop()) is not self._loop:
            # The timers of another one do not run any more.
            self._loop = loop
            self._since.clear()
        if event in self._since:
            self._since[event] += 1
            self._last[event] = (log, about)
            return
        log.warning(event, **about)
        self._later(event)

    def _later(self, event: str) -> None:
        self._since[event] = 0
        assert self._loop is not None
        self._loop.call_later(self._every_s, self._sum_up, event)

    def _sum_up(self, event: str) -> None:
        times = self._since.pop(event, 0)
        if not times:
            return
        log, about = self._last.pop(event)
        log.warning(event, **about, more=times)
        self._later(event)


seldom: Final = LogThrottle()
"""The process's own."""
