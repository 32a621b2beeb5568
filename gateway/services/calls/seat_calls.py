"""The calls of an episode's seats, with their prompts."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from actors.episodes.mind import Mind, Scene
from actors.episodes.port.game import AnyGame
from actors.episodes.port.sight import Notice
from actors.episodes.registry import game_of
from actors.episodes.rules.decide import INITIAL, evolve
from actors.episodes.views.inconsistent_history import telling
from actors.minds.generative.mind import GenerativeMind
from actors.minds.model import ModelMind
from actors.models.errors import ModelUnavailable
from actors.models.replay import NotStored, Rebuilt, Replay, StoredCall, done, stored_calls
from events.episode import ActionTaken, EpisodeForked, EpisodeStarted, TurnOpened
from events.minds import MindSpec
from events.serialization.codec import event_of
from events.thoughts import Decided
from events.wire.subjects import agent_stream, split_stream
from gateway.services.calls.model_call import ModelCall, Owner, call_of
from gateway.services.episodes.episode_details import memory_of
from store.log.event_store import EventStore
from store.read_model.episode_history import Numbered

UNBUILT: Final = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError)
"""What building a prompt raises where a template, a rubric or a package is not there any more, or
where a history does not follow from the rules."""


class SeatTurn(NamedTuple):
    """What one seat asked in one turn: of a fork's first turn, in its parent or in the fork."""

    owner: Owner
    seat: int
    turn: int
    calls: Sequence[StoredCall]


class SeatCalls:
    """The calls of an episode's seats, as they are stored."""

    def __init__(self, store: EventStore, history: Sequence[Numbered]) -> None:
        self._store, self.history = store, history
        self._episodes: dict[int, list[str]] = {}
        """By turn the episodes whose agents may have been asked: that in which it was opened, and
        its forks before an answer was there."""
        self.opened: dict[int, TurnOpened] = {}
        self._streams: dict[str, dict[int, list[StoredCall]]] = {}
        self._decided: dict[str, dict[int, list[Decided]]] = {}
        self.seats = 0
        """How many the episode has."""
        turn = 0
        for numbered in history:
            event = numbered.event
            if isinstance(event, EpisodeStarted):
                self.seats = len(event.minds)
            if isinstance(event, TurnOpened):
                turn = event.turn
                self.opened[turn], self._episodes[turn] = event, []
            if turn and isinstance(event, TurnOpened | EpisodeForked):
                self._episodes[turn].append(split_stream(numbered.envelope.stream)[1])

    @property
    def in_words(self) -> str:
        return f"turns are 1 to {max(self.opened)}" if self.opened else "no turn was opened"

    def turns(self, turn: int | None = None, seat: int | None = None) -> Iterator[SeatTurn]:
        """Turn by turn and seat by seat what was asked; of one turn or one seat alone, where it is
        given."""
        for number, opened in self.opened.items():
            if turn not in (None, number):
                continue
            for one in opened.seats:
                if seat in (None, one):
                    yield from self._of(number, one)

    def _of(self, turn: int, seat: int) -> Iterator[SeatTurn]:
        for episode in dict.fromkeys(self._episodes[turn]):
            stream = agent_stream(episode, seat)
            if calls := self._read(stream).get(turn):
                yield SeatTurn(Owner(stream, "seat", episode, seat), seat, turn, calls)

    def decisions(self, turn: int, seat: int) -> list[Decided]:
        found: dict[int, Decided] = {}
        for episode in self._episodes[turn]:
            stream = agent_stream(episode, seat)
            self._read(stream)
            found |= {one.question: one for one in self._decided[stream].get(turn, ())}
        return [found[question] for question in sorted(found)]

    def _read(self, stream: str) -> dict[int, list[StoredCall]]:
        if stream not in self._streams:
            envelopes = self._store.read(stream)
            calls: dict[int, list[StoredCall]] = {}
            for call in stored_calls(envelopes):
                calls.setdefault(call.asked.turn, []).append(call)
            decided: dict[int, list[Decided]] = {}
            for envelope in envelopes:
                if envelope.tag == Decided.__name__:
                    one = event_of(envelope)
                    assert isinstance(one, Decided), "it says so"
                    decided.setdefault(one.turn, []).append(one)
            self._streams[stream], self._decided[stream] = calls, decided
        return self._streams[stream]


class _Journal(Replay):
    """What a mind reads and writes while it asks once more."""

    def __init__(self) -> None:
        super().__init__()
        self.past: list[Decided] = []
        self.stored: Sequence[Decided] = ()
        """What was decided in the turn."""

    def decisions(self) -> Sequence[Decided]:
        """What was decided before the turn."""
        return self.past

    def conclude(self, decided: Decided) -> asyncio.Future[None]:
        """Raises ``NotStored`` where it is not what was decided: the mind is to forget it."""
        if decided not in self.stored:
            raise NotStored("another thing was decided")
        return done()


class WalkedTurn(NamedTuple):
    """A turn that is told, as it was when it was opened."""

    turn: int
    wanted: Sequence[SeatTurn]
    game: AnyGame
    scenes: dict[int, list[Scene]]
    minds: dict[int, list[MindSpec]]
    """By seat who sat there when it was opened, and who did until the next."""
    acted: dict[tuple[int, int], MindSpec]
    """By seat and question who sat there when it was answered."""


def in_turns(wanted: Iterable[SeatTurn]) -> dict[int, list[SeatTurn]]:
    """What seats asked, by turn."""
    by_turn: dict[int, list[SeatTurn]] = {}
    for one in wanted:
        by_turn.setdefault(one.turn, []).append(one)
    return by_turn


class SeatedMinds:
    """Whoever sits in the seats of an episode, asking once more turn by turn."""

    def __init__(self, store: EventStore, calls: SeatCalls) -> None:
        self._store, self._calls = store, calls
        self._journals: dict[int, _Journal] = {}
        self._minds: dict[tuple[int, MindSpec], Mind] = {}
        self._backgrounds: dict[tuple[str, int], object] = {}
        self._past: dict[int, int] = {}
        """By seat the last turn whose decisions are in its journal."""

    def told(self, wanted: Iterable[SeatTurn]) -> Iterator[ModelCall]:
        """The calls of some turns of some seats, in their order, each as soon as it is built."""
        by_turn = in_turns(wanted)
        if not by_turn:
            return
        with asyncio.Runner() as runner:
            last = 0
            try:
                for turn in self.walked(by_turn):
                    found = runner.run(self._asked(turn))
                    last = turn.turn
                    yield from found
            except UNBUILT as error:
                for number, rest in by_turn.items():
                    if number > last:
                        yield from unbuilt(rest, str(error))

    def walked(self, wanted: Mapping[int, Sequence[SeatTurn]]) -> Iterator[WalkedTurn]:
        """The turns that are wanted, by number, as they were when they were opened. Raises one of
        ``UNBUILT``."""
        history = self._calls.history
        started = next(n.event for n in history if isinstance(n.event, EpisodeStarted))
        seats = sorted({one.seat for some in wanted.values() for one in some})
        with telling(started.environment):
            game = game_of(started)
            state, now = INITIAL, None
            eyes = {seat: game.sight.reducer(started, seat) for seat in seats}
            seen: dict[int, list[Notice]] = {seat: [] for seat in eyes}
            for numbered in history:
                event = numbered.event
                if isinstance(event, TurnOpened):
                    if now is not None:
                        yield now
                        now = None
                    if event.turn > max(wanted):
                        return
                state = evolve(state, event)
                for seat, reducer in eyes.items():
                    seen[seat] += reducer.apply(numbered.number, event)
                if isinstance(event, TurnOpened) and event.turn in wanted:
                    episode = split_stream(numbered.envelope.stream)[1]
                    now = WalkedTurn(event.turn, wanted[event.turn], game, {}, {}, {})
                    for seat in {one.seat: None for one in now.wanted}:
                        background = self._background(game, started, episode, seat)
                        now.scenes[seat] = _scenes(background, event, seat, seen[seat], state.minds)
                        now.minds[seat] = [state.minds[seat]]
                elif now is not None:
                    if isinstance(event, ActionTaken):
                        now.acted[event.seat, event.question] = state.minds[event.seat]
                    for seat, minds in now.minds.items():
                        if state.minds[seat] not in minds:
                            minds.append(state.minds[seat])
            if now is not None:
                yield now

    def _background(
        self, game: AnyGame, started: EpisodeStarted, episode: str, seat: int
    ) -> object:
        """``episode``: where the turn was opened, for its own id is all that a background has of
        an episode."""
        if (episode, seat) not in self._backgrounds:
            memory = memory_of(self._store, started, seat)
            made = game.sight.background(episode, started, seat, memory)
            self._backgrounds[episode, seat] = made
        return self._backgrounds[episode, seat]

    async def _asked(self, turn: WalkedTurn) -> list[ModelCall]:
        found: list[ModelCall] = []
        for one in turn.wanted:
            rebuilt: dict[tuple[int, int, str], Rebuilt] = {}
            why = ""
            for spec in turn.minds[one.seat]:
                if spec.kind not in ("model", "generative"):
                    continue
                for scene in turn.scenes[one.seat]:
                    made, why = await self._once(turn.game, spec, scene, one.calls)
                    rebuilt |= {key: m for key, m in made.items() if m.same or key not in rebuilt}
            found += [call_of(one.owner, call, rebuilt.get(call.key), why) for call in one.calls]
        return found

    async def _once(
        self,
        game: AnyGame,
        spec: MindSpec,
        scene: Scene,
        calls: Sequence[StoredCall],
    ) -> tuple[dict[tuple[int, int, str], Rebuilt], str]:
        """What a mind asks in a scene; why that cannot be told, if it cannot."""
        seat, why = scene.seat, ""
        journal = self._journal(seat, scene.turn, scene.question_id)
        if (seat, spec) not in self._minds:
            self._minds[seat, spec] = _mind(spec, game, journal)
        journal.begin(calls)
        try:
            await self._minds[seat, spec].decide(scene, journal)
        except (NotStored, ModelUnavailable):
            pass  # It got no further then, either.
        except UNBUILT as error:
            why = f"what was asked cannot be built again: {error}"
        return journal.rebuilt, why

    def _journal(self, seat: int, turn: int, question: int) -> _Journal:
        """A seat's journal as it was before a question of a turn."""
        journal = self._journals.setdefault(seat, _Journal())
        journal.past = [one for one in journal.past if one.turn < turn]
        for number in range(self._past.get(seat, 0) + 1, turn):
            if number in self._calls.opened:
                journal.past += self._calls.decisions(number, seat)
        self._past[seat] = turn - 1
        journal.stored = self._calls.decisions(turn, seat)
        journal.past += [one for one in journal.stored if one.question < question]
        return journal


def _scenes(
    background: object,
    opened: TurnOpened,
    seat: int,
    seen: Sequence[Notice],
    minds: Sequence[MindSpec],
) -> list[Scene]:
    """What a seat is asked in a turn."""
    noticed = sorted(seen, key=lambda notice: notice.number)
    return [
        Scene(
            background=background,
            seen=noticed,
            turn=opened.turn,
            question=asked.question,
            question_id=asked.id,
            seat=seat,
            seats=len(minds),
        )
        for asked in opened.asked
        if asked.seat == seat
    ]


def _mind(spec: MindSpec, game: AnyGame, caller: Replay) -> Mind:
    if spec.kind == "generative":
        return GenerativeMind(spec, game, caller)
    assert spec.model is not None, "a mind of kind model has one"
    return ModelMind(spec.model, game, caller)


def unbuilt(turns: Iterable[SeatTurn], why: str) -> Iterator[ModelCall]:
    """Calls of which it cannot be told what was asked, and why."""
    for one in turns:
        yield from (call_of(one.owner, call, None, why) for call in one.calls)
