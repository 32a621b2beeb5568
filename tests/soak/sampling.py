"""Looking at processes while they work."""

import asyncio
import time
from collections.abc import Callable

import sqlalchemy as sa

from events.episode import EpisodeEnded, EpisodeFailed
from store.tables import log
from tests.soak.figures import Sample
from tests.soak.processes import Place

_OVER = sa.select(sa.func.count()).where(
    log.c.tag.in_([EpisodeEnded.__name__, EpisodeFailed.__name__])
)


async def sample(
    place: Place, seconds: float, every_s: float, show: Callable[[str, Sample], None]
) -> dict[str, list[Sample]]:
    """Look at each process every so often, for so many seconds; the samples by process."""
    begun = time.monotonic()
    found: dict[str, list[Sample]] = {process.name: [] for process in place.watched}
    while (now := time.monotonic() - begun) < seconds:
        episodes, events = await asyncio.to_thread(_done, place)
        for process in place.watched:
            inside = await process.inside()
            memory = process.seen.memory_full_info()
            one = Sample(
                seconds=now,
                episodes=episodes,
                events=events,
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


def _done(place: Place) -> tuple[int, int]:
    with place.store.engine.connect() as connection:
        return connection.execute(_OVER).scalar_one(), place.store.head()
