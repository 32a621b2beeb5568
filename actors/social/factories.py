"""Who makes the actors of episodes, and what is recorded of those that cannot go on."""

import asyncio
from typing import TYPE_CHECKING

import msgspec
import structlog

from actors.minds.agent import AgentActor, Seat
from actors.social.actor import EpisodeActor
from events import subjects
from events.episode import EpisodeEnded, EpisodeFailed
from events.minds import MindSpec
from store.log import NEW

if TYPE_CHECKING:
    from actors.social.company import SocialCompany

log = structlog.get_logger(__name__)

OVER = (EpisodeEnded.__name__, EpisodeFailed.__name__)
"""Tags of the events after which an episode is over."""


class Seated(msgspec.Struct):
    """A local mind's place."""

    seat: Seat
    mind: MindSpec
    fresh: bool
    """Whether its agent has no past to read."""


class EpisodeFactory:
    """Makes the environments' actors."""

    kind = "episode"

    def __init__(self, company: "SocialCompany") -> None:
        self.company = company

    def create(self, episode: str, /) -> EpisodeActor:
        """The actor of an episode."""
        company = self.company
        fresh = episode in company.beginning
        company.beginning.discard(episode)
        ending = company.endings.get(episode)
        return EpisodeActor(
            company.store,
            company.bus,
            company,
            episode,
            fresh=fresh,
            witness=company.witness,
            task=None if ending is None else ending.task,
            rested_at=company.resting.version(episode),
        )

    async def give_up(self, episode: str, reason: str, attempts: int, /) -> None:
        """Record that the episode cannot go on, whatever state it is in."""
        await asyncio.to_thread(self._record, episode, reason, attempts)
        self.company.over(episode)

    def _record(self, episode: str, reason: str, attempts: int) -> None:
        store, stream = self.company.store, subjects.stream_name("episode", episode)
        failed = EpisodeFailed(reason=reason, attempts=attempts)
        version = store.version(stream)
        run = ""
        if version != NEW:
            last = store.read(stream, version)[-1]
            if last.tag in OVER:
                return
            run = last.correlation
        store.append(stream, version, [failed], correlation=run)


class AgentFactory:
    """Makes the agents of seated minds."""

    kind = "agent"

    def __init__(self, company: "SocialCompany") -> None:
        self.company = company

    def create(self, address: str, /) -> AgentActor:
        """The agent at an address."""
        company = self.company
        seated = self._seated(address)
        seat = seated.seat
        mind = company.minds.make(seated.mind, seat.number, seat.run)
        agent = AgentActor(
            company.store, company.bus, seat, mind, company.silent, fresh=seated.fresh
        )
        # Restarted it will have a past.
        seated.fresh = False
        return agent

    async def give_up(self, address: str, reason: str, attempts: int, /) -> None:
        """The seat does nothing in this turn; the episode goes on, and counts the failure."""
        log.error("agent_given_up", address=address, reason=reason, attempts=attempts)
        episode, _, number = address.rpartition(".")
        seated = self.company.tables.get(episode, {}).get(int(number))
        if seated is not None:
            self.company.absent(seated.seat, reason)

    def _seated(self, address: str) -> Seated:
        episode, _, number = address.rpartition(".")
        return self.company.tables[episode][int(number)]
