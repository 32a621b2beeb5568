"""What the seats of one episode are asked and told."""

from collections.abc import Callable, Collection, Coroutine, Sequence
from itertools import islice
from math import inf
from time import monotonic
from typing import Final

import msgspec

from actors.episodes import metrics
from actors.episodes.delivery.notices import Noticing, in_order
from actors.episodes.port.sight import Notice
from actors.episodes.rules.answers import check_seat, over_for, posed
from actors.episodes.rules.people import OUTSIDE, is_outside
from actors.episodes.rules.state import INITIAL, EpisodeState
from actors.runtime.bus.errors import MessageTooLarge
from actors.runtime.bus.nats_bus import Bus, head_of
from actors.runtime.errors import CommandRefused
from actors.runtime.spans import TurnKey, tracing
from events.base import Event
from events.episode import ActionTaken, SeatReleased, SeatTaken, TurnOpened, WorldChanged
from events.minds import MindSpec
from events.serialization.codec import JSON, encode
from events.wire import subjects
from events.wire.messages import EpisodeOver, Look, News, Observation

AT_ONCE: Final = 64
"""Seats that are asked without waiting for NATS: what they are shown first may be large."""

Spawn = Callable[[Coroutine[object, None, None]], object]
"""Runs something beside the actor's messages, as long as the actor is there."""


class SeatDelivery:
    """Observations, news and the end, to the seats of one episode.

    It is told every event that is appended, with the state that follows (``follow``), or all of
    them at once (``begin_at``). Of a seat it knows what that has noticed and not been shown, and
    when it was asked.
    """

    __slots__ = (
        "_asked",
        "_bus",
        "_episode",
        "_messages",
        "_minds",
        "_noticing",
        "_owed",
        "_queue",
        "_queue_is_served",
        "_state",
        "memories",
        "outside",
    )

    def __init__(self, bus: Bus, episode: str) -> None:
        self.outside: set[int] = set()
        """The seats that are played from elsewhere, as of the last event that was appended."""
        self.memories: tuple[str, ...] = ()
        """What each seat remembers, which is shown to it first; empty where the episode belongs to
        no chain."""
        self._bus, self._episode = bus, episode
        self._messages = SeatMessages(bus, episode)
        self._noticing = Noticing()
        self._state = INITIAL
        self._minds: tuple[MindSpec, ...] = ()
        """Those of which ``outside`` was made."""
        self._asked: dict[int, float] = {}
        """When each seat was asked first for what it has not answered yet."""
        self._queue: dict[int, bool] = {}
        """Seats that wait to be asked because many are, and whether each is shown everything."""
        self._queue_is_served = False
        self._owed: set[int] = set()
        """Seats outside that asked for everything while nothing was asked of them: their next
        observation is whole."""

    def begin_at(
        self, state: EpisodeState, noticing: Noticing, memories: tuple[str, ...] = ()
    ) -> None:
        """The episode was read, and is in this state; ``noticing`` was told its history."""
        self._state, self._noticing, self.memories = state, noticing, memories

    def follow(
        self, state: EpisodeState, appended: Sequence[tuple[int, Event]], run: str, now: float
    ) -> Collection[int]:
        """Have all seats notice what was appended, version and event of each, after which the
        episode is in this state. ``run``: its run. ``now``: of ``time.monotonic``.

        The result is who should be informed: seats outside that noticed something and are not asked
        anything. Of what a narrator said they are in any case: it may be all that happens for long.
        """
        self._state = state
        if state.minds is not self._minds:
            self._minds = state.minds
            self.outside = {seat for seat, mind in enumerate(state.minds) if is_outside(mind)}
        outside, look = self.outside, self._noticing.look
        noticed: set[int] | None = set() if outside else None
        narrated: set[int] = set()
        # An event's number in the history, less its version in the stream.
        ahead = state.number - appended[-1][0]
        for version, event in appended:
            match event:
                case ActionTaken(seat=seat, by=by):
                    if (asked := self._asked.pop(seat, None)) is not None and not by:
                        mind, seconds = state.minds[seat], now - asked
                        metrics.TURNS[mind.kind].observe(seconds)
                        if tracing.sink is not None:
                            self._trace(event, mind, seconds, run)
                case TurnOpened():
                    if self._queue:
                        self._queue.clear()
                case WorldChanged(by=by) if by and outside:
                    look(version + ahead, event, narrated)
                    continue
                case SeatTaken(seat=seat) | SeatReleased(seat=seat):
                    self._asked.pop(seat, None)
            look(version + ahead, event, noticed)
        if not noticed and not narrated:
            return ()
        waiting = state.waiting
        return outside & (narrated | {seat for seat in noticed or () if seat not in waiting})

    def ask(
        self, spawn: Spawn, seats: Sequence[int], *, whole: bool = False, now: float = 0.0
    ) -> None:
        """Ask some seats; of many the first at once, the others as fast as NATS takes what they are
        shown. ``whole``, ``now``: as in ``observe``."""
        if len(seats) > AT_ONCE:
            self._queue.update(dict.fromkeys(seats[AT_ONCE:], whole))
            seats = seats[:AT_ONCE]
            if not self._queue_is_served:
                self._queue_is_served = True
                spawn(self._serve_queue())
        for seat in seats:
            self.observe(seat, whole=whole, now=now)

    async def _serve_queue(self) -> None:
        try:
            while self._queue:
                await self._bus.flush()
                waiting = set(self._state.waiting)
                for seat in list(islice(self._queue, AT_ONCE)):
                    whole = self._queue.pop(seat)
                    if seat in waiting:
                        self.observe(seat, whole=whole)
        finally:
            self._queue_is_served = False

    def ask_again(self, spawn: Spawn, after_s: float) -> None:
        """Repeat what may have been lost on the way, but not what was asked less than so many
        seconds ago. A local mind that has lost more looks for it."""
        minds, asked_by = self._state.minds, monotonic() - after_s
        seats = [
            seat
            for seat in self._state.waiting
            if seat not in self._queue and self._asked.get(seat, -inf) <= asked_by
        ]
        self.ask(spawn, [seat for seat in seats if is_outside(minds[seat])], whole=True)
        self.ask(spawn, [seat for seat in seats if not is_outside(minds[seat])])

    def observe(self, seat: int, *, whole: bool = False, now: float = 0.0) -> None:
        """Ask a seat what it has not answered, and show it what is new to it, or everything it may
        know. ``now``: of ``time.monotonic``, where it was looked at already."""
        if seat not in self._asked:
            self._asked[seat] = now or monotonic()
        state, background, news = self._state, None, self._noticing.unseen[seat]
        if whole or state.last_seen[seat] < 0 or seat in self._owed:
            started, game = state.started, self._noticing.game
            assert started is not None, "seats wait only in episodes that have started"
            assert game is not None
            self._owed.discard(seat)
            memory = self.memories[seat] if self.memories else ""
            background = game.sight.background(self._episode, started, seat, memory)
            if state.acted[seat]:  # else nothing that it noticed was dropped yet
                news = self._noticing.everything(started, seat)
        observation = Observation(
            episode=self._episode,
            seat=seat,
            mind=state.minds[seat].name,
            turn=state.turn,
            news=in_order(news),
            background=background,
            questions=posed(state, seat),
        )
        if tracing.sink is not None:
            tracing.sent("Observation", TurnKey(self._episode, state.turn, seat))
        self._messages.send(state.minds[seat], observation)

    def look(self, look: Look) -> EpisodeOver | None:
        """Show a seat everything it may know, now or when it is asked next, or news that it missed;
        of an episode that has ended it is told so, and so is the caller. Raises
        ``CommandRefused``."""
        state, seat = self._state, look.seat
        if state.started is None:
            raise CommandRefused("the episode has not started", "not_playing")
        check_seat(state, seat)
        if state.ended is not None:
            return self._tell_over(seat)
        if look.before is not None:
            past = self._noticing.everything(state.started, seat)
            self._send_news(seat, [one for one in past if one.number < look.before])
        elif seat in state.waiting:
            self.observe(seat, whole=True)
        elif is_outside(state.minds[seat]):
            self._owed.add(seat)
        return None

    def inform(self, seats: Collection[int]) -> None:
        """Tell seats what they noticed, without asking anything."""
        for seat in seats:
            self._send_news(seat, self._noticing.unseen[seat])

    def dismiss(self) -> None:
        """Tell all seats that the episode has ended."""
        for seat in range(len(self._state.minds)):
            self._tell_over(seat)

    def _tell_over(self, seat: int) -> EpisodeOver:
        over = over_for(self._episode, self._state, seat)
        self._messages.send(self._state.minds[seat], over)
        return over

    def _send_news(self, seat: int, noticed: Sequence[Notice]) -> None:
        mind = self._state.minds[seat]
        news = News(episode=self._episode, seat=seat, mind=mind.name, news=in_order(noticed))
        self._messages.send(mind, news)

    def _trace(self, taken: ActionTaken, mind: MindSpec, seconds: float, run: str) -> None:
        """Tell of a seat's turn that is over."""
        assert self._noticing.game is not None, "somebody acted in it"
        told = {"troupe.environment": self._noticing.game.environment, "troupe.run": run}
        told |= {"troupe.mind": mind.name, "troupe.mind.kind": mind.kind}
        key = TurnKey(self._episode, taken.turn, taken.seat)
        failed = "" if taken.failure is None else taken.failure.reason
        tracing.ended("turn", key, seconds, told, whole=True, failed=failed)


_INSIDE: Final = ((encode, b""),)
"""In which forms, and how the subject of each ends."""
_OUTSIDE: Final = (*_INSIDE, (JSON.encode, subjects.as_json("").encode()))


class SeatMessages:
    """Speaks to the seats of one episode."""

    __slots__ = ("_bus", "_head")

    def __init__(self, bus: Bus, episode: str) -> None:
        self._bus = bus
        self._head = head_of(subjects.seats(bus.space, episode))[:-1]
        """Up to where the seat's number stands in the subject."""

    def send(self, mind: MindSpec, message: Observation | News | EpisodeOver) -> None:
        """To the seat that the message names, whose mind is ``mind``; without its oldest news where
        it would be too large."""
        bus = self._bus
        news = b".news" if type(message) is News else b""
        for form, ending in _OUTSIDE if mind.kind in OUTSIDE else _INSIDE:
            head = b"%b.%d%b%b " % (self._head, message.seat, news, ending)
            try:
                bus.send(head, form(message))
            except MessageTooLarge:
                if isinstance(message, EpisodeOver):
                    raise
                bus.send(head, fitting(message, form, bus.max_payload))


_SPARE: Final = 256
"""Bytes for the comma between two entries, and for a longer number of those left out."""


def fitting(message: Observation | News, encode: Callable[[object], bytes], most: int) -> bytes:
    """A message encoded that would have more than ``most`` bytes, without its oldest news. What
    does not fit even without news comes without any."""
    room = most - _SPARE - len(encode(msgspec.structs.replace(message, news=())))
    first = len(message.news)
    while first and (room := room - len(encode(message.news[first - 1])) - 1) >= 0:
        first -= 1
    shown = msgspec.structs.replace(
        message, news=message.news[first:], left_out=message.left_out + first
    )
    return encode(shown)
