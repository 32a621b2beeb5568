"""Factories of episode actors, and the failure that is recorded when an actor cannot continue."""

import asyncio
from typing import TYPE_CHECKING

import structlog

from actors.episodes.actor import EpisodeActor
from actors.episodes.agent import AgentActor
from actors.runtime.actors.failure_event import record_failure
from events.episode import EpisodeEnded, EpisodeFailed
from events.wire import subjects

if TYPE_CHECKING:
    from actors.episodes.process.manager import EpisodeManager

log = structlog.get_logger(__name__)

ENDING_TAGS = (EpisodeEnded.__name__, EpisodeFailed.__name__)
"""Tags of the events after which an episode is over."""


class EpisodeFactory:
    """Makes the actors of episodes."""

    kind = "episode"

    def __init__(self, manager: "EpisodeManager") -> None:
        self.manager = manager

    def create(self, episode: str, /) -> EpisodeActor:
        manager = self.manager
        fresh = episode in manager.beginning
        manager.beginning.discard(episode)
        ending = manager.endings.get(episode)
        return EpisodeActor(
            manager.store,
            manager.bus,
            manager,
            episode,
            fresh=fresh,
            witness=manager.witness,
            task=None if ending is None else ending.task,
            passivated_at=manager.passivation.version(episode),
        )

    async def give_up(self, episode: str, reason: str, attempts: int, /) -> None:
        """Record that the episode cannot go on, whatever state it is in."""
        stream = subjects.stream_name("episode", episode)
        failed = EpisodeFailed(reason=reason, attempts=attempts)
        await asyncio.to_thread(
            record_failure, self.manager.store, stream, failed, unless=ENDING_TAGS
        )
        self.manager.over(episode)


class AgentFactory:
    """Makes the agents of seated minds."""

    kind = "agent"

    def __init__(self, manager: "EpisodeManager") -> None:
        self.manager = manager

    def create(self, address: str, /) -> AgentActor:
        """The agent at an address."""
        manager = self.manager
        seated = manager.seats.find(address)
        assert seated is not None, "only who sits there is written to"
        agent = AgentActor(
            manager.store,
            manager.bus,
            seated.seat,
            manager.mind_for(seated),
            seated.game,
            seated.seats,
            manager.silent,
            begun_at=seated.begun_at,
            pasts=seated.pasts,
        )
        # Restarted it will have a past.
        seated.begun_at = None
        return agent

    async def give_up(self, address: str, reason: str, attempts: int, /) -> None:
        """The seat does nothing in this turn; the episode goes on, and counts the failure."""
        log.error("agent_given_up", address=address, reason=reason, attempts=attempts)
        if (seated := self.manager.seats.find(address)) is not None:
            self.manager.absent(seated.seat, reason)
