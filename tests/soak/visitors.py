"""Those who look at a server while it works: pages, figures, watchers that come and go."""

import asyncio
import random
from contextlib import aclosing

import aiohttp

from actors.runtime.bus.follow_stream import follow
from actors.runtime.bus.nats_bus import Bus
from gateway.http.health import PATHS
from gateway.process.discovery import nats_for
from gateway.services.runs.watch_run import RunWatch
from store.read_model import queries
from tests.soak.processes import Place

PAUSE_S = 0.25
FOLLOWED = 10
"""Events that a watcher sees before it leaves."""


async def visit(place: Place) -> None:
    """Fetch every page of every process, again and again, for ever."""
    async with aiohttp.ClientSession() as session:
        while True:
            for process in place.watched:
                for path in ("/", *PATHS):
                    async with session.get(process.url + path) as response:
                        await response.read()
            await asyncio.sleep(PAUSE_S)


async def watch(place: Place, seed: int) -> None:
    """Watch a run and follow an episode for a moment, again and again, for ever."""
    draw = random.Random(seed)
    while True:
        await asyncio.sleep(PAUSE_S)
        rows = await asyncio.to_thread(queries.runs, place.store)
        if not rows:
            continue
        run = draw.choice(rows[-5:]).id
        looking = RunWatch(place.settings, place.store, run)
        await asyncio.to_thread(looking.look)
        episodes = await asyncio.to_thread(queries.episodes, place.store, run=run)
        if episodes:
            await _follow(place, draw.choice(episodes).id)


async def _follow(place: Place, episode: str) -> None:
    at = await asyncio.to_thread(nats_for, place.settings, place.store)
    bus = await Bus.connect(at.url, token=at.token, space=at.space, name="soak-watches")
    try:
        async with aclosing(follow(place.store, bus, f"episode-{episode}")) as following:
            seen = 0
            try:
                async with asyncio.timeout(1.0):
                    async for _ in following:
                        seen += 1
                        if seen == FOLLOWED:
                            break
            except TimeoutError:
                pass
    finally:
        await bus.close()
