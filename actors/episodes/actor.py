"""The actor of one episode of any environment: takes commands, appends the events that they lead
to, and has the seats asked."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import Final

from actors.episodes import metrics
from actors.episodes.delivery.deadline_alarm import DeadlineAlarm
from actors.episodes.delivery.seat_delivery import SeatDelivery
from actors.episodes.encrypted_words import Seals
from actors.episodes.journal import SharedPast
from actors.episodes.messages import AgentFailed, CheckIdle, Manager, Redeliver, Suspend
from actors.episodes.process.decisions import Decisions
from actors.episodes.process.episode_passivation import EpisodePassivation
from actors.episodes.process.stored_episode import StoredEpisode
from actors.episodes.rules.answers import failed_answers
from actors.episodes.rules.decide import Continue, EpisodeCommand, Start
from actors.episodes.rules.seats import Late
from actors.episodes.rules.state import INITIAL, EpisodeState
from actors.runtime.actors.persistent_actor import PersistentActor
from actors.runtime.bus.announcements import announce_at
from actors.runtime.bus.nats_bus import Bus, head_of
from actors.runtime.spans import TurnKey, tracing
from events.base import Envelope, Event
from events.episode import ActionTaken, SeatReleased, SeatTaken, TurnOpened
from events.wire import subjects
from events.wire.messages import Accepted, EditAction, Look, TakeAction, TakeActions, TakeSeat
from store.log.event_store import EventStore

_NOBODYS: Final = frozenset((Redeliver, CheckIdle))
_ANSWERS: Final = frozenset((TakeAction, TakeActions, EditAction))


class EpisodeActor(PersistentActor[EpisodeState]):
    """Owns one episode's truth. Commands in, events appended, observations out."""

    inbox_limit = 1000

    def __init__(
        self,
        store: EventStore,
        bus: Bus,
        manager: Manager,
        episode: str,
        *,
        fresh: bool = False,
        witness: Callable[[str, EpisodeState], None] | None = None,
        task: Start | Continue | None = None,
        passivated_at: int | None = None,
    ) -> None:
        """``task``: what the episode is to do without being sent it, after a restart.
        ``passivated_at``: the version it rested at, when it comes back from that."""
        super().__init__(store, subjects.stream_name("episode", episode), fresh=fresh)
        self.bus, self.manager, self.episode = bus, manager, episode
        self.task = task
        self.decisions = Decisions(None if witness is None else partial(witness, episode))
        self.delivery = SeatDelivery(bus, episode)
        self.alarm = DeadlineAlarm(self.actor_ref)
        self.passivation = EpisodePassivation(manager, episode, passivated_at)
        self.seals = Seals(episode)
        self.opening = ""
        """The id of the event that opened the last turn."""
        self.pasts: tuple[SharedPast, ...] = ()
        """What the episode goes on from, where it is a fork, the oldest first."""
        self.events_head = head_of(subjects.event(bus.space, "episode", episode))

    # ------------------------------------------------------------ messages

    def on_receive(self, message: object) -> object:
        """A command for the rules, or a request to say again what was said."""
        if type(message) not in _NOBODYS:
            if self.passivation.passivated_at is not None:
                self._wake()
            self.passivation.heard = True
        if tracing.sink is not None and isinstance(message, TakeAction | TakeActions):
            key = TurnKey(self.episode, message.turn, message.seat)
            tracing.received(type(message).__name__, key)
        match message:
            case TakeAction(participant=who) if who and self.seals.may_find(who):
                # The database of keys may be back, or the key was made since they sat down.
                return self._with_key(message)
            case Look():
                return self.delivery.look(message) or self.version
            case Redeliver(after_s=after_s):
                self.delivery.ask_again(self.spawn, after_s)
                self.alarm.ring(self.state)
                self._passivate()
                return self.version
            case CheckIdle():
                self._passivate()
                return self.version
            case Suspend():
                # Whoever goes on with the episode gets an actor that seats everybody again.
                self.stop()
                return self.version
            case AgentFailed(seat=seat, reason=reason):
                message = failed_answers(self.state, seat, reason)
            case Late(seat=seat) if not self.alarm.is_due(self.state, seat):
                self.alarm.set(self.state)
                return self.version
            case Start(started=started):
                self.correlation = started.run
                if started.chain and self.state.started is None:
                    return self._start_remembering(message)
            case TakeSeat(participant=who, sealed=must) if not self.seals.knows(who, sealed=must):
                return self._with_key(message, sealed=must)
        return super().on_receive(message)

    async def _with_key(self, command: TakeSeat | TakeAction, *, sealed: bool = False) -> object:
        """Carry out a participant's command once their key was looked up."""
        await self.seals.look_up(command.participant, sealed=sealed)
        before = self.version
        after = await self.execute(command)
        return Accepted(version=after, before=True) if after == before else after

    async def _start_remembering(self, start: Start) -> int:
        """Begin an episode of a chain: its first observation tells what the seat remembers."""
        self.delivery.memories = await asyncio.to_thread(self.manager.memories_of, start.started)
        return await self.execute(start)

    # ------------------------------------------------------------ decisions and events

    def initial(self) -> EpisodeState:
        """Nothing has happened."""
        return INITIAL

    def decide(self, state: EpisodeState, command: EpisodeCommand | TakeActions) -> Sequence[Event]:
        """The events that a command, and what waits behind it, lead to."""
        return self.decisions.decide(state, command, self.actor_inbox, self.note_refusal)

    def evolve(self, state: EpisodeState, event: Event) -> EpisodeState:
        return self.decisions.foreseen.after(state, (event,))

    def evolve_all(self, state: EpisodeState, events: Sequence[Event]) -> EpisodeState:
        """The same for several: most of their states were computed to decide."""
        return self.decisions.foreseen.after(state, events)

    def kept(self, events: Sequence[Event]) -> Sequence[Event]:
        """What a participant says whose words can be erased is sealed."""
        return self.seals.kept(events, self.state) if self.seals.keys else events

    def acknowledgement(self, command: object, events: Sequence[Event]) -> object:
        """What was done before changes nothing, and says so; of a beginning nobody asks that."""
        changed = events or isinstance(command, Start | Continue)
        return self.version if changed else Accepted(version=self.version, before=True)

    def causation(self, command: object) -> str:
        """An action, and what follows from it, names the turn that asked for it."""
        return self.opening if type(command) in _ANSWERS else ""

    def turn_of(self, events: Sequence[Event]) -> TurnKey | None:
        """That of the action which is stored."""
        taken = next((one for one in events if isinstance(one, ActionTaken)), None)
        return None if taken is None else TurnKey(self.episode, taken.turn, taken.seat)

    def announce(self, envelopes: Sequence[Envelope]) -> None:
        """Whoever follows the episode hears of every event."""
        announce_at(self.bus, self.events_head, envelopes)

    def react(self, appended: Sequence[tuple[int, Event]], envelopes: Sequence[Envelope]) -> None:
        """Ask those whose turn it is; dismiss everybody at the end."""
        state, now, delivery = self.state, monotonic(), self.delivery
        informed = delivery.follow(state, appended, self.correlation, now)
        for (_, event), envelope in zip(appended, envelopes, strict=True):
            match event:
                case TurnOpened():
                    if event.turn == 1:
                        self._enter(begun_at=self.owned_at)
                    self.opening, self.passivation.heard = envelope.event_id, True
                    if event.turn == state.turn and state.unanswered:
                        # Else it was answered as it was opened.
                        delivery.ask(self.spawn, event.seats, now=now)
                case SeatTaken(seat=seat) | SeatReleased(seat=seat):
                    self.manager.reseat(self.episode, self.correlation, state, seat, self.pasts)
                    if seat in state.waiting:
                        delivery.observe(seat)
        if state.ended is not None:
            if state.started is not None:
                metrics.EPISODES.labels(state.started.environment, state.ended).inc()
            delivery.dismiss()
            self.manager.over(self.episode)
            # Whoever asks for an episode that is over gets an actor that has read its stream.
            self.stop()
        if informed:
            delivery.inform(informed)
        if state.started is not None and state.started.people.deadline_s > 0:
            self.alarm.follow(state, appended, envelopes)
        if delivery.outside or self.passivation.waits_for_people or state.people.paused:
            self.passivation.note_waiting(state)

    # ------------------------------------------------------------ memory and process

    def recovered(self) -> None:
        """Seat the minds again, and repeat the open questions."""
        state = self.state
        if (passivated_at := self.passivation.passivated_at) is not None:
            if self.version != passivated_at:
                raise self._ownership_lost(self.version)
            # Nobody else has a reason to write to it: who did is who goes on with it.
            self._has_appended = True
            return
        if state.ended is not None:
            self.manager.over(self.episode)
            return
        if self.task is not None and not state.waiting:
            # The message an actor failed on is lost: nobody else says how it goes on.
            self.actor_ref.tell(self.task)
        if state.started is not None and self.decisions.odd is None:
            self._enter()
            self.delivery.ask(self.spawn, state.waiting, whole=True)
            self.actor_ref.tell(CheckIdle())

    def _replay(self) -> tuple[int, EpisodeState]:
        """The state after the whole history, which for a fork begins in its parent's stream."""
        read = StoredEpisode.read(self.store, self.episode, self.seals, self.manager.memories_of)
        self.decisions.odd, self.pasts, self.opening = read.odd, read.pasts, read.opening
        self.delivery.begin_at(read.state, read.noticing, read.memories)
        self.alarm.deadlines = read.deadlines
        if read.state.started is not None:
            self.correlation = read.run
        return read.version, read.state

    def _enter(self, *, begun_at: float | None = None, woken: bool = False) -> None:
        """Have the local minds take their seats."""
        # All seats may answer at once, and ask for what they missed.
        self.actor_inbox.admit(2 * len(self.state.minds))
        self.manager.enter(
            self.episode, self.correlation, self.state, self.pasts, begun_at=begun_at, woken=woken
        )
        if begun_at is None:
            self.passivation.note_waiting(self.state, anyway=True)
            self.alarm.set(self.state)

    def _wake(self) -> None:
        """Go on, because somebody has said something."""
        if not self.passivation.wake():
            raise self._ownership_lost(self.version)
        self._enter(woken=True)

    def _passivate(self) -> None:
        """Leave memory, if nobody is asked but seats outside, and these are silent."""
        idle = self.actor_inbox.empty() and not self._under_way()
        if idle and self.passivation.leave(self.state, self.version, self.alarm):
            self.leave()

    def may_passivate(self) -> bool:
        """Not while time runs: what wakes episodes that have left memory would not know of it."""
        return not self.alarm.is_set
