"""What each seat of an episode has noticed, and which part of it has not been sent to the seat
yet."""

from collections.abc import Callable, Collection, Sequence
from heapq import merge
from operator import attrgetter, itemgetter
from typing import Any, Final

from actors.episodes.port.game import AnyGame
from actors.episodes.port.sight import Crowd, Notice, Reducer
from actors.episodes.registry import game_of
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
        "_noticed_by",
        "_opened",
        "_opening",
        "_seats",
        "_told",
        "game",
        "unseen",
    )

    def __init__(self) -> None:
        self.game: AnyGame | None = None
        """That of the episode; None before it has begun."""
        self.unseen: list[list[Any]] = []
        """For each seat, what it noticed since the turn was opened that it acted in last."""
        self._happened: list[tuple[int, Event]] = []
        """What any seat may have noticed, with its number in the history."""
        self._happened_to: list[list[tuple[int, Event]]] = []
        """What each seat may have noticed beside that."""
        self._eyes: list[Reducer[Notice]] = []
        self._noticed_by: Callable[[Any], Collection[int] | None] | None = None
        """The game's, if it has a crowd: most let all seats look at all events."""
        self._seats: Collection[int] = ()
        """All there are."""
        self._opened = -1
        """The number of the last ``TurnOpened``."""
        self._opening: tuple[int, Event] | None = None
        """It, where some seats alone were told of it."""
        self._told: set[int] = set()
        """These, and those who were told of it since."""

    def look(self, number: int, event: Event, noticing: set[int] | None = None) -> None:
        """Have every seat look at an event. The seats that notice something are added to
        ``noticing``."""
        if type(event) is ActionTaken:
            unseen, opened = self.unseen[event.seat], self._opened
            # Nobody acts on what happened after they were asked.
            if number == opened + 1:
                unseen.clear()
            else:
                unseen[:] = [one for one in unseen if one.number > opened]
        elif type(event) is TurnOpened:
            self._opened, self._opening = number, None
        elif type(event) is not WorldChanged:
            if isinstance(event, EpisodeStarted):
                self._begin(event)
            return
        seats = None if self._noticed_by is None else self._noticed_by(event)
        happened = (number, event)  # one for all: a town's instant may concern hundreds
        if seats is not None and not seats:
            if type(event) is TurnOpened:
                self._opening, self._told = happened, set()
            return
        if seats is None:
            self._happened.append(happened)
            seats = self._seats
            if self._opening is not None:
                self._tell_of_turn(self._opening, seats)
        else:
            if self._opening is not None:
                self._tell_of_turn(self._opening, seats)
            if type(event) is TurnOpened:
                self._opening, self._told = happened, set(seats)
            for seat in seats:
                self._happened_to[seat].append(happened)
        all_eyes, unseen_by = self._eyes, self.unseen
        for seat in seats:
            if noticed := all_eyes[seat].apply(number, event):
                unseen_by[seat] += noticed
                if noticing is not None:
                    noticing.add(seat)

    def _begin(self, started: EpisodeStarted) -> None:
        self.game = game = game_of(started)
        if type(game.crowd).noticed_by is not Crowd.noticed_by:
            self._noticed_by = game.crowd.noticed_by
        self._seats = range(len(started.minds))
        self._eyes = [game.sight.reducer(started, seat) for seat in self._seats]
        self.unseen = [[] for _ in self._seats]
        self._happened_to = [[] for _ in self._seats]

    def _tell_of_turn(self, opening: tuple[int, Event], seats: Collection[int]) -> None:
        """Seats that were not told of the last turn's opening are, before they are told more."""
        for seat in seats:
            if seat not in self._told:
                self._told.add(seat)
                self._happened_to[seat].append(opening)
                self._eyes[seat].apply(*opening)

    def everything(self, started: EpisodeStarted, seat: int) -> list[Notice]:
        """All that a seat noticed since the start."""
        assert self.game is not None, "it has begun"
        eyes = self.game.sight.reducer(started, seat)
        happened = merge(self._happened, self._happened_to[seat], key=itemgetter(0))
        return [notice for past in happened for notice in eyes.apply(*past)]


def in_order(news: Sequence[Notice]) -> tuple[Notice, ...]:
    """By their numbers."""
    return tuple(sorted(news, key=_NUMBER)) if len(news) > 1 else tuple(news)
