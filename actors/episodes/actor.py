"""The actor of one episode of any environment: it owns the episode's state and decides which
messages each seat receives."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import inf
from time import monotonic
from typing import Any, Final, TypeVar

import msgspec
import structlog

from actors.episodes import metrics
from actors.episodes.delivery.deadlines import Deadlines, now_us
from actors.episodes.delivery.delays import Shown
from actors.episodes.delivery.notices import NOTICED, Noticing, in_order
from actors.episodes.delivery.seat_messages import SeatMessages
from actors.episodes.delivery.wire import wire_of
from actors.episodes.encrypted_words import UNSEALED, Seals
from actors.episodes.journal import SharedPast
from actors.episodes.messages import AgentFailed, CheckIdle, Manager, Redeliver, Suspend
from actors.episodes.port.game import AnyGame
from actors.episodes.port.sight import Notice
from actors.episodes.rules.answers import take_action
from actors.episodes.rules.decide import (
    INITIAL,
    Continue,
    EpisodeCommand,
    EpisodeState,
    Late,
    Start,
    check_seat,
    decide,
    evolve,
    over_for,
    posed,
)
from actors.episodes.rules.people import is_outside
from actors.episodes.views.inconsistent_history import OddHistory, telling
from actors.runtime.actors.inbox import AnyEnvelope
from actors.runtime.actors.persistent_actor import PersistentActor
from actors.runtime.bus.announcements import announce_at
from actors.runtime.bus.nats_bus import Bus, head_of
from actors.runtime.errors import CommandRefused
from actors.runtime.spans import TurnKey, tracing
from events.base import Envelope, Event
from events.episode import (
    ActionFailure,
    ActionProposed,
    ActionTaken,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeForked,
    EpisodeStarted,
    SeatReleased,
    SeatTaken,
    TurnOpened,
    WorldChanged,
)
from events.minds import MindSpec
from events.untrusted.safe_text import shortened
from events.wire import subjects
from events.wire.messages import (
    Accepted,
    Answer,
    EditAction,
    EpisodeOver,
    Look,
    News,
    Observation,
    TakeAction,
    TakeActions,
    TakeSeat,
)
from store.errors import KeysUnavailable
from store.log.event_store import NEW, EventStore
from store.log.forked_history import Numbered
from store.read_model.episode_history import read_history

log = structlog.get_logger(__name__)


_A = TypeVar("_A")
_C = TypeVar("_C", TakeAction[Any], EditAction[Any])
_NOBODYS: Final = frozenset((Redeliver, CheckIdle))
_ANSWERS: Final = frozenset((TakeAction, TakeActions, EditAction))
_OPENED: Final = TurnOpened.__name__
AT_ONCE: Final = 64
"""Seats that are asked without waiting for NATS: what they are shown first may be large."""
_SURE: Final = (Start, Continue)
"""Commands after which nobody asks whether anything had to be done."""


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
        self.witness = witness
        self.task = task
        self.bus = bus
        self.manager = manager
        self.episode = episode
        self.noticing = Noticing()
        self.seats = SeatMessages(bus, episode)
        self.deadlines = Deadlines()
        self.shown = Shown()
        self.seals = Seals(episode)
        self.alarm: asyncio.TimerHandle | None = None
        """Rings when time is up for the first person."""
        self.foreseen: list[tuple[EpisodeState, Event, EpisodeState]] = []
        """What the rules evolved to decide what follows, and to what, each from the one before."""
        self.opening = ""
        """The id of the event that opened the last turn."""
        self.asked: dict[int, float] = {}
        """When each seat was asked first for what it has not answered yet."""
        self.to_ask: set[int] = set()
        """Seats that wait to be asked because many are."""
        self.waits_for_people = False
        """Whether nobody is asked but people, as its manager was told last."""
        self.passivated_at = passivated_at
        """None once it goes on."""
        self.owed: set[int] = set()
        """Seats outside that asked for everything while nothing was asked of them: their next
        observation is whole."""
        self.heard_at = -inf
        """When something happened or somebody asked last, as far as this actor knows."""
        self.memories: tuple[str, ...] = ()
        """What each seat remembers; empty where the episode belongs to no chain."""
        self.pasts: tuple[SharedPast, ...] = ()
        """What the episode goes on from, where it is a fork, the oldest first."""
        self._minds: tuple[MindSpec, ...] = ()
        """Those of which ``_outside`` are the seats played from elsewhere."""
        self._outside: set[int] = set()
        self.odd: OddHistory | None = None
        """Why the episode can neither be told nor gone on with."""
        self.events_head = head_of(subjects.event(bus.space, "episode", episode))

    @property
    def game(self) -> AnyGame | None:
        """That of the episode; None before it has begun."""
        return self.noticing.game

    def initial(self) -> EpisodeState:
        """Nothing has happened."""
        return INITIAL

    def decide(self, state: EpisodeState, command: EpisodeCommand | TakeActions) -> Sequence[Event]:
        """The events a command leads to; an episode that has begun is gone on with, not begun
        again, and one that cannot begin is given up: who has it begin waits for no reply."""
        if type(command) is Start and state.started is not None:
            command = Continue()
        if self.odd is not None and isinstance(command, Continue) and state.ended is None:
            return (EpisodeFailed(reason=str(self.odd), attempts=0),)
        if self.foreseen:
            self.foreseen.clear()
        try:
            if isinstance(command, TakeActions):
                events: Sequence[Event] = self._take_all(state, command)
            else:
                events = decide(state, command, self._foresee)
        except CommandRefused as refused:
            if not isinstance(command, Start):
                raise
            return (EpisodeFailed(reason=str(refused), attempts=0),)
        if self.foreseen and self.foreseen[-1][2].unanswered and not self.actor_inbox.empty():
            return (*events, *self._waiting_answers())
        return events

    def _take_all(self, state: EpisodeState, command: TakeActions) -> list[Event]:
        """What a seat's answers to a turn's questions lead to, one after the other. Raises
        ``CommandRefused`` where none is taken because one was refused."""
        events: list[Event] = []
        refusal: CommandRefused | None = None
        for answer in command.answers:
            alone = TakeAction(
                seat=command.seat,
                turn=command.turn,
                question=answer.question,
                action=answer.action,
                failure=answer.failure,
            )
            try:
                events += take_action(state, alone, self._foresee)
            except CommandRefused as refused:
                if refusal is not None:
                    self.note_refusal(refusal)
                refusal = refused
                continue
            if events and type(events[-1]) is ActionProposed:
                state = self._foresee(state, events[-1])
            elif self.foreseen:
                state = self.foreseen[-1][2]
        if refusal is not None:
            if not events:
                raise refusal
            self.note_refusal(refusal)
        return events

    def _waiting_answers(self) -> Iterator[Event]:
        """What answers that wait behind one that is taken lead to: those to one turn come together
        and are appended at once. If they are not stored after all, their seats are asked again."""
        game = self.game
        assert game is not None
        for envelope in self.actor_inbox.take(_is_answer):
            message, state = envelope.message, self.foreseen[-1][2]
            try:
                if isinstance(message, TakeActions):
                    yield from self._take_all(state, self._typed_all(message, game))
                else:
                    yield from decide(state, self._typed(message, game), self._foresee)
            except CommandRefused as refused:
                self.note_refusal(refused)

    def _foresee(self, state: EpisodeState, event: Event) -> EpisodeState:
        after = evolve(state, event)
        self.foreseen.append((state, event, after))
        return after

    def evolve(self, state: EpisodeState, event: Event) -> EpisodeState:
        """The state after an event; the witness that checks replays is told, too."""
        if self.foreseen and self.foreseen[0][0] is state and self.foreseen[0][1] is event:
            after = self.foreseen.pop(0)[2]
        else:
            after = evolve(state, event)
        if self.witness is not None:
            self.witness(self.episode, after)
        return after

    def on_receive(self, message: object) -> object:
        """A command for the rules, or a request to say again what was said."""
        if type(message) not in _NOBODYS:
            if self.passivated_at is not None:
                self._wake()
            self.heard_at = monotonic()
        game = self.noticing.game
        match message:
            case TakeAction() if game is not None:
                if tracing.sink is not None:
                    key = TurnKey(self.episode, message.turn, message.seat)
                    tracing.received("TakeAction", key)
                message = self._typed(message, game)
                if message.participant and self.seals.may_find(message.participant):
                    # The database of keys may be back, or the key was made since they sat down.
                    must = message.participant in self.seals.lacking
                    return self._with_key(message, message.participant, sealed=must)
            case TakeActions():
                message = self._typed_all(message, game)
            case EditAction() if game is not None:
                message = self._typed(message, game)
            case Look(seat=seat, before=before):
                return self._shown_all(seat, before)
            case Redeliver(after_s=after_s):
                self._ask_again(after_s)
                self._ring()
                self._passivate()
                return self.version
            case CheckIdle():
                self._passivate()
                return self.version
            case Suspend():
                # Whoever goes on with the episode gets an actor that seats everybody again.
                self.stop()
                return self.version
            case AgentFailed():
                for command in self._nothing_done(message):
                    self.actor_ref.tell(command)
                return None
            case Late(seat=seat):
                until = self.deadlines.until(self.state, seat)
                if until is None or until > now_us():
                    self._set_alarm()
                    return self.version
            case Start(started=started):
                self.correlation = started.run
                if started.chain and self.state.started is None:
                    return self._start_remembering(message)
            case TakeSeat(participant=participant, sealed=sealed) if not self.seals.knows(
                participant, sealed=sealed
            ):
                return self._with_key(message, participant, sealed=sealed)
        return super().on_receive(message)

    def _typed(self, command: _C, game: AnyGame) -> _C:
        """A command whose action came as plain data. Raises ``CommandRefused``."""
        read = wire_of(game.environment).action
        action = self._read_action(read, command.action, command.seat)
        return msgspec.structs.replace(command, action=action)

    def _typed_all(self, command: TakeActions, game: AnyGame | None) -> TakeActions:
        """The same for several answers."""
        if game is None:
            raise CommandRefused("the episode has not started", "not_playing")
        if tracing.sink is not None:
            tracing.received("TakeActions", TurnKey(self.episode, command.turn, command.seat))
        given = [one.action for one in command.answers]
        actions = self._read_action(wire_of(game.environment).actions, given, command.seat)
        answers = [
            Answer(question=one.question, action=action, failure=one.failure)
            for one, action in zip(command.answers, actions, strict=True)
        ]
        return TakeActions(seat=command.seat, turn=command.turn, answers=tuple(answers))

    def _read_action(self, read: Callable[[Any], _A], given: object, seat: int) -> _A:
        """What an environment reads a seat's action as, or several. Raises ``CommandRefused``."""
        try:
            return read(given)
        except msgspec.ValidationError as error:
            why = f"the action cannot be read: {shortened(str(error))}"
            raise CommandRefused(why, "bad_action", posed(self.state, seat)) from error

    def _shown_all(self, seat: int, before: int | None) -> object:
        """The reply to a seat that asks for everything it may know, or for news that came before
        some number. Raises ``CommandRefused``."""
        state = self.state
        if state.started is None:
            raise CommandRefused("the episode has not started", "not_playing")
        check_seat(state, seat)
        if state.ended is not None:
            return self._tell_over(seat)
        if before is not None:
            past = self.noticing.everything(state.started, seat)
            self._inform(seat, [one for one in past if one.number < before])
        elif seat in state.waiting:
            self._observe(seat, whole=True)
        elif is_outside(state.minds[seat]):
            self.owed.add(seat)
        return self.version

    def _nothing_done(self, failed: AgentFailed) -> list[TakeAction]:
        """What is recorded of a seat whose agent was given up, for each question it was asked."""
        assert self.game is not None
        failure = ActionFailure(reason="mind_error", detail=failed.reason)
        return [
            TakeAction(
                seat=failed.seat,
                turn=self.state.turn,
                question=asked.id,
                action=self.game.rules.nothing(asked.question),
                failure=failure,
            )
            for asked in self.state.open
            if asked.seat == failed.seat
        ]

    async def _with_key(
        self, command: TakeSeat | TakeAction, participant: str, *, sealed: bool
    ) -> object:
        """Carry out a participant's command once their key was looked up. Raises
        ``CommandRefused`` where it is needed and not found."""
        try:
            await asyncio.to_thread(self.seals.know, participant, sealed=sealed)
        except KeysUnavailable as error:
            raise CommandRefused(str(error), "try_again") from error
        if participant in self.seals.lacking:
            raise CommandRefused(UNSEALED)
        before = self.version
        after = await self.execute(command)
        # As ``acknowledgement`` says.
        return Accepted(version=after, before=True) if after == before else after

    def kept(self, events: Sequence[Event]) -> Sequence[Event]:
        """What a participant says whose words can be erased is sealed."""
        if not self.seals.keys:
            return events
        return self.seals.kept(events, self.state.people, self.state.started)

    async def _start_remembering(self, start: Start) -> int:
        """Begin an episode of a chain: its first observation tells what the seat remembers."""
        self.memories = await asyncio.to_thread(self._memories, start.started)
        return await self.execute(start)

    def acknowledgement(self, command: object, events: Sequence[Event]) -> object:
        """What was done before changes nothing, and says so."""
        if not events and not isinstance(command, _SURE):
            return Accepted(version=self.version, before=True)
        return self.version

    def causation(self, command: object) -> str:
        """An action, and what follows from it, names the turn that asked for it."""
        return self.opening if type(command) in _ANSWERS else ""

    def announce(self, envelopes: Sequence[Envelope]) -> None:
        """Whoever follows the episode hears of every event."""
        for envelope in envelopes:
            if envelope.tag == _OPENED:
                self.opening = envelope.event_id
        announce_at(self.bus, self.events_head, envelopes)

    def react(self, appended: Sequence[tuple[int, Event]], envelopes: Sequence[Envelope]) -> None:
        """Ask those whose turn it is; dismiss everybody at the end."""
        # An event's number in the history, less its version in the stream.
        ahead = self.state.number - self.version
        now = monotonic()
        started = self.state.started
        clocked = started is not None and started.people.deadline_s > 0
        if self.state.minds is not self._minds:
            self._note_outside()
        outside = self._outside
        informed: set[int] = set()
        narrated: set[int] = set()
        opened: list[TurnOpened] = []
        ended: EpisodeEnded | EpisodeFailed | None = None
        for (version, event), envelope in zip(appended, envelopes, strict=True):
            number = version + ahead
            noticing: set[int] | None = set() if outside else None
            self.noticing.look(number, event, noticing)
            if noticing:
                informed |= noticing
            if clocked:
                # People's time runs from when they are shown that they are asked.
                self.deadlines.note(event, self.shown.at(Numbered(number, envelope, event)))
            match event:
                case ActionTaken(seat=seat, by=by):
                    if (asked := self.asked.pop(seat, None)) is not None and not by:
                        mind, seconds = self.state.minds[seat], now - asked
                        metrics.TURNS[mind.kind].observe(seconds)
                        if tracing.sink is not None:
                            self._trace(event, mind, seconds)
                case TurnOpened(turn=turn):
                    if self.to_ask:
                        self.to_ask.clear()
                    if turn == 1:
                        self._enter(self.owned_at)
                    opened.append(event)
                case WorldChanged(by=by):
                    if by and noticing:
                        narrated |= noticing
                case SeatTaken(seat=seat) | SeatReleased(seat=seat):
                    self.asked.pop(seat, None)
                    self.manager.reseat(
                        self.episode, self.correlation, self.state, seat, self.pasts
                    )
                    if seat in self.state.waiting:
                        self._observe(seat)
                case EpisodeEnded() | EpisodeFailed():
                    ended = event
        for turn_opened in opened:
            self.heard_at = now
            self._ask(turn_opened.seats, now=now)
        if ended is not None:
            self._dismiss(ended)
        if informed:
            self._keep_informed(outside & informed, narrated)
        if clocked:
            self._set_alarm()
        if outside or self.waits_for_people or self.state.people.paused:
            self._note_waiting()

    def recovered(self) -> None:
        """Seat the minds again, and repeat the open questions."""
        state = self.state
        if self.passivated_at is not None:
            if self.version != self.passivated_at:
                raise self._ownership_lost(self.version)
            # Nobody else has a reason to write to it: who did is who goes on with it.
            self._overtakable = True
            return
        if state.ended is not None:
            self.manager.over(self.episode)
            return
        if self.task is not None and not state.waiting:
            # The message an actor failed on is lost: nobody else says how it goes on.
            self.actor_ref.tell(self.task)
        if state.started is None or self.odd is not None:
            return
        self._enter()
        self._ask(state.waiting, whole=True)
        self._note_waiting(anyway=True)
        self._set_alarm()
        self.actor_ref.tell(CheckIdle())

    def _passivate(self) -> None:
        """Leave memory, if nobody is asked but seats outside, and these are silent."""
        state = self.state
        if (
            not (state.waiting or state.people.held)
            or not all(is_outside(state.minds[seat]) for seat in state.waiting)
            or not self.manager.passivation.is_due(self.episode, monotonic() - self.heard_at)
            or not self.actor_inbox.empty()
            or self._under_way()
        ):
            return
        due = self.deadlines.next(state)
        if self.passivated_at is not None or self.manager.passivate(
            self.episode, self.version, due
        ):
            if self.alarm is not None:
                self.alarm.cancel()
            self.leave()

    def _wake(self) -> None:
        """Go on, because somebody has said something."""
        self.passivated_at = None
        if not self.manager.goes_on(self.episode):
            raise self._ownership_lost(self.version)
        self._enter(woken=True)
        self._note_waiting(anyway=True)
        self._set_alarm()

    def _note_waiting(self, *, anyway: bool = False) -> None:
        """Tell the manager whether only people are to do something, those who play or who paused
        the episode; ``anyway``: also where it was told so before."""
        state = self.state
        waits = (
            state.ended is None
            and (state.people.held or bool(state.waiting))
            and all(state.minds[seat].kind == "person" for seat in state.waiting)
        )
        if anyway or waits != self.waits_for_people:
            self.waits_for_people = waits
            self.manager.waits_for_people(self.episode, waits)

    def _set_alarm(self) -> None:
        """Have it ring when time is up for the first of the people who are asked something."""
        until = self.deadlines.next(self.state)
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None
        if until is not None and not self.actor_stopped.is_set():
            left = max(0, until - now_us()) / 1_000_000
            self.alarm = asyncio.get_running_loop().call_later(left, self._ring)

    def _ring(self) -> None:
        """Time is up for those for whom it is."""
        if self.actor_stopped.is_set():
            return
        state = self.state
        for seat in self.deadlines.late(state, now_us()):
            who = state.people.participant(seat)
            self.actor_ref.tell(Late(seat=seat, turn=state.turn, participant=who))

    def may_passivate(self) -> bool:
        """Not while time runs: what wakes episodes that have left memory would not know of it."""
        return self.alarm is None

    def _enter(self, begun_at: float | None = None, *, woken: bool = False) -> None:
        if limit := self.actor_inbox.limit:
            # All seats may answer at once, and ask for what they missed.
            self.actor_inbox.limit = max(limit, 2 * len(self.state.minds))
        self.manager.enter(
            self.episode,
            self.correlation,
            self.state,
            begun_at=begun_at,
            pasts=self.pasts,
            woken=woken,
        )

    def _replay(self) -> tuple[int, EpisodeState]:
        """The state after the whole history, which for a fork begins in its parent's stream."""
        state, version = self.initial(), NEW
        self.noticing, self.deadlines, self.shown = Noticing(), Deadlines(), Shown()
        self.odd, self.pasts = None, ()
        if self.store.version(self.stream) == NEW:
            return version, state
        before = ""
        for numbered in read_history(self.store, self.episode):
            if isinstance(numbered.event, EpisodeForked):
                self.pasts += (_shared_past(before, state),)
            before = numbered.envelope.stream
            if isinstance(numbered.event, SeatTaken):
                # Earlier versions did not say it; participants of studies have keys all the same.
                must = numbered.event.sealed or numbered.event.by == "study"
                self.seals.know(numbered.event.participant, sealed=must)
            self.seals.heard(numbered.event, state.people, state.started)
            state = self._recalled(state, numbered.number, numbered.event)
            if self.odd is None:
                self.deadlines.note(numbered.event, self.shown.at(numbered))
            if isinstance(numbered.event, TurnOpened):
                self.opening = numbered.envelope.event_id
            match numbered.event:
                case EpisodeStarted(run=run) | EpisodeForked(run=run):
                    self.correlation = run
            if numbered.envelope.stream == self.stream:
                version = numbered.envelope.version
        if state.started is not None and state.ended is None and self.odd is None:
            self.memories = self._memories(state.started)
        return version, state

    def _recalled(self, state: EpisodeState, number: int, event: Event) -> EpisodeState:
        """The state after a stored event. From one on that does not follow from the environment's
        rules only what these have no part in is known: who sits there, and whether it has ended."""
        begun = event if isinstance(event, EpisodeStarted) else state.started
        try:
            if self.odd is None or type(event) not in NOTICED:
                with telling("" if begun is None else begun.environment):
                    after = evolve(state, event)
                    self.noticing.look(number, event)
                    return after
        except OddHistory as odd:
            self.odd = odd
            if isinstance(event, EpisodeStarted):
                state = EpisodeState(started=event, minds=event.minds)
        return msgspec.structs.replace(state, number=number, unanswered=())

    def _memories(self, started: EpisodeStarted) -> tuple[str, ...]:
        if not started.chain:
            return ()
        return tuple(self.manager.memory_of(started, seat) for seat in range(len(started.minds)))

    # ------------------------------------------------------------ what seats are told

    def _ask(self, seats: Sequence[int], *, whole: bool = False, now: float = 0.0) -> None:
        """Ask some seats; many of them as fast as NATS takes what they are shown. ``now``: as in
        ``_observe``."""
        if len(seats) > AT_ONCE:
            rest, seats = seats[AT_ONCE:], seats[:AT_ONCE]
            self.to_ask.update(rest)
            self.spawn(self._ask_rest(self.state.turn, rest, whole))
        for seat in seats:
            self._observe(seat, whole=whole, now=now)

    async def _ask_rest(self, turn: int, seats: Sequence[int], whole: bool) -> None:
        for begin in range(0, len(seats), AT_ONCE):
            await self.bus.flush()
            if self.state.turn != turn:
                return
            waiting = set(self.state.waiting)
            for seat in seats[begin : begin + AT_ONCE]:
                self.to_ask.discard(seat)
                if seat in waiting:
                    self._observe(seat, whole=whole)

    def _ask_again(self, after_s: float) -> None:
        """Repeat what may have been lost on the way. A local mind that has lost more looks for
        it."""
        asked_by = monotonic() - after_s
        seats = [
            seat
            for seat in self.state.waiting
            if seat not in self.to_ask and self.asked.get(seat, -inf) <= asked_by
        ]
        minds = self.state.minds
        self._ask([seat for seat in seats if is_outside(minds[seat])], whole=True)
        self._ask([seat for seat in seats if not is_outside(minds[seat])])

    def _observe(self, seat: int, *, whole: bool = False, now: float = 0.0) -> None:
        """Ask a seat what it has not answered, and show it what is new to it, or everything it may
        know. ``now``: of ``monotonic``, where it was looked at already."""
        if seat not in self.asked:
            self.asked[seat] = now or monotonic()
        state, background, news = self.state, None, self.noticing.unseen[seat]
        if whole or state.last_seen[seat] < 0 or seat in self.owed:
            started, game = state.started, self.game
            assert started is not None, "seats wait only in episodes that have started"
            assert game is not None
            self.owed.discard(seat)
            memory = self.memories[seat] if self.memories else ""
            background = game.sight.background(self.episode, started, seat, memory)
            if state.acted[seat]:  # else nothing that it noticed was dropped yet
                news = self.noticing.everything(started, seat)
        observation = Observation(
            episode=self.episode,
            seat=seat,
            mind=state.minds[seat].name,
            turn=state.turn,
            news=in_order(news),
            background=background,
            questions=posed(state, seat),
        )
        if tracing.sink is not None:
            tracing.sent("Observation", TurnKey(self.episode, state.turn, seat))
        self.seats.send(state.minds[seat], observation)

    def turn_of(self, events: Sequence[Event]) -> TurnKey | None:
        """That of the action which is stored."""
        taken = next((one for one in events if isinstance(one, ActionTaken)), None)
        return None if taken is None else TurnKey(self.episode, taken.turn, taken.seat)

    def _trace(self, taken: ActionTaken, mind: MindSpec, seconds: float) -> None:
        """Tell of a seat's turn that is over."""
        assert self.game is not None
        told = {"troupe.environment": self.game.environment, "troupe.run": self.correlation}
        told |= {"troupe.mind": mind.name, "troupe.mind.kind": mind.kind}
        key = TurnKey(self.episode, taken.turn, taken.seat)
        failed = "" if taken.failure is None else taken.failure.reason
        tracing.ended("turn", key, seconds, told, whole=True, failed=failed)

    def _note_outside(self) -> None:
        self._minds = self.state.minds
        self._outside = {seat for seat, mind in enumerate(self._minds) if is_outside(mind)}

    def _keep_informed(self, seats: Iterable[int], narrated: Collection[int]) -> None:
        """Tell seats outside what they noticed, if they are not asked anything; what a narrator
        said, in any case: it may be all that happens for long."""
        waiting = self.state.waiting
        for seat in seats:
            if seat in narrated or seat not in waiting:
                self._inform(seat, self.noticing.unseen[seat])

    def _inform(self, seat: int, noticed: Sequence[Notice]) -> None:
        """Tell a seat what it noticed, without asking anything."""
        mind = self.state.minds[seat]
        news = in_order(noticed)
        self.seats.send(mind, News(episode=self.episode, seat=seat, mind=mind.name, news=news))

    def _tell_over(self, seat: int) -> EpisodeOver:
        """Tell a seat that the episode has ended."""
        over = over_for(self.episode, self.state, seat)
        self.seats.send(self.state.minds[seat], over)
        return over

    def _dismiss(self, event: EpisodeEnded | EpisodeFailed) -> None:
        reason = event.reason if isinstance(event, EpisodeEnded) else "failed"
        if (started := self.state.started) is not None:
            metrics.EPISODES.labels(started.environment, reason).inc()
            for seat in range(len(started.minds)):
                self._tell_over(seat)
        self.manager.over(self.episode)
        # Whoever asks for an episode that is over gets an actor that has read its stream.
        self.stop()


def _shared_past(stream: str, state: EpisodeState) -> SharedPast:
    """The stretch of an episode that ends in a state, and whose last event is of a stream."""
    first: dict[int, int] = {}
    for asked in state.unanswered:
        first[asked.seat] = min(asked.id, first.get(asked.seat, asked.id))
    return SharedPast(subjects.split_stream(stream)[1], state.turn, first)


def _is_answer(envelope: AnyEnvelope) -> bool:
    """Whether somebody who waits for no reply answers a question."""
    return envelope.reply_to is None and isinstance(envelope.message, TakeAction | TakeActions)
