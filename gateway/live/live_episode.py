"""One episode as it is watched here: read and followed once, however many sockets watch it."""

import asyncio
import contextlib
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

import structlog
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError

from actors.episodes.delivery.delays import Delays
from actors.episodes.port.sight import Viewer
from actors.episodes.registry import UnknownEnvironment
from actors.episodes.views.inconsistent_history import OddHistory, telling
from actors.runtime.bus.follow_stream import follow
from actors.runtime.bus.nats_bus import Received
from events.episode import ActionTaken, EpisodeStarted
from events.serialization.codec import UnreadableEvent, encode, event_of
from events.untrusted.safe_text import shortened
from events.wire import subjects
from events.wire.messages import Look
from gateway.live.protocol import on_the_wire
from gateway.live.viewer_connection import ConnectionLimits, ViewerConnection, Wire
from gateway.live.viewer_stream import ViewerStream, encoded
from gateway.process.subscription import EventSubscriptions
from gateway.services.access.roles import Principal
from gateway.services.episodes.episode_details import memory_of
from gateway.services.viewers.episode_progress import EpisodeProgress
from gateway.services.viewers.event_frames import scene_of
from store.errors import StoreError
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.projections.tables import episodes as rows
from store.read_model import queries
from store.read_model.episode_history import BrokenFork, Numbered, read_history

if TYPE_CHECKING:
    from gateway.live.live_episodes import LiveEpisodes

log = structlog.get_logger(__name__)

AGAIN_S: Final = 0.5
"""Between two attempts at what cannot be read yet, in seconds."""
SLICE: Final = 100
"""So many events are told before others have their turn."""
QUIET_S: Final = 4.0
"""After so many seconds without an event it is asked whether anybody plays the episode."""
ANSWER_S: Final = 3.0
"""Seconds within which the process that plays the episode must answer."""
TYPING_S: Final = 3.0
"""How often it is said of a seat that it writes, in seconds."""

_NOBODY: Final = Look(seat=-1)
"""A command without effect; the process that plays the episode answers that there is no such
seat."""

Key = tuple[Viewer, bool]
"""Whose eyes, and whether they are shown things with the delay that is set for participants."""


class CannotBeTold(Exception):
    """An episode that there is not, or that this version cannot show."""

    def __init__(self, why: str, code: int = 4004) -> None:
        why = shortened(why, 1_000)
        super().__init__(why)
        self.why, self.code = why, code


class LiveEpisode:
    """What is known here of one episode while somebody watches it."""

    def __init__(self, live: "LiveEpisodes", episode: str) -> None:
        self.id = episode
        self.live = live
        self.limits: ConnectionLimits = live.limits
        self.store: EventStore = live.store
        self.hearing: EventSubscriptions = live.hearing
        self.clients: set[ViewerConnection] = set()
        self.idle_since = self.now()
        """Since when nobody watches or is about to, on the loop's clock, where nobody does."""
        self.started: EpisodeStarted | None = None
        self.course = EpisodeProgress()
        """How it stands by all that is stored."""
        self.waits = ("", "")
        """Why nothing happens: for those who know everything, and for others."""
        self._history: list[Numbered] = []
        self._shown_at: list[int] = []
        """When each event is shown to participants."""
        self._shown = 0
        """How many of them were, where that is later than they happened."""
        self._delays: Delays | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tracks: dict[Key, ViewerStream] = {}
        self._making: dict[Key, asyncio.Task[ViewerStream]] = {}
        self._ready = asyncio.Event()
        self._fault: CannotBeTold | None = None
        self._unbegun = False
        self._heard_at = self.now()
        self._nobody = 0
        self._probe: asyncio.Task[None] | None = None
        self._typing = self.hearing.subscribe_now(
            subjects.seat_typing(self.hearing.space, episode, None), self._somebody_types
        )
        self._following = asyncio.get_running_loop().create_task(self._run())

    # ------------------------------------------------------------ clocks

    def now(self) -> float:
        """The loop's clock, in seconds."""
        return asyncio.get_running_loop().time()

    def clock(self) -> int:
        """Microseconds since 1970-01-01 UTC."""
        return time.time_ns() // 1000

    # ------------------------------------------------------------ who watches

    @property
    def watched(self) -> bool:
        """Whether somebody watches, or is about to be told what happened so far."""
        return bool(self.clients or self._making)

    async def ready(self, wait_s: float) -> bool:
        """Whether it has begun, and all that was stored is known; waits so many seconds for it.
        Raises ``CannotBeTold``."""
        if self._fault is None:
            self.idle_since = self.now()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._ready.wait()
        if self._fault is not None:
            raise self._fault
        return self._ready.is_set()

    async def join(
        self, wire: Wire, principal: Principal, viewer: Viewer, version: int
    ) -> ViewerConnection:
        """One more who watches, from ``version`` on; once ``ready``. Raises ``CannotBeTold``."""
        delayed = self._delays is not None and not principal.knows_all
        track = await self._track((viewer, delayed))
        client = ViewerConnection(self, track, wire, principal, version)
        assert self.started is not None, "it is ready"
        piece = self.live.has_stage_piece(self.started.environment)
        welcome = track.welcome(version, self.limits.heartbeat_s, stage_piece=piece)
        client.cursor = welcome.version
        wire.write(on_the_wire(encoded(welcome)))
        self.clients.add(client)
        track.clients.add(client)
        client.pump()
        if any(self.waits):
            client.stands(self._waits_for(client))
        return client

    def part(self, client: ViewerConnection) -> None:
        """One less."""
        client.gone = True
        self.clients.discard(client)
        client.track.clients.discard(client)
        self.idle_since = self.now()

    async def _track(self, key: Key) -> ViewerStream:
        if (track := self._tracks.get(key)) is not None:
            return track
        making = self._making.get(key)
        if making is None:
            making = asyncio.get_running_loop().create_task(self._make(key))
            self._making[key] = making
            making.add_done_callback(lambda _: self._making.pop(key, None))
        return await asyncio.shield(making)

    async def _make(self, key: Key) -> ViewerStream:
        viewer, delayed = key
        started = self.started
        assert started is not None, "it is ready"
        memory = await asyncio.to_thread(memory_of, self.store, started, viewer)
        try:
            with telling(started.environment):
                scene = scene_of(started, viewer, memory)
                track = ViewerStream(self.id, started, viewer, scene, memory)
                place = 0
                while place < (self._shown if delayed else len(self._history)):
                    at = self._shown_at if delayed else None
                    numbered = self._history[place]
                    track.tell(numbered, at[place] if at else numbered.envelope.recorded_at)
                    place += 1
                    if not place % SLICE:
                        await asyncio.sleep(0)
        except (OddHistory, UnknownEnvironment) as odd:
            raise CannotBeTold(str(odd)) from odd
        self._tracks[key] = track
        self.idle_since = self.now()
        return track

    # ------------------------------------------------------------ what happens

    async def _run(self) -> None:
        while True:
            try:
                await self._read_on()
                self._ready.set()
                await self._follow()
            except CannotBeTold as fault:
                self._cannot_be_told(fault)
                return
            except (UnreadableEvent, BrokenFork, UnknownEnvironment, OddHistory) as fault:
                log.warning("episode_cannot_be_shown", episode=self.id, error=str(fault))
                self._cannot_be_told(CannotBeTold(str(fault)))
                return
            except (StoreError, OSError) as away:
                log.warning("episode_not_followed", episode=self.id, error_type=type(away).__name__)
            except Exception:
                log.exception("episode_not_followed", episode=self.id)
            await asyncio.sleep(AGAIN_S)

    async def _read_on(self) -> None:
        """Take what is stored and not known yet; waits until the episode has begun."""
        after = self._history[-1].number if self._history else -1
        while True:
            try:
                found = await asyncio.to_thread(read_history, self.store, self.id, after=after)
            except UnknownId:
                await self._check_planned()
                self._unbegun = True
                await asyncio.sleep(AGAIN_S)
                continue
            for place, numbered in enumerate(found, start=1):
                self._take(numbered)
                if not place % SLICE:
                    await asyncio.sleep(0)
            if self.started is not None:
                self._unbegun = False
                return
            raise CannotBeTold("it was given up before it began")

    async def _check_planned(self) -> None:
        found = await asyncio.to_thread(queries.episodes_where, self.store, rows.c.id == self.id)
        if not found:
            raise CannotBeTold("there is no such episode")

    async def _follow(self) -> None:
        last = self._history[-1]
        base = last.number - last.envelope.version
        stream = subjects.stream_name("episode", self.id)
        if last.envelope.stream != stream:
            raise CannotBeTold("its own events are not in the store")
        following = follow(self.store, self.hearing, stream, after=last.envelope.version)
        async with aclosing(following):  # type: ignore[type-var]
            async for envelope in following:
                self._take(Numbered(base + envelope.version, envelope, event_of(envelope)))

    def _take(self, numbered: Numbered) -> None:
        event = numbered.event
        if isinstance(event, EpisodeStarted) and self.started is None:
            self.started = event
            if Delays.wanted(event):
                self._delays = Delays(event)
        if self.started is None:
            return
        self._heard_at, self._nobody = self.now(), 0
        at = numbered.envelope.recorded_at
        with telling(self.started.environment):
            self.course.apply(event, at)
            shown_at = at if self._delays is None else self._delays.visible_at(numbered)
        self._history.append(numbered)
        self._shown_at.append(shown_at)
        for (_, delayed), track in tuple(self._tracks.items()):
            if not delayed:
                self._tell(track, numbered, at)
        if self._delays is not None:
            self._show()

    def _tell(self, track: ViewerStream, numbered: Numbered, at: int) -> None:
        changes = track.asked_changes
        with telling(track.course.started.environment):
            data = track.tell(numbered, at)
        if data is not None and track.clients:
            wire = on_the_wire(data)
            for client in tuple(track.clients):
                client.happened(wire)
        if track.asked_changes != changes and isinstance(track.viewer, int):
            for client in tuple(track.clients):
                client.changed()

    # ------------------------------------------------------------ what is shown later

    def _show(self) -> None:
        """Show participants what they are to see by now, and come back for the rest."""
        now = self.clock()
        while self._shown < len(self._history) and self._shown_at[self._shown] <= now:
            numbered, at = self._history[self._shown], self._shown_at[self._shown]
            self._shown += 1
            for (_, delayed), track in tuple(self._tracks.items()):
                if delayed:
                    self._tell(track, numbered, at)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._shown < len(self._history):
            left = (self._shown_at[self._shown] - now) / 1e6
            event = self._history[self._shown].event
            if isinstance(event, ActionTaken):
                self._say_typing(event.seat, delayed=True)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(min(left, TYPING_S), self._show)

    def _somebody_types(self, received: Received) -> None:
        seat = received.subject.split(".")[-2]
        if seat.isdecimal() and len(seat) < 6:
            self._say_typing(int(seat))

    def _say_typing(self, seat: int, *, delayed: bool = False) -> None:
        for (_, late), track in self._tracks.items():
            if late or not delayed:
                for client in tuple(track.clients):
                    client.typing(seat)

    # ------------------------------------------------------------ why nothing does

    def look(self) -> None:
        """What time brings: see whether anybody plays it, and tell why nothing happens."""
        waits = self._why()
        if waits != self.waits:
            self.waits = waits
            for client in tuple(self.clients):
                client.stands(self._waits_for(client))
        quiet = self.now() - self._heard_at > QUIET_S
        begun = self.started is not None and not self.course.ended
        if quiet and begun and self.hearing.connected:
            if self.clients and (self._probe is None or self._probe.done()):
                self._probe = asyncio.get_running_loop().create_task(self._ask_who_plays())
        else:
            self._nobody = 0

    def _waits_for(self, client: ViewerConnection) -> str:
        return self.waits[0 if client.principal.knows_all else 1]

    def _why(self) -> tuple[str, str]:
        if self._fault is not None or self.course.ended:
            return "", ""
        if self.live.database_away:
            return self._both("the database is away: it goes on when that is back")
        if not self.hearing.connected:
            return self._both("the server that plays it cannot be reached at present")
        if self._unbegun:
            return self._both("it has not begun yet")
        if self.course.state.paused:
            return self._both("it is paused")
        if self._nobody > 1:
            return (
                "nobody plays it at present: its run waits, or the process that played it is gone",
                "it waits for the server that plays it",
            )
        return "", ""

    @staticmethod
    def _both(sentence: str) -> tuple[str, str]:
        return sentence, sentence

    async def _ask_who_plays(self) -> None:
        subject = subjects.inbox(self.hearing.space, "episode", self.id)
        for bus in self.hearing.buses:
            if not bus.connected:
                continue
            try:
                await bus.nats.request(subject, encode(_NOBODY), timeout=ANSWER_S)
            except NoRespondersError:
                continue
            except (NatsError, TimeoutError):
                break
            self._nobody = 0
            break
        else:
            self._nobody += 1
        # As long as somebody plays it, it is asked again after as long a silence.
        if not self._nobody:
            self._heard_at = self.now()

    # ------------------------------------------------------------ the end

    def _cannot_be_told(self, fault: CannotBeTold) -> None:
        self._fault = fault
        self._ready.set()
        for client in tuple(self.clients):
            client.close(fault.code)

    async def close(self) -> None:
        """Watch it no more."""
        self._typing.unsubscribe()
        if self._timer is not None:
            self._timer.cancel()
        tasks = [self._following, *self._making.values()]
        if self._probe is not None:
            tasks.append(self._probe)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
