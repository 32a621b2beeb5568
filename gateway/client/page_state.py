"""Folds the frames of a socket into a page's state: the Python counterpart of
``gateway/static/client/reduce.js``, tested against the same golden files."""

from collections.abc import Sequence

from actors.episodes.port.words import Entry
from events.base import Value, replace
from gateway.services.viewers.frames import (
    AskedNow,
    Happened,
    Happenings,
    Scene,
    Seated,
    SeatState,
    ServerFrame,
    Standing,
    TypingNow,
    Welcome,
)


class Gap(ValueError):
    """Some ``Happened`` were lost on the way: connect again with the last version."""

    def __init__(self, version: int, found: int) -> None:
        super().__init__(f"version {found} came behind {version}")
        self.version, self.found = version, found


class PageState(Value, frozen=True, kw_only=True):
    """What a page knows of an episode."""

    episode: str = ""
    viewer: str = ""
    """``narrator``, ``spectator`` or ``seat``."""
    seat: int | None = None
    """Which seat, from 0."""
    environment: str = ""
    stage_piece: bool = False
    """The environment draws a picture of its own."""
    title: str = ""
    version: int = 0
    """Of the last thing that was told."""
    scene: Scene | None = None
    """What is known before the first turn."""
    happened: tuple[Happened, ...] = ()
    """All of them, in order."""
    entries: tuple[Entry, ...] = ()
    """What was noticed, in words, in order."""
    turn: int = 0
    waiting: tuple[int, ...] = ()
    """The seats that are asked, as far as the viewer may know."""
    seats: tuple[Seated, ...] = ()
    """Who sits where; for those who know everything."""
    paused: bool = False
    proposed: tuple[Entry, ...] = ()
    """What minds answered while it was paused."""
    ended: str = ""
    ending: str = ""
    detail: str = ""
    asked: AskedNow | None = None
    """What the viewer's seat is asked; None: nothing."""
    missed: int = 0
    """Turns in a row that passed because the viewer did not answer in time."""
    mine: bool = False
    """The viewer sits in the seat and may act."""
    free: bool = False
    """Nobody sits there who would act."""
    may_take: bool = False
    waits: str = ""
    """Why nothing happens, where that is no seat's doing."""
    typing: tuple[int, ...] = ()
    """The seats that were heard writing since they last did something."""


def reduce(state: PageState, frame: ServerFrame) -> PageState:
    """The state after one more frame; what was known already changes nothing. Raises ``Gap``."""
    match frame:
        case Welcome():
            return _happen(_welcome(state, frame), frame.happened)
        case Happened():
            return _happen(state, (frame,))
        case Happenings():
            return _happen(state, frame.happened)
        case AskedNow():
            asked = frame if frame.questions else None
            return replace(state, asked=asked, missed=frame.missed)
        case SeatState(mine=mine, free=free, may_take=may_take):
            return replace(state, mine=mine, free=free, may_take=may_take)
        case Standing(waits=waits):
            return replace(state, waits=waits)
        case TypingNow(seat=seat) if seat not in state.typing:
            return replace(state, typing=(*state.typing, seat))
    return state


def _welcome(state: PageState, frame: Welcome) -> PageState:
    known = state if frame.scene is None else PageState()
    return replace(
        known,
        episode=frame.episode,
        viewer=frame.viewer,
        seat=frame.seat,
        environment=frame.environment,
        stage_piece=frame.stage_piece,
        title=frame.title,
        scene=frame.scene or state.scene,
        waits="",
        typing=(),
    )


def _happen(state: PageState, found: Sequence[Happened]) -> PageState:
    fresh = tuple(one for one in found if one.version > state.version)
    if not fresh:
        return state
    for before, one in enumerate(fresh, start=state.version):
        if one.version != before + 1:
            raise Gap(before, one.version)
    last = fresh[-1]
    entries = tuple(entry for one in fresh for entry in one.entries)
    acted = {entry.seat for entry in entries}
    seats = next((one.seats for one in reversed(fresh) if one.seats is not None), state.seats)
    typing = tuple(seat for seat in state.typing if seat not in acted and not last.ended)
    return replace(
        state,
        version=last.version,
        happened=state.happened + fresh,
        entries=state.entries + entries,
        turn=last.turn,
        waiting=last.waiting,
        seats=seats,
        paused=last.paused,
        proposed=last.proposed,
        ended=last.ended,
        ending=last.ending,
        detail=last.detail,
        typing=typing,
    )
