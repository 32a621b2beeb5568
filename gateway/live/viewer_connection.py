"""One socket that watches an episode: its position in the stream of frames, and what waits to be
written to it.

Viewers with the same rights share one stream of frames, so a client is only a position in it. How
far a client may fall behind is bounded (``Limits``), as is everything that belongs to it alone.
"""

from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

from events.base import Value
from gateway.live.protocol import on_the_wire
from gateway.live.viewer_stream import ViewerStream, encoded
from gateway.services.access.roles import Principal
from gateway.services.viewers.frames import (
    Leaving,
    LeavingReason,
    Ping,
    SeatState,
    ServerFrame,
    Standing,
    TypingNow,
)

if TYPE_CHECKING:
    from gateway.live.live_episode import LiveEpisode

TOGETHER: Final = 8
"""From so many frames on that a client lags, they travel as one."""
_PING: Final = on_the_wire(encoded(Ping()))


class ConnectionLimits(Value, frozen=True, kw_only=True):
    """What a client may be, and how long it may take."""

    heartbeat_s: float = 20.0
    """Seconds of silence after which a ``Ping`` is sent; after three times as many the other side
    is gone."""
    most_behind: int = 1_000
    """Frames that a client may lag behind, once it had caught up."""
    most_behind_bytes: int = 4 * 1024 * 1024
    """And their bytes."""
    stall_s: float = 20.0
    """Seconds for which a client may take nothing while something waits for it."""
    frames_per_s: float = 20.0
    """Frames that a client may send, on average, each second."""
    burst: int = 60
    """And at once."""
    hello_s: float = 15.0
    """Seconds within which the first frame must come."""
    most_replies: int = 200
    """Replies to a client's own frames that may wait for it."""
    per_token: int = 100
    """Sockets of one token that knows everything, or of one spectator's."""
    per_seat: int = 8
    """Sockets of one participant's token: the oldest is closed for a new one."""
    per_address: int = 2_000
    """Sockets from one address, which may be a proxy's."""


class Wire(Protocol):
    """Where frames go: ``gateway.live.protocol.SocketProtocol``, or a test's."""

    @property
    def has_room(self) -> bool:
        """Whether more may be written now."""
        ...

    def write(self, frame: bytes) -> None:
        """A whole frame as it goes over the wire."""
        ...

    def leave(self, code: int, last: bytes = b"") -> None:
        """Close, after one more frame."""
        ...


class ViewerConnection:
    """One of them, from ``Welcome`` on."""

    __slots__ = (
        "_asked",
        "_dirty",
        "_replies",
        "_seat",
        "caught_up",
        "cursor",
        "episode",
        "gone",
        "heard_at",
        "joined_at",
        "owed_since",
        "principal",
        "sent_at",
        "track",
        "wire",
    )

    def __init__(
        self,
        episode: "LiveEpisode",
        track: ViewerStream,
        wire: Wire,
        principal: Principal,
        version: int,
    ) -> None:
        """``version``: the last frame that the other side was told."""
        self.episode, self.track, self.wire, self.principal = episode, track, wire, principal
        self.cursor = min(version, len(track.frames))
        """How many frames were written."""
        self.caught_up = False
        """It had all there was at some moment."""
        self.gone = False
        """It is closed, or about to be."""
        self.joined_at = self.sent_at = self.heard_at = episode.now()
        """When it came, was last written to, and was last heard of, on the loop's clock."""
        self.owed_since = 0.0
        """Since when it takes nothing though something waits; 0: nothing does."""
        self._replies: deque[bytes] = deque()
        self._dirty = True
        """What is its own may have changed."""
        self._asked = b""
        self._seat: SeatState | None = None

    @property
    def seat(self) -> int | None:
        """Whose eyes it has, where those are a seat's."""
        return self.track.viewer if isinstance(self.track.viewer, int) else None

    @property
    def mine(self) -> bool:
        """Whether it sits in that seat."""
        seat = self.seat
        return seat is not None and self.track.course.participant(seat) == self.principal.name

    def say(self, frame: ServerFrame) -> None:
        """A frame for this client alone."""
        if len(self._replies) >= self.episode.limits.most_replies:
            self.leave("slow", 4000)
            return
        self._replies.append(on_the_wire(encoded(frame)))
        self.pump()

    def changed(self) -> None:
        """What is its own may have: it is told if it has."""
        self._dirty = True
        self.pump()

    def happened(self, wire: bytes) -> None:
        """A frame was added to the track; ``wire``: as it goes over the wire."""
        if self.cursor == len(self.track.frames) - 1 and not self.gone and self.wire.has_room:
            self.wire.write(wire)
            self.cursor += 1
            self.sent_at = self.episode.now()
        else:
            self.pump()

    def pump(self) -> None:
        """Write what waits, as far as there is room."""
        wire, track = self.wire, self.track
        while not self.gone and wire.has_room:
            lag = len(track.frames) - self.cursor
            if lag >= TOGETHER:
                joined, count = track.batch(self.cursor)
                more = b"true" if lag > count else b"false"
                text = b'{"type":"Happenings","happened":[%b],"more":%b}' % (joined, more)
                self._write(on_the_wire(text))
                self.cursor += count
            elif lag > 0:
                self._write(on_the_wire(track.frames[self.cursor]))
                self.cursor += 1
            elif self._replies:
                self._write(self._replies.popleft())
            elif self._dirty:
                self._dirty = False
                self._say_own()
            else:
                self.caught_up = True
                self.owed_since = 0.0
                return
        if not self.gone and not self.owed_since:
            self.owed_since = self.episode.now()

    def _write(self, frame: bytes) -> None:
        self.wire.write(frame)
        self.sent_at = self.episode.now()
        self.owed_since = 0.0

    def _say_own(self) -> None:
        """What the seat is asked, and how it stands, where that changed."""
        seat, track = self.seat, self.track
        if seat is None:
            return
        asked = track.asked_now(self.episode.clock())
        if asked != self._asked:
            self._asked = asked
            self._replies.append(on_the_wire(asked))
        course = track.course
        stands = SeatState(
            mine=self.mine,
            free=course.free(seat),
            may_take=not (course.ended or course.participant(seat))
            # A study seats its own, once.
            and not self.principal.study
            and self.principal.may_sit(self.episode.id, seat),
        )
        if stands != self._seat:
            self._seat = stands
            self._replies.append(on_the_wire(encoded(stands)))

    def stands(self, waits: str) -> None:
        """Tell the client why the episode does not continue; an empty text means that it does."""
        self.say(Standing(waits=waits))

    def typing(self, seat: int) -> None:
        """Somebody else writes; not worth keeping."""
        course = self.track.course
        asked = {one.seat for one in course.state.open}
        public = self.track.teller.knows_all or self.track.game.presentation.turns_are_public
        if seat != self.seat and seat in asked and public and self.wire.has_room and not self.gone:
            self._write(on_the_wire(encoded(TypingNow(seat=seat))))

    def look(self, now: float) -> None:
        """What time brings: pings, reminders, and the end of patience."""
        limits = self.episode.limits
        if self.gone:
            return
        if now - self.heard_at > 3 * limits.heartbeat_s:
            self.close(4008)
        elif self.principal.expires <= self.episode.clock():
            self.leave("expired", 4001)
        elif self._too_slow(now):
            self.leave("slow", 4000)
        else:
            if now - self.sent_at > limits.heartbeat_s and self.wire.has_room:
                self._write(_PING)
            if self.seat is not None and self.track.course.started.people.nudge_s:
                self.changed()

    def _too_slow(self, now: float) -> bool:
        limits, frames = self.episode.limits, self.track.frames
        if self.owed_since and now - self.owed_since > limits.stall_s:
            return True
        lag = len(frames) - self.cursor
        if not self.caught_up or not lag:
            return False
        return lag > limits.most_behind or (
            lag * len(frames[-1]) > limits.most_behind_bytes / 4
            and sum(map(len, frames[self.cursor :])) > limits.most_behind_bytes
        )

    def leave(self, reason: LeavingReason, code: int, after_s: float = 0.0) -> None:
        """Say why, then close."""
        self.close(code, Leaving(reason=reason, after_s=after_s))

    def close(self, code: int, last: object = None) -> None:
        """Close, after one more frame. Twice is harmless."""
        if not self.gone:
            self.gone = True
            self._replies.clear()
            self.wire.leave(code, b"" if last is None else on_the_wire(encoded(last)))
