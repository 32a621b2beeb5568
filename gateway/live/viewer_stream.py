"""The frames of an episode for one kind of viewer: each frame is encoded once, and all viewers with
the same rights get the same bytes."""

from bisect import bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from actors.episodes.port.sight import Viewer
from actors.episodes.registry import game_of
from actors.episodes.rules.decide import EpisodeState
from events.environments import Question
from events.episode import EpisodeStarted
from events.wire.messages import Posed
from gateway.services.viewers.episode_progress import EpisodeProgress
from gateway.services.viewers.event_frames import FrameBuilder
from gateway.services.viewers.frames import AskedNow, Scene, Welcome
from gateway.services.viewers.posed_question import posed_question
from store.log.forked_history import Numbered

if TYPE_CHECKING:
    from gateway.live.viewer_connection import ViewerConnection

BATCH_FRAMES: Final = 256
"""The most frames that travel as one."""
BATCH_BYTES: Final = 192 * 1024
"""Bytes after which no more are added."""

_encode: Final[Callable[[object], bytes]] = msgspec.json.Encoder(enc_hook=str).encode


def encoded(frame: object) -> bytes:
    """A frame as JSON."""
    return _encode(frame)


class ViewerStream:
    """What one viewer was told so far, and who listens."""

    def __init__(
        self, episode: str, started: EpisodeStarted, viewer: Viewer, scene: Scene, memory: str = ""
    ) -> None:
        """Raises as ``Teller`` does."""
        self.episode = episode
        self.viewer = viewer
        self.teller = FrameBuilder(started, viewer, scene.portraits)
        self.game = game_of(started)
        self.scene = scene
        self.background: object = None
        """Who a seat is, for those who answer for it."""
        if isinstance(viewer, int):
            self.background = self.game.sight.background(episode, started, viewer, memory)
        self.frames: list[bytes] = []
        """``Happened`` with version N at place N - 1, as JSON."""
        self.at = -1
        """The number of the last event that was told."""
        self.clients: set[ViewerConnection] = set()
        """Those who are told."""
        self.asked_changes = 0
        """Raised whenever what the seat is asked, or who sits there, may have changed."""
        self._asked: tuple[tuple[int, bool], bytes] = ((-1, False), b"")
        self._batches: dict[int, bytes] = {}
        self._ends: list[int] = []
        self._open_bytes = 0
        self._last_turn: dict[int, Posed] = {}
        self._asked_turn = 0

    @property
    def course(self) -> EpisodeProgress:
        """How the episode stands as far as it was told."""
        return self.teller.course

    def tell(self, numbered: Numbered, at: int) -> bytes | None:
        """One more event, shown ``at`` so many microseconds since 1970-01-01 UTC. Answers the
        frame, encoded, if there is one."""
        course = self.teller.course
        before = course.state
        frame = self.teller.tell(numbered.number, numbered.event, at)
        self.at = numbered.number
        if isinstance(self.viewer, int):
            posed = course.posed(self.viewer)
            if posed and course.state.turn != self._asked_turn:
                self._asked_turn = course.state.turn
                self._last_turn = {asked.id: asked for asked in posed}
            if _own(before) != _own(course.state):
                self.asked_changes += 1
        if frame is None:
            return None
        data = encoded(frame)
        self._keep(data)
        return data

    def welcome(self, version: int, heartbeat_s: float, *, stage_piece: bool = False) -> Welcome:
        """The answer to who knows all up to a version: what follows goes on behind its own."""
        joined, count = b"", 0
        # Another gateway may have told more already: that is not told again.
        if version < len(self.frames):
            joined, count = self.batch(version)
        seat = self.viewer if isinstance(self.viewer, int) else None
        return Welcome(
            episode=self.episode,
            viewer=self.viewer if isinstance(self.viewer, str) else "seat",
            seat=seat,
            environment=self.game.environment,
            stage_piece=stage_piece,
            title=self.course.started.title if self.teller.knows_all else "",
            version=version + count,
            scene=self.scene if version == 0 else None,
            # Encoded before, as all others were sent it.
            happened=(msgspec.Raw(joined),) if joined else (),  # type: ignore[arg-type]
            more=version + count < len(self.frames),
            heartbeat_s=heartbeat_s,
        )

    def batch(self, start: int) -> tuple[bytes, int]:
        """Frames from place ``start`` on, joined by commas, and how many they are. Where batches
        end, the history alone says: what many ask for is made once."""
        place = bisect_right(self._ends, start)
        if place == len(self._ends):
            return b",".join(self.frames[start:]), len(self.frames) - start
        end = self._ends[place]
        whole = start == (self._ends[place - 1] if place else 0)
        made = self._batches.get(start) if whole else None
        if made is None:
            made = b",".join(self.frames[start:end])
            if whole:
                self._batches[start] = made
        return made, end - start

    def _keep(self, data: bytes) -> None:
        self.frames.append(data)
        self._open_bytes += len(data)
        begun = self._ends[-1] if self._ends else 0
        if len(self.frames) - begun >= BATCH_FRAMES or self._open_bytes >= BATCH_BYTES:
            self._ends.append(len(self.frames))
            self._open_bytes = 0

    # ------------------------------------------------------------ a seat's own

    def question(self, turn: int, question: int) -> Question | None:
        """What the seat is, or was, asked in the last turn that asked it; None: not that."""
        asked = self._last_turn.get(question) if turn == self._asked_turn else None
        return None if asked is None else asked.question

    def asked_now(self, now: int) -> bytes:
        """What the seat is asked at present, as JSON; ``now`` in microseconds since 1970-01-01
        UTC."""
        assert isinstance(self.viewer, int), "it is a seat's"
        nudge_at = self.course.nudge_at(self.viewer)
        key = (self.asked_changes, nudge_at is not None and now >= nudge_at)
        if self._asked[0] != key:
            self._asked = (key, encoded(self._posed(self.viewer, nudge=key[1])))
        return self._asked[1]

    def _posed(self, seat: int, *, nudge: bool) -> AskedNow:
        course = self.course
        return AskedNow(
            turn=course.state.turn,
            questions=tuple(
                posed_question(self.game, self.background, asked) for asked in course.posed(seat)
            ),
            until=course.until(seat),
            nudge=nudge,
            missed=course.missed.of(seat),
        )


def _own(state: EpisodeState) -> tuple[object, ...]:
    """What a seat is told of beside what it notices follows from this."""
    return state.open, state.minds, state.people, state.ended
