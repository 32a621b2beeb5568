"""How far an episode has come, for code that displays histories of any environment."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from actors.episodes.port.sight import Notice, Reducer, Viewer
from events.base import Event
from events.episode import (
    EpisodeEnded,
    EpisodeFailed,
    EpisodeReopened,
    EpisodeStarted,
    TurnOpened,
)

N = TypeVar("N", bound=Notice)


class Course(NamedTuple):
    """The course of an episode up to some event."""

    turn: int
    """The last turn opened; 0: none."""
    ended: str
    """The ending's name; empty while it goes on."""
    detail: str
    """More about the end, for those who may know everything."""


def beginning_of(history: Iterable[Event]) -> EpisodeStarted:
    """The event an episode began with. Raises ``ValueError`` where there is none."""
    for event in history:
        if isinstance(event, EpisodeStarted):
            return event
    raise ValueError("the history does not begin with EpisodeStarted, so nothing can be shown")


def check_viewer(viewer: Viewer, seats: int) -> None:
    """Raises ``ValueError`` where there is no such seat."""
    if isinstance(viewer, int) and not 0 <= viewer < seats:
        raise ValueError(f"there is no seat {viewer}; seats are 0 to {seats - 1}")


def noticed(history: Iterable[Event], eyes: Reducer[N]) -> tuple[N, ...]:
    """All that a viewer noticed of a history, by the events' numbers; event N has number N."""
    found = [notice for number, event in enumerate(history) for notice in eyes.apply(number, event)]
    return tuple(sorted(found, key=lambda notice: notice.number))


def course_of(history: Sequence[Event]) -> Course:
    """How far a history has come."""
    turn, ended, detail = 0, "", ""
    for event in history:
        match event:
            case TurnOpened():
                turn = event.turn
            case EpisodeEnded():
                ended, detail = event.reason, event.detail
            case EpisodeFailed():
                ended, detail = "failed", event.reason
            case EpisodeReopened():
                ended, detail = "", ""
    return Course(turn, ended, detail)
