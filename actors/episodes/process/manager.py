"""Manages the episodes of one process: seats local minds, and waits for episodes to end."""

import asyncio
from collections.abc import Callable, Sequence

import msgspec
import structlog

from actors.episodes.agent import Seat
from actors.episodes.journal import SharedPast
from actors.episodes.messages import AgentFailed, CheckIdle, Redeliver, Suspend
from actors.episodes.mind import MakeMind, Mind
from actors.episodes.process.commands import EpisodeCommands
from actors.episodes.process.factories import AgentFactory, EpisodeFactory
from actors.episodes.process.local_seats import LocalSeats, Seated
from actors.episodes.process.outcome import (
    OVER,
    OWNERSHIP_LOST,
    PASSIVATED,
    STOPPING,
    Outcome,
    halted,
)
from actors.episodes.process.passivation import Passivation
from actors.episodes.rules.decide import Continue, EpisodeState, Start
from actors.models.limits.halts import Halt, is_lasting
from actors.runtime.actors.bus_bridge import Bridge
from actors.runtime.actors.host import ActorHost
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.errors import InboxFull
from events.episode import EpisodeStarted
from events.wire import subjects
from store.log.event_store import EventStore

log = structlog.get_logger(__name__)

LOOK_S = 0.02
"""Seconds between checks whether all agents have stopped."""


class Ending(msgspec.Struct):
    """A caller that waits for the end of an episode."""

    run: str
    task: Start | Continue
    """What the episode's actor is to do, should it have to begin anew."""
    future: asyncio.Future[Outcome]


class EpisodeManager:
    """The episodes of one process and the agents of their local minds.

    ``on_halt`` is called with the run, if any, and the reason why some of its work cannot continue;
    the process that carries the run out then pauses it. ``witness`` is told every state an episode
    comes into, for checks of replays. ``recollect`` says what a seat of a chain remembers before
    the episode at an index (called in threads). What waits for remote seats only, ``passivation``
    says when it leaves memory.
    """

    def __init__(
        self,
        store: EventStore,
        bus: Bus,
        host: ActorHost,
        make_mind: MakeMind,
        on_halt: Callable[[str, Halt], None],
        witness: Callable[[str, EpisodeState], None] | None = None,
        recollect: Callable[[str, int, int], str] | None = None,
        passivation: Passivation | None = None,
    ) -> None:
        self.store, self.bus, self.host, self.make_mind = store, bus, host, make_mind
        self.bridge = Bridge(host, bus)
        self.commands = EpisodeCommands(store, bus, self.bridge)
        self.on_halt = on_halt
        self.witness = witness
        self.recollect = recollect
        self.passivation = Passivation() if passivation is None else passivation
        self.seats = LocalSeats(host, self.bridge, bus.space, self.mind_for)
        self.endings: dict[str, Ending] = {}
        """By episode."""
        self.silenced: list[tuple[str, str]] = []
        """Agents that were dismissed in the middle of an episode, as far as they may still be
        answering."""
        self.beginning: set[str] = set()
        """Episodes that are thought not to exist yet: nothing is read before they start. Should
        one exist, its first append conflicts, and it is read then."""
        host.register(EpisodeFactory(self))
        host.register(AgentFactory(self))
        host.on_ownership_lost.append(self._taken_over)

    async def play(self, episode: str, run: str, started: EpisodeStarted | None) -> Outcome:
        """Play an episode from where it is to its end, or until it is left where it is; ``started``
        begins one that has not; one that cannot begin is given up at once."""
        command = Start(started=started) if started is not None else Continue()
        ending = self.endings.get(episode)
        if ending is None:
            ending = Ending(run, command, asyncio.get_running_loop().create_future())
            self.endings[episode] = ending
        self.passivation.remove(episode)
        inbox = subjects.inbox(self.bus.space, "episode", episode)
        self.bridge.listen_now("episode", episode, subject=inbox)
        if started is not None and ("episode", episode) not in self.host:
            self.beginning.add(episode)
        self.host.tell("episode", episode, command)
        return await asyncio.shield(ending.future)

    def redeliver(self, after_s: float = 0.0) -> None:
        """Have every episode under way ask again whoever has not answered, and was asked as many
        seconds ago."""
        for episode in list(self.endings):
            try:
                self.host.tell("episode", episode, Redeliver(after_s))
            except InboxFull as error:
                log.warning("redelivery_not_taken", episode=episode, error=str(error))

    def ask_again(self, episode: str) -> None:
        """Have the seats of a passivated episode asked again; it stays out of memory."""
        self.host.tell("episode", episode, Redeliver())

    async def suspend_all(self, grace_s: float) -> None:
        """Leave every episode where it is; whoever waits for one gets ``STOPPING``.

        Models that were asked may still answer for so many seconds, and what they say is recorded:
        it is paid for. An episode is let go only then, for who takes it up sooner asks again.
        """
        end = asyncio.get_running_loop().time() + grace_s
        for episode in self.passivation.take_all():
            self.bridge.unlisten("episode", episode)
        # One that was just woken has a table, and its ending is not awaited yet.
        here = list(self.endings | self.seats.tables)
        await asyncio.gather(
            self._answered(self.silenced, end), *(self._hand_over(episode, end) for episode in here)
        )

    def let_go(self, episode: str) -> None:
        """Leave an episode where it is, if it is here at all: its job is put off or done with."""
        self._withdraw(episode)

    # ------------------------------------------------------------ what episodes say

    def enter(
        self,
        episode: str,
        run: str,
        state: EpisodeState,
        pasts: Sequence[SharedPast] = (),
        *,
        begun_at: float | None,
        woken: bool = False,
    ) -> None:
        """Seat the local minds; those outside listen for themselves."""
        if woken or episode in self.endings or episode in self.seats:
            self.seats.seat_all(episode, run, state, pasts, begun_at)
        # Else it was left where it is while it began: whoever goes on with it seats everybody.

    def reseat(
        self,
        episode: str,
        run: str,
        state: EpisodeState,
        seat: int,
        pasts: Sequence[SharedPast] = (),
    ) -> None:
        """Dismiss a local mind whose seat is somebody else's, and seat one that has it now."""
        dismissed = self.seats.reseat(episode, run, state, seat, pasts)
        if dismissed is not None:
            self._will_be_silent([dismissed])

    def passivate(self, episode: str, version: int, due: int | None) -> bool:
        """Nobody is asked but seats outside, and they are silent: the episode leaves memory, unless
        the time has not come."""
        if episode not in self.endings:
            return False
        environment = self.seats.passivate(episode)
        if not environment:
            return False
        self.passivation.add(episode, version, environment, due)
        _resolve(self._no_longer_awaited(episode), PASSIVATED)
        return True

    def waits_for_people(self, episode: str, waits: bool) -> None:
        """Nobody is asked but people, or somebody else is again."""
        for one in self.passivation.wait_for_people(episode, waits):
            if ("episode", one) in self.host:
                self.host.tell("episode", one, CheckIdle())

    def goes_on(self, episode: str) -> bool:
        """Somebody has written to a passivated episode; False where it is no longer this
        process's."""
        return episode in self.endings or self.passivation.wake(episode)

    def over(self, episode: str) -> None:
        """The episode has ended: its seats are empty, and who waits for it goes on."""
        _resolve(self._leave(episode), OVER)

    def memories_of(self, started: EpisodeStarted) -> tuple[str, ...]:
        if self.recollect is None or not started.chain:
            return ()
        recollect, chain, index = self.recollect, started.chain, started.index
        return tuple(recollect(chain, seat, index) for seat in range(len(started.minds)))

    # ------------------------------------------------------------ what agents say

    def mind_for(self, seated: Seated) -> Mind:
        """The mind of somebody who sits down."""
        seat = seated.seat
        return self.make_mind(seated.mind, seated.game, seat.number, seat.run)

    def silent(self, seat: Seat, why: Halt) -> None:
        """A seat cannot go on: its episode stays where it is, and where that lasts all of its
        run do."""
        outcome = halted(why)
        if is_lasting(why) and seat.run:
            self.suspend_run(seat.run, outcome)
        else:
            self._silence(seat.episode, outcome)
        self.on_halt(seat.run, why)

    def suspend_run(self, run: str, outcome: Outcome) -> None:
        """The episodes of a run stay where they are."""
        for episode, ending in list(self.endings.items()):
            if ending.run == run:
                self._silence(episode, outcome)

    def _silence(self, episode: str, outcome: Outcome) -> None:
        # Some may have asked just before; where their answers are recorded nobody waits for them.
        self._will_be_silent(self.seats.agents(episode))
        self._abandon(episode, outcome)

    def _will_be_silent(self, agents: Sequence[tuple[str, str]]) -> None:
        self.silenced = [agent for agent in self.silenced if agent in self.host]
        self.silenced += agents

    def absent(self, seat: Seat, reason: str) -> None:
        """Answer for a seat whose agent was given up."""
        self.host.tell("episode", seat.episode, AgentFailed(seat.number, reason))

    def _taken_over(self, kind: str, id_: str) -> None:
        if kind == "episode":
            self._abandon(id_, OWNERSHIP_LOST)
        elif kind == "agent":
            # Whoever answers for a seat plays the episode. To seat an agent here again, which
            # reads what the other one wrote and goes on, would take it away from a living process
            # in the middle of a call, and have that paid for twice. Should there be none, the job
            # comes back after the ack wait.
            self._abandon(id_.rpartition(".")[0], OWNERSHIP_LOST)

    def _abandon(self, episode: str, outcome: Outcome) -> None:
        _resolve(self._withdraw(episode), outcome)

    async def _hand_over(self, episode: str, end: float) -> None:
        agents = self.seats.agents(episode)
        waiting = self._withdraw(episode)
        await self._answered([*agents, ("episode", episode)], end)
        _resolve(waiting, STOPPING)

    async def _answered(self, actors: Sequence[tuple[str, str]], end: float) -> None:
        """Returns when actors that were told to leave have recorded what they had under way:
        agents, what their models answered."""
        loop = asyncio.get_running_loop()
        # Rare and short: not worth an event in every actor.
        while answering := [actor for actor in actors if actor in self.host]:
            if loop.time() >= end:
                log.warning("answers_not_awaited", actors=[id_ for _, id_ in answering])
                break
            await asyncio.sleep(LOOK_S)

    def _withdraw(self, episode: str) -> asyncio.Future[Outcome] | None:
        """Leave an episode where it is; the future of whoever still waits for its end."""
        ending = self._leave(episode)
        if ("episode", episode) in self.host:
            try:
                self.host.tell("episode", episode, Suspend())
            except InboxFull as full:
                # It may go on for a while: whoever takes it up wins by its first append.
                log.warning("episode_not_told_to_suspend", episode=episode, reason=str(full))
        return ending

    def _leave(self, episode: str) -> asyncio.Future[Outcome] | None:
        """Empty the seats; the future of whoever still waits for the end."""
        self.bridge.unlisten("episode", episode)
        self.passivation.drop(episode)
        self.seats.clear(episode)
        return self._no_longer_awaited(episode)

    def _no_longer_awaited(self, episode: str) -> asyncio.Future[Outcome] | None:
        ending = self.endings.pop(episode, None)
        return None if ending is None or ending.future.done() else ending.future


def _resolve(waiting: asyncio.Future[Outcome] | None, outcome: Outcome) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(outcome)
