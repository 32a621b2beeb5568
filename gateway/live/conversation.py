"""The protocol of one socket, from its first frame to its last."""

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

import msgspec
import structlog

from actors.episodes.port.sight import Viewer
from events.untrusted.safe_text import shortened
from events.wire import subjects
from gateway.live import metrics
from gateway.live.client_commands import Wish, command_for, frame_for
from gateway.live.live_episode import TYPING_S, CannotBeTold
from gateway.live.live_episodes import AFTER_S, LiveEpisodes
from gateway.live.protocol import SocketProtocol, on_the_wire
from gateway.live.viewer_connection import ViewerConnection
from gateway.live.viewer_stream import encoded
from gateway.services.access.roles import Principal
from gateway.services.episodes.recorded_actions import NotPossible
from gateway.services.episodes.send_command import ask
from gateway.services.viewers.frames import (
    ClientFrame,
    Hello,
    Leaving,
    NotDone,
    Pong,
    Standing,
    Typing,
    client_frames,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

log = structlog.get_logger(__name__)

MOST_AT_ONCE: Final = 16
"""Commands of one socket that are under way."""
WAIT_S: Final = 1.0
"""How often who waits for an episode to begin is told so, in seconds."""


class Closed(Exception):
    """The other side is gone."""


class SocketRefusal(Exception):
    """The socket is to be closed."""

    def __init__(self, close: int, code: str, reason: str) -> None:
        reason = shortened(reason, 1_000)
        super().__init__(reason)
        self.close, self.code, self.reason = close, code, reason


class Conversation:
    """One socket's."""

    def __init__(
        self,
        live: LiveEpisodes,
        wire: SocketProtocol,
        receive: "Callable[[], Awaitable[Any]]",
        principal_of: "Callable[[str], Awaitable[Principal]]",
        address: str,
    ) -> None:
        """``receive``: the ASGI messages; ``principal_of``: whose a token is (empty: the one that
        came with the handshake), or ``Refusal``."""
        self.live, self.wire, self.address = live, wire, address
        self._receive, self._principal_of = receive, principal_of
        self.client: ViewerConnection | None = None
        self._under_way: set[asyncio.Task[None]] = set()
        self._allowance = float(live.limits.burst)
        self._allowed_at = 0.0
        self._typed_at = -TYPING_S

    async def run(self) -> None:
        """Until it ends."""
        live = self.live
        live.by_address[self.address] += 1
        try:
            if live.draining:
                self._close(1012, Leaving(reason="restart", after_s=AFTER_S))
                return
            if live.by_address[self.address] > live.limits.per_address:
                raise SocketRefusal(
                    4029, "forbidden", "too many connections come from your address"
                )
            self.client = await self._welcomed()
            metrics.CONNECTIONS.labels(self.client.principal.role).inc()
            self.wire.told_writable = self.client.pump
            await self._listen(self.client)
        except Closed:
            pass
        except SocketRefusal as refusal:
            told = NotDone(ref=0, code=refusal.code, reason=refusal.reason)
            self._close(refusal.close, told)
        finally:
            self._end()

    def _end(self) -> None:
        live = self.live
        live.by_address[self.address] -= 1
        if not live.by_address[self.address]:
            del live.by_address[self.address]
        for task in self._under_way:
            task.cancel()
        self.wire.told_writable = None
        if self.client is not None:
            metrics.CONNECTIONS.labels(self.client.principal.role).dec()
            self.client.episode.part(self.client)
        metrics.DISCONNECTS.labels(metrics.REASONS.get(self.wire.left_with, "other")).inc()

    def _close(self, code: int, last: object) -> None:
        self.wire.leave(code, on_the_wire(encoded(last)))

    # ------------------------------------------------------------ the first frame

    async def _welcomed(self) -> ViewerConnection:
        try:
            async with asyncio.timeout(self.live.limits.hello_s):
                hello = await self._next()
        except TimeoutError:
            raise SocketRefusal(4008, "bad_frame", "no Hello came") from None
        if not isinstance(hello, Hello):
            raise SocketRefusal(4022, "bad_frame", "the first frame must be Hello")
        principal = await self._principal_of(hello.token)
        if not subjects.is_id(hello.episode):
            raise SocketRefusal(4004, "unknown_episode", "there is no such episode")
        if not principal.may_watch(hello.episode):
            raise SocketRefusal(4003, "forbidden", "the token is not for this episode")
        self._check_number(principal)
        episode = self.live.episode(hello.episode)
        try:
            while not await episode.ready(WAIT_S):
                if self.wire.disconnected:
                    raise Closed
                if self.live.draining:
                    raise SocketRefusal(1012, "try_again", "the gateway restarts")
                waits = episode.waits[0 if principal.knows_all else 1]
                self.wire.write(on_the_wire(encoded(Standing(waits=waits or "it is being read"))))
            viewer = _viewer(
                hello, principal, len(episode.started.minds if episode.started else ())
            )
            return await episode.join(self.wire, principal, viewer, hello.version)
        except CannotBeTold as fault:
            raise SocketRefusal(fault.code, "unknown_episode", fault.why) from None

    def _check_number(self, principal: Principal) -> None:
        limits, others = self.live.limits, self.live.of_token(principal)
        if principal.role == "participant":
            # The newest stays: the others are tabs that were forgotten.
            for other in others[: max(0, len(others) - limits.per_seat + 1)]:
                other.close(4009)
        elif len(others) >= limits.per_token:
            raise SocketRefusal(
                4029, "forbidden", f"{len(others)} sockets are open with this token"
            )

    # ------------------------------------------------------------ all others

    async def _listen(self, client: ViewerConnection) -> None:
        while not client.gone:
            frame = await self._next()
            client.heard_at = client.episode.now()
            match frame:
                case Pong():
                    pass
                case Typing():
                    self._typing(client)
                case Hello():
                    raise SocketRefusal(4022, "bad_frame", "Hello was said already")
                case _:
                    self._begin(client, frame)

    async def _next(self) -> ClientFrame:
        """The next frame. Raises ``Closed``, ``Refusal``."""
        while True:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                raise Closed
            if message["type"] == "websocket.receive":
                break
        self._count()
        text = message.get("text")
        if text is None:
            raise SocketRefusal(4022, "bad_frame", "frames are texts, this one is binary")
        try:
            frame: ClientFrame = client_frames.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            why = f"the frame cannot be read: {shortened(str(error), 300)}"
            raise SocketRefusal(4022, "bad_frame", why) from None
        return frame

    def _count(self) -> None:
        limits, now = self.live.limits, asyncio.get_running_loop().time()
        earned = (now - self._allowed_at) * limits.frames_per_s
        self._allowance = min(float(limits.burst), self._allowance + earned) - 1
        self._allowed_at = now
        if self._allowance < 0:
            raise SocketRefusal(4029, "forbidden", "too many frames come too fast")

    def _typing(self, client: ViewerConnection) -> None:
        now = client.episode.now()
        if not client.mine or now - self._typed_at < TYPING_S / 2:
            return
        self._typed_at = now
        hearing = self.live.hearing
        hearing.publish(subjects.seat_typing(hearing.space, client.episode.id, client.seat), b"")

    def _begin(self, client: ViewerConnection, wish: Wish) -> None:
        if len(self._under_way) >= MOST_AT_ONCE:
            why = "so much of what you sent is under way already; wait for its replies"
            client.say(NotDone(ref=wish.ref, code="try_again", reason=why))
            return
        task = asyncio.get_running_loop().create_task(self._do(client, wish))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _do(self, client: ViewerConnection, wish: Wish) -> None:
        try:
            command = await command_for(client, wish)
            reply = await ask(self.live.hearing, client.episode.id, command)
            frame = await frame_for(client, wish, command, reply)
        except NotPossible as refused:
            frame = NotDone(ref=wish.ref, code=refused.code, reason=refused.reason)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("wish_not_done", episode=client.episode.id, what=type(wish).__name__)
            why = "it could not be done just now; try again"
            frame = NotDone(ref=wish.ref, code="try_again", reason=why)
        with contextlib.suppress(RuntimeError):
            client.say(frame)


def _viewer(hello: Hello, principal: Principal, seats: int) -> Viewer:
    """Through whose eyes. Raises ``Refusal``."""
    own: Viewer
    if principal.knows_all:
        own = "narrator"
    elif principal.seat is not None and principal.role == "participant":
        own = principal.seat
    else:
        own = "spectator"
    wanted = hello.viewer
    viewer: Viewer
    if not wanted:
        viewer = own
    elif wanted == "narrator":
        viewer = "narrator"
    elif wanted == "spectator":
        viewer = "spectator"
    elif wanted.isdecimal() and wanted.isascii() and 1 <= int(wanted) <= seats:
        viewer = int(wanted) - 1
    else:
        why = f"there is no viewer {shortened(wanted)!r}: narrator, spectator, or a seat from 1"
        raise SocketRefusal(4022, "no_such_seat", why)
    if isinstance(viewer, int) and viewer >= seats:
        raise SocketRefusal(4003, "no_such_seat", f"the episode has {seats} seats")
    if viewer != own and not principal.knows_all:
        raise SocketRefusal(4003, "forbidden", "the token does not let its holder look so")
    return viewer
