"""The social environment's shell: what is sent to whom after which event."""

import asyncio
from bisect import bisect_right
from collections.abc import Callable, Sequence
from math import inf
from time import monotonic
from typing import Final, NamedTuple, Protocol

import structlog

from actors.runtime.bus import Bus
from actors.runtime.persistent import PersistentActor
from actors.social import metrics
from actors.social.resting import Resting
from actors.social.rules import INITIAL, Continue, EpisodeCommand, Start, State, decide, evolve
from actors.social.visibility import background, seen
from events import subjects
from events.base import Envelope, Event
from events.codec import encode
from events.episode import (
    Action,
    ActionFailure,
    ActionTaken,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeForked,
    EpisodeStarted,
    TurnOpened,
)
from events.messages import Background, EpisodeOver, Look, Observation, TakeAction
from store.history import read_history
from store.log import NEW, EventStore

log = structlog.get_logger(__name__)


class Remind:
    """To an episode's actor, from its company: ask again whoever has not answered."""


class Adjourn:
    """To an episode's actor, from its company: leave it where it is."""


class Doubt:
    """To an episode's actor, from its company: somebody else has answered for one of its seats, so
    perhaps it is played elsewhere."""


class Settle:
    """To an episode's actor, from itself: whoever wrote while it was read is heard by now."""


_NOBODYS: Final = (Remind, Settle)
_FROM_SEATS: Final = (TakeAction, Look)


class Absent(NamedTuple):
    """To an episode's actor: the agent in a seat was given up, so the seat does nothing."""

    seat: int
    reason: str


class Company(Protocol):
    """Who stands around an episode: seats its local minds, and hears when it is over."""

    resting: Resting

    def enter(self, episode: str, run: str, state: State, *, fresh: bool) -> None:
        """The episode goes on in this process: its local minds take their seats. ``fresh``: it
        has just begun, so they have no past."""
        ...

    def over(self, episode: str) -> None:
        """The episode has ended, durably."""
        ...

    def rest(self, episode: str, version: int) -> bool:
        """The episode, whose stream is at a version, waits for remote seats only, and these are
        silent: whether its actor is to leave memory."""
        ...

    def goes_on(self, episode: str) -> bool:
        """Somebody has written to an episode that rests: whether it is still this process's."""
        ...

    def memory_of(self, started: EpisodeStarted, seat: int) -> str:
        """What a seat remembers of the earlier episodes of its chain. Blocking; called in a
        thread, before the first observation."""
        ...


class EpisodeActor(PersistentActor[State]):
    """Owns one episode's truth. Commands in, events appended, observations out."""

    inbox_limit = 1000

    def __init__(
        self,
        store: EventStore,
        bus: Bus,
        company: Company,
        episode: str,
        *,
        fresh: bool = False,
        witness: Callable[[str, State], None] | None = None,
        task: Start | Continue | None = None,
        rested_at: int | None = None,
    ) -> None:
        """``task``: what the episode is to do without being sent it, after a restart.
        ``rested_at``: the version it rested at, when it comes back from that."""
        super().__init__(store, subjects.stream_name("episode", episode), fresh=fresh)
        self.witness = witness
        self.task = task
        self.bus = bus
        self.company = company
        self.episode = episode
        self.actions: list[tuple[int, ActionTaken]] = []
        """Every action with its number in the history."""
        self.asked: dict[int, float] = {}
        """When each seat was asked first for what it has not answered yet."""
        self.rested_at = rested_at
        """None once it goes on."""
        self.heard_at = -inf
        """When something happened or somebody asked last, as far as this actor knows."""
        self.memories: tuple[str, ...] = ()
        """What each seat remembers; empty where the episode belongs to no chain."""
        self.event_subject = subjects.event(bus.space, "episode", episode)
        self.seats_subject = subjects.seats(bus.space, episode)

    def initial(self) -> State:
        """Nothing has happened."""
        return INITIAL

    def decide(self, state: State, command: EpisodeCommand) -> Sequence[Event]:
        """What the rules say; an episode that has begun is gone on with, not begun again."""
        if isinstance(command, Start) and state.started is not None:
            command = Continue()
        return decide(state, command)

    def evolve(self, state: State, event: Event) -> State:
        """What the rules say."""
        state = evolve(state, event)
        if self.witness is not None:
            self.witness(self.episode, state)
        return state

    def on_receive(self, message: object) -> object:
        """A command for the rules, or a request to say again what was said."""
        if self.rested_at is not None and not isinstance(message, _NOBODYS):
            self._wake()
        if isinstance(message, _FROM_SEATS):
            self.heard_at = monotonic()
        match message:
            case Look(seat=seat):
                if seat in self.state.waiting:
                    self._observe(seat, whole=True)
                return self.version
            case Remind():
                for seat in self.state.waiting:
                    self._observe(seat, whole=True)
                self._rest()
                return self.version
            case Settle():
                self._rest()
                return self.version
            case Adjourn():
                # Whoever goes on with the episode gets an actor that seats everybody again.
                self.stop()
                return self.version
            case Doubt():
                self.spawn(self.verify_ownership())
                return self.version
            case Absent(seat=seat, reason=reason):
                failure = ActionFailure(reason="mind_error", detail=reason)
                message = TakeAction(
                    seat=seat,
                    turn=self.state.turn,
                    action=Action(kind="none"),
                    failure=failure,
                )
            case Start(started=started):
                self.correlation = started.run
                if started.chain and self.state.started is None:
                    return self._start_remembering(message)
        return super().on_receive(message)

    async def _start_remembering(self, start: Start) -> int:
        """Begin an episode of a chain: its first observation tells what the seat remembers."""
        self.memories = await asyncio.to_thread(self._memories, start.started)
        return await self.execute(start)

    def announce(self, envelopes: Sequence[Envelope]) -> None:
        """Whoever follows the episode hears of every event."""
        for envelope in envelopes:
            self.bus.publish(self.event_subject, encode(envelope))

    def react(self, appended: Sequence[tuple[int, Event]], envelopes: Sequence[Envelope]) -> None:
        """Ask those whose turn it is; dismiss everybody at the end."""
        number = self.state.number - len(appended)
        for _, event in appended:
            number += 1
            match event:
                case ActionTaken(seat=seat):
                    self.actions.append((number, event))
                    if (asked := self.asked.pop(seat, None)) is not None:
                        kind = self.state.minds[seat].kind
                        metrics.TURNS[kind].observe(monotonic() - asked)
                case TurnOpened(turn=1):
                    self.company.enter(self.episode, self.correlation, self.state, fresh=True)
        for _, event in appended:
            match event:
                case TurnOpened(seats=seats):
                    self.heard_at = monotonic()
                    for seat in seats:
                        self._observe(seat)
                case EpisodeEnded() | EpisodeFailed():
                    self._dismiss(event)

    def recovered(self) -> None:
        """Seat the minds again and ask again whoever was asked."""
        state = self.state
        if self.rested_at is not None:
            if self.version != self.rested_at:
                raise self._ownership_lost(self.version)
            # Nobody else has a reason to write to it: who did is who goes on with it.
            self._overtakable = True
            return
        if state.ended is not None:
            self.company.over(self.episode)
            return
        if self.task is not None and not state.waiting:
            # The message an actor failed on is lost: nobody else says how it goes on.
            self.actor_ref.tell(self.task)
        if state.started is None:
            return
        self.company.enter(self.episode, self.correlation, state, fresh=False)
        for seat in state.waiting:
            self._observe(seat, whole=True)
        self.actor_ref.tell(Settle())

    def _rest(self) -> None:
        """Leave memory, if nobody is asked but remote seats, and these are silent."""
        state = self.state
        if (
            not state.waiting
            or any(state.minds[seat].kind != "remote" for seat in state.waiting)
            or not self.company.resting.is_due(monotonic() - self.heard_at)
            or not self.actor_inbox.empty()
            or self._under_way()
        ):
            return
        if self.rested_at is not None or self.company.rest(self.episode, self.version):
            self.leave()

    def _wake(self) -> None:
        """Go on, because somebody has said something."""
        self.rested_at = None
        if not self.company.goes_on(self.episode):
            raise self._ownership_lost(self.version)
        self.company.enter(self.episode, self.correlation, self.state, fresh=False)

    def _replay(self) -> tuple[int, State]:
        """The state after the whole history, which for a fork begins in its parent's stream."""
        state, version = self.initial(), NEW
        self.actions.clear()
        if self.store.version(self.stream) == NEW:
            return version, state
        for numbered in read_history(self.store, self.episode):
            state = evolve(state, numbered.event)
            match numbered.event:
                case ActionTaken():
                    self.actions.append((numbered.number, numbered.event))
                case EpisodeStarted(run=run) | EpisodeForked(run=run):
                    self.correlation = run
            if numbered.envelope.stream == self.stream:
                version = numbered.envelope.version
        if state.started is not None and state.ended is None:
            self.memories = self._memories(state.started)
        return version, state

    def _memories(self, started: EpisodeStarted) -> tuple[str, ...]:
        if not started.chain:
            return ()
        return tuple(self.company.memory_of(started, seat) for seat in range(len(started.cast)))

    def _observe(self, seat: int, *, whole: bool = False) -> None:
        """Show a seat what is new to it, or everything it may know."""
        self.asked.setdefault(seat, monotonic())
        state = self.state
        started = state.started
        assert started is not None, "seats wait only in episodes that have started"
        known = state.last_seen[seat]
        whole = whole or known < 0
        actions = self.actions
        if not whole:
            actions = actions[bisect_right(actions, known, key=_number) :]
        observation = Observation(
            episode=self.episode,
            seat=seat,
            turn=state.turn,
            news=seen(started, seat, actions, open_turn=state.turn),
            background=self._background(started, seat) if whole else None,
        )
        self.bus.publish(self._seat_subject(seat), encode(observation))

    def _background(self, started: EpisodeStarted, seat: int) -> Background:
        memory = self.memories[seat] if self.memories else ""
        return background(self.episode, started, seat, memory)

    def _seat_subject(self, seat: int) -> str:
        return f"{self.seats_subject}.{seat}"

    def _dismiss(self, event: EpisodeEnded | EpisodeFailed) -> None:
        reason = event.reason if isinstance(event, EpisodeEnded) else "failed"
        metrics.EPISODES.labels("social", reason).inc()
        assert self.state.started is not None
        for seat in range(len(self.state.started.cast)):
            over = EpisodeOver(episode=self.episode, seat=seat, reason=reason)
            self.bus.publish(self._seat_subject(seat), encode(over))
        self.company.over(self.episode)
        # Whoever asks for an episode that is over gets an actor that has read its stream.
        self.stop()


def _number(entry: tuple[int, ActionTaken]) -> int:
    return entry[0]
