"""What the seats of an episode notice, and what of it they were not shown yet."""

from collections.abc import Collection, Sequence
from heapq import merge
from operator import attrgetter, itemgetter
from typing import Any, Final

from actors.episodes.environment import Environment, Notice, Reducer
from actors.episodes.registry import environment_of
from events.base import Event
from events.episode import ActionTaken, EpisodeStarted, TurnOpened, WorldChanged

NOTICED: Final = frozenset((TurnOpened, ActionTaken, WorldChanged))
"""Of other events no seat notices anything."""

_NUMBER: Final = attrgetter("number")


class Noticing:
    """The eyes of all seats. It is told every event of a history, with its number."""

    __slots__ = (
        "_eyes",
        "_happened",
        "_happened_to",
        "_opened",
        "_opening",
        "_seats",
        "_told",
        "environment",
        "unseen",
    )

    def __init__(self) -> None:
        self.environment: Environment[Any] | None = None
        """That of the episode; None before it has begun."""
        self.unseen: list[list[Any]] = []
        """For each seat, what it noticed since the turn was opened that it acted in last."""
        self._happened: list[tuple[int, Event]] = []
        """What any seat may have noticed, with its number in the history."""
        self._happened_to: list[list[tuple[int, Event]]] = []
        """What each seat may have noticed beside that."""
        self._eyes: list[Reducer] = []
        self._seats: Collection[int] = ()
        """All there are."""
        self._opened = -1
        """The number of the last ``TurnOpened``."""
        self._opening: tuple[int, Event] | None = None
        """It, where some seats alone were told of it."""
        self._told: set[int] = set()
        """These, and those who were told of it since."""

    def look(self, number: int, event: Event) -> Sequence[int]:
        """Have every seat look at an event; the seats that noticed something."""
        if type(event) not in NOTICED:
            if isinstance(event, EpisodeStarted):
                self.environment = environment_of(event)
                minds = len(event.minds)
                self._seats = range(minds)
                self._eyes = [self.environment.reducer(event, seat) for seat in self._seats]
                self.unseen = [[] for _ in event.minds]
                self._happened_to = [[] for _ in event.minds]
            return ()
        if type(event) is ActionTaken:
            unseen = self.unseen[event.seat]
            # Nobody acts on what happened after they were asked.
            unseen[:] = [one for one in unseen if one.number > self._opened]
        elif type(event) is TurnOpened:
            self._opened, self._opening = number, None
        seats = self.environment.noticed_by(event)  # type: ignore[union-attr, arg-type]
        happened = (number, event)  # one for all: a town's instant may concern hundreds
        if seats is None:
            self._happened.append(happened)
            seats = self._seats
            self._tell_of_turn(seats)
        else:
            self._tell_of_turn(seats)
            if type(event) is TurnOpened:
                self._opening, self._told = happened, set(seats)
            for seat in seats:
                self._happened_to[seat].append(happened)
        noticing, all_eyes = [], self._eyes
        for seat in seats:
            if noticed := all_eyes[seat].apply(number, event):
                self.unseen[seat].extend(noticed)
                noticing.append(seat)
        return noticing

    def _tell_of_turn(self, seats: Collection[int]) -> None:
        """Seats that were not told of the last turn's opening are, before they are told more."""
        if self._opening is None:
            return
        for seat in seats:
            if seat not in self._told:
                self._told.add(seat)
                self._happened_to[seat].append(self._opening)
                self._eyes[seat].apply(*self._opening)

    def everything(self, started: EpisodeStarted, seat: int) -> list[Notice]:
        """All that a seat noticed since the start."""
        assert self.environment is not None, "it has begun"
        eyes = self.environment.reducer(started, seat)
        happened = merge(self._happened, self._happened_to[seat], key=itemgetter(0))
        return [notice for past in happened for notice in eyes.apply(*past)]


def in_order(news: Sequence[Notice]) -> tuple[Notice, ...]:
    """By their numbers."""
    return tuple(sorted(news, key=_NUMBER)) if len(news) > 1 else tuple(news)
