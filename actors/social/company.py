"""Who stands around the episodes of one process: seats local minds, and waits for endings."""

import asyncio
from collections.abc import Callable

import msgspec
import structlog

from actors.minds.agent import AgentActor, Seat
from actors.minds.making import MindMaker
from actors.models.errors import BudgetSpent
from actors.runtime.bridge import Bridge
from actors.runtime.bus import Bus
from actors.runtime.errors import InboxFull
from actors.runtime.host import ActorHost
from actors.social import metrics
from actors.social.actor import Absent, Adjourn, EpisodeActor, Remind
from actors.social.rules import Continue, Start, State
from events import subjects
from events.codec import decode_shown
from events.episode import EpisodeEnded, EpisodeFailed, EpisodeStarted
from events.messages import EpisodeOver
from events.minds import MindSpec
from store.log import NEW, EventStore

log = structlog.get_logger(__name__)

LOOK_S = 0.02
"""How often it is looked whether all agents are gone, in seconds."""


OVER = (EpisodeEnded.__name__, EpisodeFailed.__name__)
"""Tags of the events after which an episode is over."""


class RunWaits(Exception):
    """An episode is left where it is: its run may spend no more, or another process plays it."""


class Adjourned(RunWaits):
    """An episode is left where it is, because this process stops; another may go on with it."""


class Seated(msgspec.Struct):
    """A local mind's place."""

    seat: Seat
    mind: MindSpec
    fresh: bool
    """Whether its agent has no past to read."""


class Ending(msgspec.Struct):
    """Somebody waits for an episode's end."""

    run: str
    future: asyncio.Future[None]


class SocialCompany:
    """The social episodes of one process and the agents of their local minds.

    ``out_of_budget`` is called when a run may spend no more; whoever carries it out pauses it.
    ``witness`` is told every state an episode comes into, for checks of replays.
    """

    def __init__(
        self,
        store: EventStore,
        bus: Bus,
        host: ActorHost,
        minds: MindMaker,
        out_of_budget: Callable[[BudgetSpent], None],
        witness: Callable[[str, State], None] | None = None,
    ) -> None:
        self.store, self.bus, self.host, self.minds = store, bus, host, minds
        self.bridge = Bridge(host, bus)
        self.out_of_budget = out_of_budget
        self.witness = witness
        self.tables: dict[str, dict[int, Seated]] = {}
        """By episode: its local minds by seat."""
        self.endings: dict[str, Ending] = {}
        """By episode."""
        self.beginning: set[str] = set()
        """Episodes that are thought not to exist yet: nothing is read before they start. Should
        one exist, its first append conflicts, and it is read then."""
        host.register(EpisodeFactory(self))
        host.register(AgentFactory(self))
        host.on_stepped_down.append(self._taken_over)

    async def play(self, episode: str, run: str, started: EpisodeStarted | None) -> None:
        """Play an episode from where it is to its end; ``started`` begins one that has not.

        Raises ``RunWaits`` when its run is to spend no more, or another process has taken over,
        and ``Adjourned`` when this one stops.
        """
        ending = self.endings.get(episode)
        if ending is None:
            ending = Ending(run, asyncio.get_running_loop().create_future())
            self.endings[episode] = ending
            metrics.PLAYING.set(len(self.endings))
        self.bridge.listen_now("episode", episode)
        if started is not None:
            self.beginning.add(episode)
        command = Start(started=started) if started is not None else Continue()
        self.host.tell("episode", episode, command)
        await asyncio.shield(ending.future)

    def remind(self) -> None:
        """Have every episode under way ask again whoever has not answered."""
        for episode in list(self.endings):
            try:
                self.host.tell("episode", episode, Remind())
            except InboxFull as error:
                log.warning("reminder_not_taken", episode=episode, error=str(error))

    async def adjourn(self, grace_s: float) -> None:
        """Leave every episode where it is. Models that were asked may still answer for so many
        seconds, and what they say is recorded: it is paid for."""
        agents = [
            seated.seat.address for table in self.tables.values() for seated in table.values()
        ]
        for episode in list(self.endings):
            self._abandon(episode, Adjourned("this process stops"))
        try:
            async with asyncio.timeout(grace_s):
                # Rare and short: not worth an event in every actor.
                while any(("agent", address) in self.host for address in agents):  # noqa: ASYNC110
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            log.warning("answers_not_awaited", grace_s=grace_s)

    # ------------------------------------------------------------ what episodes say

    def enter(self, episode: str, run: str, state: State, *, fresh: bool) -> None:
        """Seat the local minds; remote ones listen for themselves."""
        table = self.tables.setdefault(episode, {})
        for number, mind in enumerate(state.minds):
            if mind.kind == "remote" or number in table:
                continue
            seat = Seat(episode, number, run)
            table[number] = Seated(seat, mind, fresh)
            self._listen_at(seat)

    def over(self, episode: str) -> None:
        """The episode has ended: its seats are empty, and who waits for it goes on."""
        ending = self._leave(episode)
        if ending is not None:
            ending.set_result(None)

    # ------------------------------------------------------------ what agents say

    def silent(self, spent: BudgetSpent) -> None:
        """A run may spend no more: its episodes stay where they are."""
        self.out_of_budget(spent)
        for episode, ending in list(self.endings.items()):
            if ending.run == spent.run:
                self._abandon(episode, RunWaits(str(spent)))

    def absent(self, seat: Seat, reason: str) -> None:
        """Answer for a seat whose agent was given up."""
        self.host.tell("episode", seat.episode, Absent(seat.number, reason))

    def _taken_over(self, kind: str, id_: str) -> None:
        if kind == "episode":
            self._abandon(id_, RunWaits("another process plays it"))
            return
        episode, _, number = id_.rpartition(".")
        seated = self.tables.get(episode, {}).get(int(number))
        if seated is not None:
            # As long as the episode is ours somebody has to sit there; the next observation
            # finds an agent that has read what the other one wrote.
            self._listen_at(seated.seat)

    def _abandon(self, episode: str, why: RunWaits) -> None:
        ending = self._leave(episode)
        if ("episode", episode) in self.host:
            self.host.tell("episode", episode, Adjourn())
        if ending is not None:
            ending.set_exception(why)
            ending.exception()  # whoever waited may be gone by now

    def _listen_at(self, seat: Seat) -> None:
        self.bridge.listen_now(
            "agent",
            seat.address,
            subject=subjects.seat(self.bus.space, seat.episode, seat.number),
            decode=decode_shown,
        )

    def _leave(self, episode: str) -> asyncio.Future[None] | None:
        """Empty the seats; the future of whoever still waits for the end."""
        self.bridge.unlisten("episode", episode)
        for seated in self.tables.pop(episode, {}).values():
            seat = seated.seat
            self.bridge.unlisten("agent", seat.address)
            if ("agent", seat.address) in self.host:
                over = EpisodeOver(episode=episode, seat=seat.number, reason="over")
                self.host.tell("agent", seat.address, over)
        ending = self.endings.pop(episode, None)
        metrics.PLAYING.set(len(self.endings))
        return None if ending is None or ending.future.done() else ending.future


class EpisodeFactory:
    """Makes the environments' actors."""

    kind = "episode"

    def __init__(self, company: SocialCompany) -> None:
        self.company = company

    def create(self, episode: str, /) -> EpisodeActor:
        """The actor of an episode."""
        company = self.company
        fresh = episode in company.beginning
        company.beginning.discard(episode)
        return EpisodeActor(
            company.store,
            company.bus,
            company,
            episode,
            fresh=fresh,
            witness=company.witness,
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

    def __init__(self, company: SocialCompany) -> None:
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
