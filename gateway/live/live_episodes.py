"""All episodes that are watched live in one process."""

import asyncio
import random
from collections import Counter
from functools import cache
from typing import Final, Self

import structlog

from actors.episodes.registry import environment_named
from actors.runtime.bus.nats_bus import Bus
from gateway.live.live_episode import LiveEpisode
from gateway.live.viewer_connection import ConnectionLimits, ViewerConnection
from gateway.process.subscription import EventSubscriptions
from gateway.services.access.roles import Principal
from gateway.settings import Settings
from store.log.event_store import EventStore

log = structlog.get_logger(__name__)

TICK_S: Final = 0.5
"""How often time is looked at, in seconds."""
KEEP_S: Final = 20.0
"""So long an episode is kept that nobody watches any more: who was cut off comes back, in
seconds."""
DATABASE_S: Final = 2.0
"""How long the database may take to answer, in seconds, before people are told."""
AFTER_S: Final = 2.0
"""Within so many seconds clients are to come back after a restart, each at another moment."""


class LiveEpisodes:
    """Use it as ``async with Live(…)``."""

    def __init__(
        self,
        settings: Settings,
        store: EventStore,
        bus: Bus | None,
        limits: ConnectionLimits | None = None,
    ) -> None:
        """``bus``: a connection that is there already; None: they are looked for."""
        self.store = store
        self.hearing = EventSubscriptions(settings, bus)
        self.limits = limits or ConnectionLimits()
        self.episodes: dict[str, LiveEpisode] = {}
        self.draining = False
        """No socket is taken any more."""
        self.database_away = False
        self.outside = settings.outside
        """From where browsers may open sockets."""
        self.by_address: Counter[str] = Counter()
        """Sockets from each address."""
        self._looking: set[asyncio.Task[None]] = set()
        self._asking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self.hearing.__aenter__()
        self._looking.add(asyncio.get_running_loop().create_task(self._tick()))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.drain()
        for task in self._looking:
            task.cancel()
        if self._asking is not None:
            self._asking.cancel()
        await asyncio.gather(*self._looking, return_exceptions=True)
        for episode in self.episodes.values():
            await episode.close()
        self.episodes.clear()
        await self.hearing.__aexit__()

    def episode(self, id_: str) -> LiveEpisode:
        """An episode (id in full), watched from now on."""
        found = self.episodes.get(id_)
        if found is None:
            found = self.episodes[id_] = LiveEpisode(self, id_)
        return found

    @property
    def clients(self) -> list[ViewerConnection]:
        """All that watch."""
        return [client for episode in self.episodes.values() for client in episode.clients]

    def of_token(self, principal: Principal) -> list[ViewerConnection]:
        """Those that came with the same token, the oldest first."""
        found = [client for client in self.clients if client.principal.token == principal.token]
        return sorted(found, key=lambda client: client.joined_at)

    @staticmethod
    @cache
    def has_stage_piece(environment: str) -> bool:
        """Whether an environment brings a picture of its own."""
        return environment_named(environment).stage is not None

    async def drain(self) -> None:
        """Take no more sockets, and have those that are there come back, perhaps elsewhere."""
        self.draining = True
        for client in self.clients:
            client.leave("restart", 1012, random.uniform(0, AFTER_S))  # noqa: S311
        # What was written leaves with this turn of the loop.
        await asyncio.sleep(0)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            if self._asking is None or self._asking.done():
                self._asking = asyncio.get_running_loop().create_task(self._ask_database())
            now = asyncio.get_running_loop().time()
            for episode in tuple(self.episodes.values()):
                try:
                    await self._look(episode, now)
                except Exception:
                    log.exception("episode_not_looked_after", episode=episode.id)

    async def _look(self, episode: LiveEpisode, now: float) -> None:
        episode.look()
        for client in tuple(episode.clients):
            client.look(now)
        if not episode.watched and now - episode.idle_since > KEEP_S:
            del self.episodes[episode.id]
            await episode.close()

    async def _ask_database(self) -> None:
        """See whether it answers; a thread that it keeps waiting is waited for."""
        asking = asyncio.get_running_loop().create_task(asyncio.to_thread(self.store.head))
        try:
            await asyncio.wait({asking}, timeout=DATABASE_S)
            self.database_away = not asking.done() or self.store.outage is not None
            await asking
            self.database_away = self.store.outage is not None
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the driver says, it does not answer
            self.database_away = True
            log.warning("database_away", error_type=type(error).__name__)
        finally:
            asking.cancel()
