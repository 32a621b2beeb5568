"""Looking at processes while they work."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import sqlalchemy as sa

from events.episode import EpisodeEnded, EpisodeFailed
from store.database.tables import log
from tests.soak.figures import Inside, Sample
from tests.soak.processes import Place, Watched
from tests.soak.rest import Gate

_OVER: Final = sa.select(sa.func.count()).where(
    log.c.tag.in_([EpisodeEnded.__name__, EpisodeFailed.__name__]),
    log.c.position > sa.bindparam("after"),
    log.c.position <= sa.bindparam("upto"),
)

LETS_GO_S: Final = 5.0
"""For a process to let go of episodes that have ended."""


class Done:
    """What has been done by now, wherever that was; each event is looked at once."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.episodes = 0
        """That have ended."""
        self.events = 0
        """In the store."""

    def look(self) -> None:
        """Look again. Blocking."""
        between = {"after": self.events, "upto": self.place.store.head()}
        with self.place.store.engine.connect() as connection:
            self.episodes += connection.execute(_OVER, between).scalar_one()
        self.events = between["upto"]


async def sample(
    place: Place, gate: Gate, seconds: float, every_s: float, show: Callable[[str, Sample], None]
) -> dict[str, list[Sample]]:
    """Look at each process at rest every so often, for so many seconds; the samples by process."""
    begun, done = time.monotonic(), Done(place)
    found: dict[str, list[Sample]] = {process.name: [] for process in place.watched}
    while (now := time.monotonic() - begun) < seconds:
        async with gate.rest():
            await asyncio.to_thread(done.look)
            for process in place.watched:
                inside = await _at_rest(process)
                memory = process.seen.memory_full_info()
                one = Sample(
                    seconds=now,
                    episodes=done.episodes,
                    events=done.events,
                    rss=memory.rss,
                    uss=memory.uss,
                    fds=process.seen.num_fds(),
                    threads=process.seen.num_threads(),
                    wal=place.wal,
                    inside=inside,
                )
                found[process.name].append(one)
                show(process.name, one)
        await asyncio.sleep(every_s)
    return found


async def _at_rest(process: Watched) -> Inside:
    """What a process holds once it has let go of its episodes, or still does a while later."""
    ends = time.monotonic() + LETS_GO_S
    while (inside := await process.inside()).episodes and time.monotonic() < ends:
        await asyncio.sleep(0.1)
    return inside
