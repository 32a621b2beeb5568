"""An episode, live, from Python: the twin of ``gateway/static/client/troupe.js``.

::

    async with Stage("e3k9…", url="ws://127.0.0.1:8000/ws", token=token) as stage:
        await stage.take_seat()
        async for frame in stage:
            if stage.state.mine and stage.state.asked:
                await stage.act(text="Good morning.")

``SyncStage`` does the same for programs without a loop.
"""

import asyncio
import contextlib
import random
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Final, Literal, Self, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened
from gateway.client.page_state import Gap, PageState, reduce
from gateway.services.viewers import frames

T = TypeVar("T")
Wish = frames.Act | frames.TakeMySeat | frames.LeaveMySeat | frames.Direct

FINAL: Final = frozenset({4001, 4003, 4004, 4009, 4022})
"""Close codes after which connecting again would change nothing."""
FIRST_S, LONGEST_S, BUSY_S = 0.3, 15.0, 10.0
"""Before connecting again, in seconds: at first, at most, and where there were too many."""
HANDSHAKE_S: Final = 30.0
"""Within so many seconds a connection must be there, and ``Welcome``."""
MOST_BYTES: Final = 64 * 1024 * 1024
"""Of one frame: what happened at once may be much."""

MOST_UNREAD: Final = 10_000
"""Frames that may wait for who iterates; then the oldest is let go of: the state has it."""

_frames = msgspec.json.Decoder(decodable(frames.ServerFrame))
_encode = msgspec.json.Encoder().encode


class NotDoneError(Exception):
    """Something that was asked for is not done."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(shortened(reason, 1_000))
        self.code, self.reason = code, reason


class StageClosed(Exception):
    """The gateway wants no more of this client."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{shortened(reason, 1_000)} ({code})")
        self.code, self.reason = code, reason


class _Asked:
    """A wish that has no reply."""

    __slots__ = ("frame", "future", "sent")

    def __init__(self, frame: Wish, future: "asyncio.Future[frames.Done]") -> None:
        self.frame, self.future, self.sent = frame, future, False

    @property
    def again(self) -> bool:
        """Twice is the same as once."""
        return not (isinstance(self.frame, frames.Direct) and self.frame.what in _COUNTED)


_COUNTED: Final = ("step", "narrate")


class Stage:
    """One episode as one viewer sees it, over however many connections it takes."""

    def __init__(self, episode: str, *, url: str, token: str, viewer: str = "") -> None:
        """``url``: the socket's, ``ws://…/ws``; ``viewer``: ``narrator``, ``spectator`` or a seat
        from 1; empty: as the token says."""
        self.episode, self.url, self.viewer = episode, url, viewer
        self.state = PageState()
        self.connected = False
        """``Welcome`` was said on the connection that is there now."""
        self._token = token
        self._connection: ClientConnection | None = None
        self._wishes: dict[int, _Asked] = {}
        self._ref = 0
        self._answered: set[tuple[int, int]] = set()
        """Turns and questions."""
        self._frames: asyncio.Queue[frames.ServerFrame | None] = asyncio.Queue(MOST_UNREAD)
        self._closed: StageClosed | None = None
        self._said = ""
        self._after_s = 0.0
        self._silence_s = HANDSHAKE_S
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._running = asyncio.get_running_loop().create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._running is not None, "it was entered"
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

    def __aiter__(self) -> AsyncIterator[frames.ServerFrame]:
        return self._iterate()

    async def _iterate(self) -> AsyncIterator[frames.ServerFrame]:
        """Each frame, once ``state`` holds what it says. Raises ``StageClosed``."""
        while True:
            frame = await self._frames.get()
            if frame is None:
                assert self._closed is not None, "that is what it means"
                raise self._closed
            yield frame

    async def until(self, condition: Callable[[PageState], bool]) -> PageState:
        """The state as soon as ``condition(state)`` holds, reading on meanwhile. Raises
        ``StageClosed``."""
        if condition(self.state):
            return self.state
        async for _ in self:
            if condition(self.state):
                break
        return self.state

    async def next_question(self) -> frames.AskedNow | None:
        """What the viewer's own seat is asked and was not answered from here, as soon as there is
        something; None: the episode is over. Raises ``StageClosed``."""

        def asks(state: PageState) -> bool:
            return bool(state.ended or (state.mine and self._unanswered))

        await self.until(asks)
        return None if self.state.ended else self.state.asked

    @property
    def _unanswered(self) -> list[int]:
        """Questions that wait and were not answered from here."""
        asked = self.state.asked
        if asked is None:
            return []
        return [one.id for one in asked.questions if (asked.turn, one.id) not in self._answered]

    async def act(
        self, answer: object = None, *, text: str = "", question: int | None = None
    ) -> frames.Done:
        """Answer what the seat is asked: by the question's schema, or as a person types it. The
        same counts once, however often it is sent. Raises ``NotDone``, ``StageClosed``."""
        asked = self.state.asked
        if question is None:
            question = next(iter(self._unanswered), 0)
        turn = asked.turn if asked else self.state.turn
        wish = frames.Act(ref=0, turn=turn, question=question, answer=answer, text=text)
        done = await self.wish(wish)
        self._answered.add((turn, question))
        return done

    async def take_seat(self, seat: int | None = None) -> frames.Done:
        """Sit down: in the viewer's own seat, or another (from 0). Raises as ``act``."""
        return await self.wish(frames.TakeMySeat(ref=0, seat=seat))

    async def leave_seat(self, seat: int | None = None) -> frames.Done:
        """Hand it back. Raises as ``act``."""
        return await self.wish(frames.LeaveMySeat(ref=0, seat=seat))

    async def direct(
        self, what: Literal["pause", "step", "go_on", "stop", "narrate", "edit"], **given: Any
    ) -> frames.Done:
        """Intervene; ``given`` as in ``frames.Direct``. Raises as ``act``."""
        return await self.wish(frames.Direct(ref=0, what=what, **given))

    async def typing(self) -> None:
        """Say that somebody writes."""
        await self._write(frames.Typing())

    async def wish(self, frame: Wish) -> frames.Done:
        """Send something that is replied to, under a ``ref`` of its own. Raises as ``act``."""
        if self._closed is not None:
            raise self._closed
        self._ref += 1
        asked = _Asked(
            msgspec.structs.replace(frame, ref=self._ref),
            asyncio.get_running_loop().create_future(),
        )
        self._wishes[self._ref] = asked
        if self.connected:
            await self._send(asked)
        return await asked.future

    async def _send(self, asked: _Asked) -> None:
        asked.sent = True
        await self._write(asked.frame)

    async def _write(self, frame: frames.ClientFrame) -> None:
        if self._connection is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._connection.send(_encode(frame).decode())

    async def _run(self) -> None:
        attempts = 0
        while self._closed is None:
            try:
                code = await self._once()
            except Exception as error:
                # Whoever waits for a frame or a reply waits for nothing.
                self._end(StageClosed(1006, f"{type(error).__name__}: {error}"))
                raise
            attempts = 1 if self.connected else attempts + 1
            self.connected, self._connection = False, None
            if code in FINAL:
                self._end(StageClosed(code, self._said or "the gateway closed the connection"))
                return
            longest = BUSY_S if code == 4029 else min(LONGEST_S, FIRST_S * 2 ** min(attempts, 20))
            wait_s = self._after_s or longest * random.uniform(0.5, 1)  # noqa: S311
            self._after_s = 0.0
            await asyncio.sleep(wait_s)

    async def _once(self) -> int:
        """One connection, to its end; the code it was closed with."""
        self._silence_s = HANDSHAKE_S
        try:
            async with connect(
                self.url, max_size=MOST_BYTES, open_timeout=HANDSHAKE_S, ping_interval=None
            ) as connection:
                self._connection = connection
                await self._write(
                    frames.Hello(
                        token=self._token,
                        episode=self.episode,
                        viewer=self.viewer,
                        version=self.state.version,
                    )
                )
                while True:
                    async with asyncio.timeout(self._silence_s):
                        message = await connection.recv()
                    await self._heard(_frames.decode(message))
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
        except (OSError, TimeoutError, InvalidHandshake, Gap, msgspec.MsgspecError):
            return 1006

    async def _heard(self, frame: frames.ServerFrame) -> None:
        self.state = reduce(self.state, frame)
        match frame:
            case frames.Welcome():
                self._silence_s = 3 * frame.heartbeat_s
                self.connected = True
                for asked in tuple(self._wishes.values()):
                    if asked.again or not asked.sent:
                        await self._send(asked)
                    else:
                        why = "the connection was lost, so that nobody knows whether it was done"
                        self._settle(asked.frame.ref, NotDoneError("unknown", why))
            case frames.Ping():
                await self._write(frames.Pong())
            case frames.Done(ref=ref):
                self._settle(ref, frame)
            case frames.NotDone(ref=ref, code=code, reason=reason):
                self._said = reason
                self._settle(ref, NotDoneError(code, reason))
            case frames.Leaving(after_s=after_s):
                self._after_s = after_s
        if self._frames.full():
            self._frames.get_nowait()
        self._frames.put_nowait(frame)

    def _settle(self, ref: int, outcome: frames.Done | Exception) -> None:
        asked = self._wishes.pop(ref, None)
        if asked is None or asked.future.done():
            return
        if isinstance(outcome, Exception):
            asked.future.set_exception(outcome)
        else:
            asked.future.set_result(outcome)

    def _end(self, closed: StageClosed) -> None:
        self._closed = closed
        for ref in tuple(self._wishes):
            self._settle(ref, closed)
        if self._frames.full():
            self._frames.get_nowait()
        self._frames.put_nowait(None)


class SyncStage:
    """``Stage`` without a loop of one's own: it has one in a thread."""

    def __init__(self, episode: str, *, url: str, token: str, viewer: str = "") -> None:
        """As ``Stage``."""
        self._stage = Stage(episode, url=url, token=token, viewer=viewer)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._iterator: AsyncIterator[frames.ServerFrame] = self._stage._iterate()

    def __enter__(self) -> Self:
        self._thread.start()
        self._do(self._stage.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        self._do(self._stage.__aexit__())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __iter__(self) -> Iterator[frames.ServerFrame]:
        return self

    def __next__(self) -> frames.ServerFrame:
        """The next frame. Raises ``StageClosed``."""
        return self._do(anext(self._iterator))  # type: ignore[arg-type]

    @property
    def state(self) -> PageState:
        """What is known by the last frame."""
        return self._stage.state

    def next_question(self) -> frames.AskedNow | None:
        """As ``Stage.next_question``."""
        return self._do(self._stage.next_question())

    def act(
        self, answer: object = None, *, text: str = "", question: int | None = None
    ) -> frames.Done:
        """As ``Stage.act``."""
        return self._do(self._stage.act(answer, text=text, question=question))

    def take_seat(self, seat: int | None = None) -> frames.Done:
        """As ``Stage.take_seat``."""
        return self._do(self._stage.take_seat(seat))

    def leave_seat(self, seat: int | None = None) -> frames.Done:
        """As ``Stage.leave_seat``."""
        return self._do(self._stage.leave_seat(seat))

    def direct(
        self, what: Literal["pause", "step", "go_on", "stop", "narrate", "edit"], **given: Any
    ) -> frames.Done:
        """As ``Stage.direct``."""
        return self._do(self._stage.direct(what, **given))

    def _do(self, work: Coroutine[None, None, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
