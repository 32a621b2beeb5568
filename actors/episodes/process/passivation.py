"""Passivation: episodes that wait only for remote seats are removed from memory."""

import asyncio
import math
from collections.abc import Callable
from itertools import islice
from time import monotonic
from typing import Final, NamedTuple

from actors.episodes import metrics
from actors.episodes.delivery.deadlines import now_us

PASSIVATE_AFTER_S: Final = 60.0
"""Seconds in which nobody has done or asked anything, after which an episode may leave memory."""
ASK_FIRST_S: Final = 15.0
"""After so many seconds the seats of a passivated episode are asked again first: a program that was
away while its episode changed hands is there again soon."""
ASK_AGAIN_S: Final = 300.0
"""Then after twice as long each time, until it is once in so many seconds."""
AWAKE: Final = 256
"""Episodes that wait for people and stay in memory for a while, so that who answers soon is
answered soon; of more than that those that have waited longest leave at once."""
ASK_PAUSE_S: Final = 0.02
"""Between any two of them, in seconds: each reads its episode."""


class _Appointment(NamedTuple):
    """When an episode that rests at a version is asked again, and how long that was waited for."""

    version: int
    at: float
    wait_s: float


class Passivation:
    """Which episodes of this process are out of memory. Each costs an entry here, one subscription
    to its command subject, and its job; everything else is in the store.

    ``wake`` has the job of an episode go on, and says whether this process still has it; ``drop``
    lets go of one, for whoever it is given to next; ``set_aside`` says of one whether it waits for
    people.
    """

    def __init__(
        self,
        *,
        after_s: float = math.inf,
        wake: Callable[[str], bool] = lambda _: True,
        drop: Callable[[str], None] = lambda _: None,
        set_aside: Callable[[str, bool], None] = lambda _, __: None,
    ) -> None:
        """``after_s``: seconds of silence after which one leaves memory; infinite: none does."""
        self.after_s = after_s
        self.most_awake = AWAKE
        self._wake, self._drop, self._set_aside = wake, drop, set_aside
        self._awake: dict[str, None] = {}
        """Episodes in memory that wait for people, who has waited longest first."""
        self._versions: dict[str, int] = {}
        self._due: dict[str, int] = {}
        """When one is to be asked in any case, because time is up for a person; by episode, in
        microseconds since 1970-01-01 UTC."""
        self._environments: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._versions)

    def __contains__(self, episode: str) -> bool:
        """Whether an episode is passivated."""
        return episode in self._versions

    def is_due(self, episode: str, silent_s: float) -> bool:
        """Whether an episode may leave memory after so many seconds of silence."""
        if self.after_s == math.inf:
            return False
        crowded = episode in self._awake and len(self._awake) > self.most_awake
        return crowded or silent_s >= self.after_s

    def wait_for_people(self, episode: str, waits: bool) -> list[str]:
        """An episode in memory waits for people, or does so no longer; those that are to leave, for
        there are too many."""
        self._set_aside(episode, waits)
        self._awake.pop(episode, None)
        if waits:
            self._awake[episode] = None
        return list(islice(self._awake, max(0, len(self._awake) - self.most_awake)))

    def version(self, episode: str) -> int | None:
        """The last version of an episode's stream when it left memory; None: it has not. A later
        one was written by another process."""
        return self._versions.get(episode)

    def add(self, episode: str, version: int, environment: str, due: int | None = None) -> None:
        """An episode has left memory. ``due``: when time is up for a person who is asked something
        there, in microseconds since 1970-01-01 UTC."""
        self._awake.pop(episode, None)
        self._versions[episode] = version
        if due is not None:
            self._due[episode] = due
        self._environments[episode] = environment
        metrics.ACTIVE.labels(environment, "passivated").inc()

    def remove(self, episode: str) -> bool:
        """An episode is here again, or gone; whether it was passivated."""
        self._due.pop(episode, None)
        if self._versions.pop(episode, None) is None:
            return False
        metrics.ACTIVE.labels(self._environments.pop(episode), "passivated").dec()
        return True

    def wake(self, episode: str) -> bool:
        """Somebody has written to a passivated episode, so that it goes on; False where it is no
        longer this process's to go on with."""
        return self.remove(episode) and self._wake(episode)

    def drop(self, episode: str) -> None:
        """An episode that may be out of memory is not to be gone on with here."""
        self._awake.pop(episode, None)
        if self.remove(episode):
            self._drop(episode)

    def take_all(self) -> list[str]:
        """All of them, which are nobody's here from now on."""
        episodes = list(self._versions)
        for episode in episodes:
            self.remove(episode)
        return episodes

    async def keep_asking(self, ask: Callable[[str], None], every_s: float = ASK_AGAIN_S) -> None:
        """Call ``ask`` with each of them at growing intervals, at last once in ``every_s`` seconds,
        for ever, and where time is up for a person. Who has connected meanwhile is asked then, if
        not before."""
        first_s = min(ASK_FIRST_S, every_s)
        agenda: dict[str, _Appointment] = {}
        while True:
            now = monotonic()
            agenda = {
                episode: kept
                if (kept := agenda.get(episode)) is not None and kept.version == version
                else _Appointment(version, now + first_s, first_s)
                for episode, version in self._versions.items()
            }
            for episode in [one for one, due in self._due.items() if due <= now_us()]:
                if self._due.pop(episode, None) is not None:
                    ask(episode)
                    await asyncio.sleep(ASK_PAUSE_S)
            for episode, last in list(agenda.items()):
                if last.at <= now and episode in self._versions:
                    ask(episode)
                    wait_s = min(2 * last.wait_s, every_s)
                    agenda[episode] = _Appointment(last.version, monotonic() + wait_s, wait_s)
                    await asyncio.sleep(ASK_PAUSE_S)
            await asyncio.sleep(min(1.0, first_s))
