"""The agent: the actor in a seat. It receives observations, asks its mind, and sends the
answers."""

import asyncio
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial

import msgspec
import structlog

from actors.episodes.delivery.seat_answers import Given, SeatAnswers, answer_to
from actors.episodes.encrypted_words import quotes_sealed
from actors.episodes.journal import AgentJournal, Dismissed, SharedPast, past_decisions
from actors.episodes.mind import Mind, Scene
from actors.episodes.port.game import AnyGame
from actors.episodes.port.sight import Notice
from actors.models.limits.halts import HALTS, Halt
from actors.models.recording.call_log import LATE, CallEvent, CallLog
from actors.runtime.actors.persistent_actor import PersistentActor
from actors.runtime.bus.announcements import announce_at
from actors.runtime.bus.nats_bus import Bus, head_of
from actors.runtime.spans import TurnKey, tracing
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Envelope, Event
from events.episode import ActionFailure
from events.serialization.codec import event_of
from events.thoughts import Decided
from events.wire import subjects
from events.wire.messages import EpisodeOver, Observation, Posed
from store.log.event_store import EventStore

log = structlog.get_logger(__name__)


class Seat(msgspec.Struct, frozen=True):
    """Which seat of which episode, for which run."""

    episode: str
    number: int
    run: str = ""

    @property
    def address(self) -> str:
        """The agent's id: ``<episode>.<seat>``."""
        return f"{self.episode}.{self.number}"


class NewMind(msgspec.Struct, frozen=True):
    """To an agent that was dismissed: another mind has the seat, or the same one has it back."""

    mind: Mind


class AgentActor(PersistentActor[CallLog]):
    """One seat's agent. Its stream holds the calls its mind makes, so that a call that was
    answered is never made again, and what it concludes; a mind that does neither leaves no stream.

    What it has seen it keeps in memory; after a restart it asks the episode with ``Look``.
    """

    inbox_limit = 1000
    beside = LATE

    def __init__(
        self,
        store: EventStore,
        bus: Bus,
        seat: Seat,
        mind: Mind,
        game: AnyGame,
        seats: int,
        halted: Callable[[Seat, Halt], None],
        *,
        begun_at: float | None = None,
        pasts: Sequence[SharedPast] = (),
    ) -> None:
        """``seats``: how many the episode has. ``halted`` is told what its mind waits for.
        ``begun_at``: when the episode began in this process (of ``time.monotonic``), where the
        stream is known not to exist: nobody else can have got as far. ``pasts``: what the episode
        goes on from, where it is a fork, the oldest first."""
        stream = subjects.agent_stream(seat.episode, seat.number)
        super().__init__(store, stream, correlation=seat.run, fresh=begun_at is not None)
        if begun_at is not None:
            self.owned_at = begun_at
        self.bus = bus
        self.seat = seat
        self.mind = mind
        self.game, self.seats = game, seats
        self.halted = halted
        self.pasts = pasts
        self.decided: list[Decided] = []
        """All that the seat's minds decided, the oldest first; in a fork in what it shares, too."""
        self.dismissed = False
        self.events_head = head_of(subjects.event(bus.space, "agent", seat.address))
        self.answers = SeatAnswers(bus, seat.episode, seat.number, game)
        self.traced_model = ""
        """The model that was asked last; where nobody traces, it is not noted."""
        self.scene: Scene | None = None
        self.deciding = 0
        """The turn being decided on; 0: none."""

    def initial(self) -> CallLog:
        """No calls yet."""
        return CallLog()

    def evolve(self, state: CallLog, event: Event) -> CallLog:
        """The calls after one more event; what it decided is kept beside them."""
        if type(event) is Decided:
            self.decided.append(event)
            return state if event.turn <= state.turn else CallLog(event.turn)
        return state.evolve(event)

    def _replay(self) -> tuple[int, CallLog]:
        self.decided = list(past_decisions(self.store, self.seat.number, self.pasts))
        return super()._replay()

    def decide(self, state: CallLog, command: object) -> Sequence[Event]:
        """An agent takes no commands; it records its calls."""
        raise TypeError(f"an agent is shown observations, not {type(command).__name__}")

    def kept(self, events: Sequence[Event]) -> Sequence[Event]:
        """What repeats the words of a participant who can be erased is sealed."""
        return quotes_sealed(self.seat.episode, events)

    def announce(self, envelopes: Sequence[Envelope]) -> None:
        """Calls are watched live, too."""
        if tracing.sink is not None:
            for envelope in envelopes:
                self._trace(event_of(envelope))
        announce_at(self.bus, self.events_head, envelopes)

    def _turn(self, turn: int) -> TurnKey:
        return TurnKey(self.seat.episode, turn, self.seat.number)

    def turn_of(self, events: Sequence[Event]) -> TurnKey | None:
        """That of the call or the conclusion which is recorded."""
        return next(
            (self._turn(one.turn) for one in events if isinstance(one, CallEvent | Decided)), None
        )

    def _trace(self, event: Event) -> None:
        """Tell of a call to a model that is over."""
        if isinstance(event, ModelAsked):
            self.traced_model = event.model
        elif isinstance(event, ModelAnswered | ModelFailed):
            told: dict[str, str | int | float] = {"gen_ai.operation.name": "chat"}
            told["gen_ai.request.model"] = self.traced_model
            told["troupe.attempt"] = event.attempt
            failed = event.reason if isinstance(event, ModelFailed) else ""
            if isinstance(event, ModelAnswered):
                told["gen_ai.response.model"] = event.model
                told["gen_ai.usage.input_tokens"] = event.input_tokens
                told["gen_ai.usage.output_tokens"] = event.output_tokens
            name = f"chat {self.traced_model}".rstrip()
            tracing.ended(name, self._turn(event.turn), event.latency_s, told, failed=failed)

    def on_receive(self, message: object) -> object:
        """An observation to answer, or the news that the episode is over."""
        match message:
            case Observation():
                self._shown(message)
            case EpisodeOver():
                self.dismissed = True
                if not self.deciding:
                    self.stop()
                # Else once the answer under way is recorded: it will have been paid for.
            case NewMind(mind):
                self._sit_down(mind)
            case _:
                return super().on_receive(message)
        return None

    def _sit_down(self, mind: Mind) -> None:
        """What the mind before is still asked is recorded, and nobody's answer any more."""
        self.mind, self.dismissed, self.scene = mind, False, None
        self.answers.clear()

    def _shown(self, observation: Observation) -> None:
        turn = observation.turn
        if tracing.sink is not None:
            tracing.received("Observation", self._turn(turn))
        if (observation.episode, observation.seat) != (self.seat.episode, self.seat.number):
            log.warning("observation_of_another_seat", address=self.seat.address)
            return
        if self.deciding or self.dismissed:
            return  # what goes unanswered is repeated
        if turn < self.state.turn:
            return  # it has lain somewhere while the episode went on in another process
        waiting = self.answers.left(observation)
        if not waiting:
            return
        if observation.left_out and not self._continues(observation):
            self._say_incomplete(observation, waiting)
            return
        scene = self._scene_with(observation, waiting[0])
        if scene is None:
            self.answers.look()
            return
        self.deciding = turn
        self.spawn(self._decide(scene, waiting))

    def _continues(self, observation: Observation) -> bool:
        """Whether an observation that leaves out its oldest news leaves out nothing that this agent
        has not seen."""
        if self.scene is None or not self.scene.seen or not observation.news:
            return False
        return bool(observation.news[0].number <= self.scene.seen[-1].number)

    def _say_incomplete(self, observation: Observation, waiting: Sequence[Posed]) -> None:
        """A mind is not to take a part for the whole: say what was missing instead of an answer."""
        detail = (
            "what it noticed does not fit into one message; entries left out, the oldest first: "
            f"{observation.left_out:,}"
        )
        self.answers.fail(
            observation.turn, waiting, ActionFailure(reason="too_long", detail=detail)
        )

    def _scene_with(self, observation: Observation, posed: Posed) -> Scene | None:
        """The scene after an observation; None where earlier ones are missing."""
        if observation.background is not None and not observation.left_out:
            self.scene = Scene(
                background=self.game.crowd.shared(observation.background),
                seen=list(self.game.crowd.shared_news(observation.news)),
                turn=observation.turn,
                question=posed.question,
                question_id=posed.id,
                seat=self.seat.number,
                seats=self.seats,
            )
        elif self.scene is not None:
            last = self.scene.seen[-1].number if self.scene.seen else -1
            new: Sequence[Notice] = observation.news
            if new and new[0].number <= last:
                new = [line for line in new if line.number > last]
            self.scene.seen += self.game.crowd.shared_news(new)
            self.scene.turn = observation.turn
        return self.scene

    async def _decide(self, scene: Scene, posed: Sequence[Posed]) -> None:
        # Made for each: were it kept, agent and recorder would hold each other, and every agent
        # would be left to the garbage collector, which runs seldom.
        mind = self.mind
        given: list[Given] = []
        try:
            if len(posed) > 1 and getattr(mind, "at_once", False):
                # What was asked beside one that failed is answered, and was paid for, all the same.
                asked = (self._ask(mind, copy(scene), one, given) for one in posed)
                for failed in await asyncio.gather(*asked, return_exceptions=True):
                    if failed is not None:
                        raise failed
            else:
                for one in posed:
                    await self._ask(mind, scene, one, given)
        except HALTS as why:
            # The seat falls silent; its episode goes on with this turn later, or when its run is
            # resumed.
            if self._sits(mind):
                self.halted(self.seat, why)
            return
        except Dismissed:
            return
        finally:
            self.deciding = 0
            if given and self._sits(mind):
                self.answers.give(given)
            if (self.dismissed or mind is not self.mind) and not self.actor_stopped.is_set():
                if self.dismissed:
                    self.stop()
                else:
                    self.answers.look()

    async def _ask(self, mind: Mind, scene: Scene, posed: Posed, given: list[Given]) -> None:
        """Put one question to the mind; its answer is one of ``given`` then."""
        scene.question, scene.question_id = posed.question, posed.id
        journal = AgentJournal(
            partial(self._calls_so_far, mind),
            partial(self._decided_so_far, mind),
            self.record_soon,
            self.claim,
        )
        decision = await mind.decide(scene, journal)
        if journal.conclusion is not None:
            await journal.conclusion
        given.append((posed, answer_to(scene, decision, self.game)))

    def _sits(self, mind: Mind) -> bool:
        """Whether it is this mind that answers for the seat."""
        return mind is self.mind and not self.dismissed

    def _calls_so_far(self, mind: Mind) -> CallLog:
        if not self._sits(mind):
            raise Dismissed
        return self.state

    def _decided_so_far(self, mind: Mind) -> Sequence[Decided]:
        if not self._sits(mind):
            raise Dismissed
        return self.decided
