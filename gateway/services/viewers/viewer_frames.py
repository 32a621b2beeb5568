"""What one viewer is told of an episode, whole: the frames of the websocket (``gateway.live``), for
the page to begin with."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from actors.episodes.delivery.delays import Delays
from actors.episodes.port.sight import Viewer
from actors.episodes.views.inconsistent_history import telling
from events.base import Value
from events.episode import EpisodeStarted
from gateway.services.episodes.episode_details import memory_of
from gateway.services.viewers.event_frames import KNOWING_ALL, FrameBuilder, scene_of
from gateway.services.viewers.frames import Happened, Scene
from store.log.event_store import EventStore
from store.read_model.episode_history import Numbered


class ViewerFrames(Value, frozen=True, kw_only=True):
    """An episode as one viewer was told of it."""

    viewer: Viewer
    scene: Scene
    happened: tuple[Happened, ...]
    """Version N at place N - 1."""
    numbers: tuple[int, ...] | None = None
    """For who knows everything and looks through another's eyes: the number of the event behind
    each of ``happened``. They are never told to that other."""

    @property
    def version(self) -> int:
        """That of the last of ``happened``; 0: there is none."""
        return len(self.happened)

    @property
    def marks(self) -> tuple[int, ...]:
        """How the page calls each of ``happened`` in its addresses: by the event's number where
        the reader may know it, else by the version."""
        return self.numbers or tuple(
            one.version if one.number is None else one.number for one in self.happened
        )

    def place_of(self, mark: int | None) -> int:
        """How many of ``happened`` there were at a mark; of None: all."""
        if mark is None:
            return len(self.happened)
        return sum(one <= mark for one in self.marks)


class StartedEpisode(NamedTuple):
    """A history, from how it begins on."""

    started: EpisodeStarted
    history: Sequence[Numbered]


def told_to(
    store: EventStore, begun: StartedEpisode, viewer: Viewer, *, knows_all: bool
) -> ViewerFrames:
    """What ``viewer`` was told of a history. ``knows_all``: whoever looks through these eyes does,
    and so may know the events' numbers, and what is shown to others with a delay. Raises
    ``OddHistory``, ``ValueError`` where there is no such seat."""
    started = begun.started
    late = Delays(started) if Delays.wanted(started) and not knows_all else None
    now = time.time_ns() // 1000
    with telling(started.environment):
        scene = scene_of(started, viewer, memory_of(store, started, viewer))
        teller = FrameBuilder(started, viewer, scene.portraits)
        happened: list[Happened] = []
        numbers: list[int] = []
        for one in begun.history:
            at = one.envelope.recorded_at if late is None else late.visible_at(one)
            if at > now and late is not None:
                break
            frame = teller.tell(one.number, one.event, at)
            if frame is not None:
                happened.append(frame)
                numbers.append(one.number)
    return ViewerFrames(
        viewer=viewer,
        scene=scene,
        happened=tuple(happened),
        numbers=tuple(numbers) if knows_all and viewer not in KNOWING_ALL else None,
    )
