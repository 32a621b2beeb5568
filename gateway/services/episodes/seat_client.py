"""The terminal's client of a seat: the seat protocol (docs/how-to/remote-seats.md) for one seat,
over any number of connections."""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import msgspec
from nats import errors as nats_errors

from actors.episodes.delivery.missed_turns import MissedTurns
from actors.episodes.delivery.wire import wire_of
from actors.episodes.port.game import AnyGame
from actors.episodes.port.sight import Notice
from actors.episodes.registry import game_of
from actors.episodes.rules.decide import EpisodeState, over_for
from actors.episodes.rules.people import is_outside
from actors.episodes.views.inconsistent_history import state_after
from actors.runtime.bus.errors import BusDown
from actors.runtime.bus.nats_bus import Bus
from events.base import Value
from events.environments import Action, Question
from events.episode import EpisodeStarted
from events.ids import new_id
from events.serialization.codec import decode_reply, encode
from events.untrusted.safe_text import shortened
from events.wire import subjects
from events.wire.messages import (
    Accepted,
    EpisodeOver,
    Look,
    News,
    Observation,
    Refused,
    ReleaseSeat,
    Reply,
    TakeAction,
    TakeSeat,
)
from gateway.errors import BadArgument, GatewayError
from gateway.process.discovery import Address, NothingAlive, addresses, nats_for
from gateway.services.episodes.episode_details import check_may_begin
from gateway.services.runs.awaited_seats import awaited_seats
from gateway.services.runs.watch_run import RunStatusReader
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history

ANSWER_S: Final = 5.0
"""How long a command may go unanswered before it is sent again, in seconds."""
AGAIN_S: Final = 0.5
"""Between two attempts at what cannot be done yet, in seconds."""
WAITS: Final = frozenset({"not_playing", "try_again", "not_asked"})
"""Codes of refusals that only ask for patience."""


class SeatRefused(GatewayError):
    """The episode will not have anybody in this seat."""

    def __init__(self, episode: str, reason: str) -> None:
        super().__init__(f"episode {shortened(episode)}: {shortened(reason, 1_000)}")
        self.episode, self.reason = episode, reason


class Place(Value, frozen=True, kw_only=True):
    """A seat that somebody takes."""

    episode: str
    """Id in full."""
    run: str
    """Empty: its episode belongs to no run."""
    seat: int
    """From 0."""
    started: EpisodeStarted
    participant: str = ""
    """The pseudonym under which a person takes the seat; empty: it is played as a program's."""
    in_place_of: str = ""
    """The name of the mind that the person displaces; empty: none."""

    @property
    def game(self) -> AnyGame:
        return game_of(self.started)


def state_of(store: EventStore, episode: str) -> EpisodeState:
    """How an episode that has begun stands. Takes an id in full. Blocking."""
    return state_after(numbered.event for numbered in read_history(store, episode))


def person_here(settings: Settings) -> str:
    """The pseudonym of this machine's user; the same every time they come back."""
    path = settings.data_dir / f"participant-{os.getuid()}"
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        name = new_id("p-")[:10]
        path.write_text(f"{name}\n", encoding="ascii")
        return name


def place_in(
    store: EventStore,
    episode: str,
    seat: int | None,
    me: str = "",
    *,
    take_over: bool = False,
    waiting: Callable[[str], None] | None = None,
) -> Place:
    """The seat of an episode (id in full) that somebody may take: the one given (from 0), else its
    only one for somebody outside, else the first of these that is asked something. ``me``: their
    pseudonym, for seats of people; ``take_over``: also the place of a mind that is played here.
    Waits until the episode begins, and tells ``waiting`` once of which run. Blocking. Raises
    ``BadArgument``."""
    while (row := queries.episode(store, episode)).started_at is None:
        check_may_begin(row)
        if waiting is not None:
            waiting(row.run)
            waiting = None
        time.sleep(AGAIN_S)
    state = state_of(store, episode)
    assert state.started is not None, "it has begun"
    outside = [number for number, mind in enumerate(state.minds) if is_outside(mind)]
    if seat is None and not outside:
        why = "none of its seats is for somebody outside"
        raise BadArgument(
            "episode", episode, f"{why}; --seat N --take-over takes one from its mind"
        )
    if seat is None:
        seat = next((number for number in outside if number in state.waiting), outside[0])
    if seat >= len(state.minds):
        raise BadArgument("--seat", str(seat + 1), f"there are {len(state.minds)} seats")
    mind, before = state.minds[seat], state.minds_without_people[seat]
    if seat not in outside and not take_over:
        known = ", ".join(str(number + 1) for number in outside) or "no others"
        raise BadArgument(
            "--seat",
            str(seat + 1),
            f"is not for somebody outside; there are {known}. --take-over takes it from "
            f"{mind.name}, which has it back when you leave",
        )
    return Place(
        episode=episode,
        run=row.run,
        seat=seat,
        started=state.started,
        participant="" if mind.kind == "remote" and not take_over else me,
        in_place_of=before.name if take_over and before.kind != "person" else "",
    )


def next_place(
    settings: Settings, store: EventStore, run: str, mind: str, past: frozenset[str], me: str = ""
) -> Place | None:
    """The seat of a run (id in full) that has waited longest, of one mind where one is named, in an
    episode that is not past; None: the run is over, or nobody carries it out. Waits. Blocking."""
    standing = RunStatusReader(settings, store, run)
    while True:
        more = standing.more()
        for one in awaited_seats(store, [run], space=settings.space):
            mine = one.kind == "remote" or one.participant in ("", me)
            if mine and one.mind == (mind or one.mind) and one.episode not in past:
                return place_in(store, one.episode, one.seat, me)
        if not more:
            return None
        time.sleep(AGAIN_S)


class Away(Exception):
    """Nobody is there who plays the episode, or the connection was lost."""


class SeatClient:
    """One seat's conversation with its episode."""

    def __init__(
        self,
        settings: Settings,
        store: EventStore,
        place: Place,
        noticed: Callable[[Sequence[Notice]], None],
        waits: Callable[[str], None],
    ) -> None:
        """``noticed`` is told what the seat notices, each thing once; ``waits`` why nothing
        happens."""
        self._settings, self._store, self.place = settings, store, place
        self._noticed, self._waits = noticed, waits
        self._last = -1
        """The number of the last event of which something was noticed."""
        self.background: object = None
        """Who the seat is; None until something was asked."""
        self.left_out = 0
        """Entries that were too much for one message."""
        self.missed = 0
        """How many turns in a row, up to what was asked last, passed because the person did not
        answer in time."""
        self._seated = not place.participant
        self.looks_first = True
        """Whether it asks for what it missed before anything came; False: it has listened since
        before the episode began."""

    async def leave(self) -> None:
        """Hand a person's seat back. Does nothing where nobody plays the episode."""
        place = self.place
        if not (place.participant and self._seated):
            return
        release = ReleaseSeat(seat=place.seat, participant=place.participant)
        with contextlib.suppress(Away, SeatRefused):
            async with self.connected() as (bus, _):
                await self._send(bus, release, patient=False)

    async def asked(
        self, answers: Sequence[TakeAction] = ()
    ) -> Observation | EpisodeOver | Refused:
        """Send answers, then wait for the next questions or the end. ``Refused``: one is no answer,
        and what it answers is still asked."""
        unsent = list(answers)
        while True:
            try:
                async with self.connected() as (bus, heard):
                    found = await self._converse(bus, heard, unsent)
                if self.place.participant and self.place.started.people.deadline_s:
                    self.missed = await asyncio.to_thread(self._missed)
            except Away as away:
                self._waits(str(away))
            else:
                return found
            if (over := await asyncio.to_thread(self.over)) is not None:
                return over
            await asyncio.sleep(AGAIN_S)

    def catch_up(self) -> None:
        """Tell what the seat noticed last: how an episode ended is in no observation. Blocking."""
        place = self.place
        eyes = place.game.sight.reducer(place.started, place.seat)
        history = read_history(self._store, place.episode)
        noticed = [eyes.apply(numbered.number, numbered.event) for numbered in history]
        new = [one for found in noticed for one in found if one.number > self._last]
        self._noticed(new)

    async def _converse(
        self, bus: Bus, heard: "asyncio.Queue[bytes]", unsent: list[TakeAction]
    ) -> Observation | EpisodeOver | Refused:
        place = self.place
        if not self._seated:
            await self._send(bus, TakeSeat(seat=place.seat, participant=place.participant))
            self._seated = True
        done = {(one.turn, one.question) for one in unsent}
        behind = not done
        for answer in tuple(unsent):
            reply = await self._send(bus, answer)
            # Somebody else answered, perhaps to the end.
            behind = behind or (isinstance(reply, Accepted) and reply.before)
            if isinstance(reply, Refused) and reply.code == "bad_action":
                return reply
            unsent.remove(answer)
        if behind or (self.background is None and self.looks_first):
            reply = await self._send(bus, Look(seat=self.place.seat))
            if isinstance(reply, EpisodeOver):
                return reply
        wire = wire_of(self.place.started.environment)
        while True:
            message = wire.decode_for_remote(await self._next(bus, heard))
            if isinstance(message, EpisodeOver):
                return message
            self._notice(message)
            if isinstance(message, Observation):
                waiting = [one for one in message.questions if (message.turn, one.id) not in done]
                if waiting and self.background is not None:
                    return msgspec.structs.replace(message, questions=tuple(waiting))

    def _notice(self, message: Observation | News) -> None:
        if isinstance(message, Observation) and message.background is not None:
            self.background = message.background
        new = [one for one in message.news if one.number > self._last]
        if new:
            self.left_out = message.left_out if self._last < 0 else 0
            self._last = new[-1].number
            self._noticed(new)

    async def _next(self, bus: Bus, heard: "asyncio.Queue[bytes]") -> bytes:
        """The next message. Raises ``Away`` where the connection is lost."""
        while True:
            try:
                async with asyncio.timeout(AGAIN_S):
                    return await heard.get()
            except TimeoutError:
                if not bus.connected:
                    raise Away("the connection was lost") from None

    async def _send(
        self, bus: Bus, command: TakeAction | Look | TakeSeat | ReleaseSeat, *, patient: bool = True
    ) -> Reply:
        """The reply, asked for until there is one. Raises ``Away``, ``SeatRefused``."""
        subject = subjects.seat_command(bus.space, self.place.episode, self.place.seat)
        while True:
            try:
                answer = await bus.nats.request(subject, encode(command), timeout=ANSWER_S)
            except nats_errors.NoRespondersError:
                raise Away("nobody plays it at present") from None
            except (nats_errors.Error, TimeoutError):
                if not bus.connected:
                    raise Away("the connection was lost") from None
                continue
            reply = decode_reply(answer.data)
            if not isinstance(reply, Refused) or reply.code == "bad_action" or not patient:
                return reply
            if reply.code == "not_playing":
                self._waits(reply.reason)
                if isinstance(command, Look):
                    return reply
            elif reply.code not in WAITS:
                raise SeatRefused(self.place.episode, reply.reason)
            elif reply.code == "not_asked":
                return reply
            await asyncio.sleep(AGAIN_S)

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[tuple[Bus, "asyncio.Queue[bytes]"]]:
        """A connection, and what is heard of it for the seat, as long as this lasts. Raises
        ``Away``."""
        at = await asyncio.to_thread(self._address)
        try:
            bus = await Bus.connect(at.url, token=at.token, space=at.space, name="troupe-sits")
        except BusDown:
            raise Away("the process that plays it does not answer") from None
        heard: asyncio.Queue[bytes] = asyncio.Queue()
        episode, seat = self.place.episode, self.place.seat
        try:
            for subject in (
                subjects.seat(bus.space, episode, seat),
                subjects.seat_news(bus.space, episode, seat),
            ):
                await bus.subscribe(subject, lambda received: heard.put_nowait(received.data))
            await bus.flush()
            yield bus, heard
        except BusDown:
            raise Away("the connection was lost") from None
        finally:
            await bus.close()

    def _address(self) -> Address:
        """Raises ``Away`` where no process carries the episode's run out."""
        try:
            return nats_for(self._settings, self._store, self.place.run)
        except (NothingAlive, BadArgument):
            found = addresses(self._settings)
        # What plays a fork need not carry out the run it comes from.
        if not found:
            raise Away("nobody plays it at present")
        return found[0]

    def _missed(self) -> int:
        place = self.place
        turns = MissedTurns()
        for numbered in read_history(self._store, place.episode):
            turns.note(numbered.event)
        return turns.of(place.seat)

    def over(self) -> EpisodeOver | None:
        """How the episode ended, as the store says; None: it has not. Blocking."""
        state = state_of(self._store, self.place.episode)
        if state.ended is None:
            return None
        return over_for(self.place.episode, state, self.place.seat)


def answers_for(
    place: Place, observation: Observation, ask: Callable[[Question], Action]
) -> Iterator[TakeAction]:
    """An answer to each question of an observation. A person is asked (``ask``: from a question to
    an action) what does not follow from what they answered already."""
    people = place.game.people
    given: list[tuple[Question, Action]] = []
    for posed in observation.questions:
        followed = (people.carried_over(one, action, posed.question) for one, action in given)
        action = next((one for one in followed if one is not None), None)
        if action is None:
            action = ask(posed.question)
        given.append((posed.question, action))
        yield TakeAction(
            seat=place.seat,
            turn=observation.turn,
            question=posed.id,
            action=action,
            participant=place.participant,
        )
