"""Access control: the only functions that decide what a viewer may see of an episode."""

import abc
from collections.abc import Collection, Sequence
from typing import Final, Generic, Literal, Protocol, TypeVar

from actors.episodes.port.rules import Happening
from events.base import Event
from events.environments import Setup
from events.episode import EpisodeStarted

Viewer = int | Literal["narrator", "judge", "spectator"]
"""A seat; or ``narrator`` and ``judge``, who may know everything; or ``spectator``, who may know
what is public."""


class Notice(Protocol):
    """What a viewer notices of one event: a struct of the environment's, with these two."""

    @property
    def number(self) -> int:
        """The event's number in the history."""
        ...

    @property
    def turn(self) -> int:
        """The turn it happened in."""
        ...


S = TypeVar("S", bound=Setup)
B = TypeVar("B")
V = TypeVar("V")
N = TypeVar("N", bound=Notice)
N_co = TypeVar("N_co", bound=Notice, covariant=True)


class Reducer(Protocol[N_co]):
    """One viewer's eyes: takes the events of a history one after the other."""

    def apply(self, number: int, event: Event) -> Sequence[N_co]:
        """What the viewer notices now that event ``number`` has happened, oldest first. Costs the
        same in a long episode as in a short one."""
        ...


class Sight(abc.ABC, Generic[B, V, N]):
    """Decides what each viewer may know. Its results contain nothing else."""

    @abc.abstractmethod
    def background(self, episode: str, started: EpisodeStarted, seat: int, memory: str) -> B:
        """Who a seat is and what it knows before the first turn, as a struct of the environment's.
        ``memory``: what it remembers of earlier episodes, in words; empty: nothing."""

    @abc.abstractmethod
    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> Reducer[N]:
        """What a viewer notices, event by event, from the first after ``started`` on. Raises
        ``ValueError`` where there is no such seat."""

    @abc.abstractmethod
    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> V:
        """A whole history, or its first events, as a viewer may see it: a struct of the
        environment's. Event N has number N. Raises ``ValueError`` where the history has no start or
        there is no such viewer."""


class OpenSight(Sight[V, V, N]):
    """Where a seat's background is its view of the beginning."""

    def background(self, episode: str, started: EpisodeStarted, seat: int, memory: str) -> V:
        """What the seat may see before the first turn."""
        return self.view([started], seat, memory)


class Crowd(Generic[B, N]):
    """What makes an episode of many seats cheap."""

    answers_are_told: bool = True
    """Whether those who know everything are told of every answer when it is given, though nobody
    notices it yet. Where a change says what came of all answers of a turn, that is enough."""

    def noticed_by(self, event: Happening) -> Collection[int] | None:
        """The seats that may notice something of an event; None: any may. Each event costs those
        alone: the reducers of the others are not told of it, and notice the same as if they were.
        Who is not asked in a turn is told of its opening before it is told of anything else in
        it."""
        del event
        return None

    def shared(self, background: B) -> B:
        """A seat's background as its mind keeps it: what is equal in those of many seats may be
        the same there, so that a process that holds a thousand keeps it once."""
        return background

    def shared_news(self, news: Sequence[N]) -> Sequence[N]:
        """What a seat has noticed, likewise."""
        return news


NO_CROWD: Final = Crowd[object, Notice]()


def setup_of(started: EpisodeStarted, kind: type[S]) -> S:
    """The setup of an episode, checked to be of the given type. Raises ``TypeError`` if it is
    not."""
    if not isinstance(started.setup, kind):
        raise TypeError(f"the setup is a {type(started.setup).__name__}, not a {kind.__name__}")
    return started.setup
