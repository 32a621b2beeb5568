"""What one viewer of an episode is told of each event: the frames ``Happened``, numbered 1, 2, 3, …
as the history alone says, so that every gateway numbers them alike."""

import copy
from collections.abc import Sequence
from typing import Final

import msgspec

from actors.episodes.port.sight import Notice, Viewer
from actors.episodes.port.words import Account, Entry, Portrait
from actors.episodes.registry import environment_of, game_of
from actors.episodes.rules.failed_actions import failed_action, with_failures
from events.base import Event, replace
from events.episode import (
    ActionProposed,
    ActionTaken,
    EpisodeForked,
    EpisodeStarted,
    SeatReleased,
    SeatTaken,
)
from gateway.services.viewers.episode_progress import EpisodeProgress
from gateway.services.viewers.frames import Happened, Scene

KNOWING_ALL: Final = frozenset({"narrator", "judge"})
"""Viewers from whom nothing is kept."""
_RESEATING: Final = (EpisodeStarted, EpisodeForked, SeatTaken, SeatReleased)


def scene_of(started: EpisodeStarted, viewer: Viewer, memory: str = "") -> Scene:
    """What a viewer knows before the first turn. ``memory``: of a seat, what it remembers of
    earlier episodes, in words."""
    game = game_of(started)
    view = game.sight.view([started], viewer, memory)
    account = game.words.account(view)
    return Scene(
        situation=account.situation,
        portraits=account.portraits,
        relationships=account.relationships,
        notes=account.notes,
        opening=view,
    )


class FrameBuilder:
    """Tells one viewer, event by event."""

    __slots__ = (
        "_environment",
        "_eyes",
        "_game",
        "_others",
        "_portraits",
        "_proposed",
        "_shown",
        "_write",
        "course",
        "knows_all",
        "version",
        "viewer",
    )

    def __init__(
        self, started: EpisodeStarted, viewer: Viewer, portraits: tuple[Portrait, ...] = ()
    ) -> None:
        """``portraits``: those of the scene, by which failures are told to a narrator. Raises
        ``ValueError`` where there is no such seat, ``UnknownEnvironment``."""
        self._environment, self._game = environment_of(started), game_of(started)
        self._eyes = self._game.sight.reducer(started, viewer)
        self._write = self._game.words.entry_writer(started, viewer)
        self._portraits = portraits
        self._proposed: dict[tuple[int, int], tuple[Entry, ...]] = {}
        """What minds proposed in the open turn, in words."""
        self.viewer = viewer
        self.knows_all = viewer in KNOWING_ALL
        self.course = EpisodeProgress()
        """How the episode stands as far as it was told."""
        self._others = [
            self._game.sight.reducer(started, seat)
            for seat in range(len(started.minds))
            if self.knows_all and self._game.crowd.answers_are_told
        ]
        """The eyes of those who play, for who knows everything to be told what is hidden from
        them."""
        self.version = 0
        """The last one given to a frame."""
        self._shown: tuple[int, tuple[int, ...], str] = (0, (), "")
        """Turn, who is asked, and ending, as the viewer was told last."""

    def tell(self, number: int, event: Event, at: int) -> Happened | None:
        """What the viewer is told of event ``number`` of the history, which happened, or is to be
        seen, ``at`` so many microseconds since 1970-01-01 UTC; None: nothing."""
        if isinstance(event, ActionProposed) and self.knows_all:
            self._propose(number, event)
        notices = tuple(self._eyes.apply(number, event))
        self.course.apply(event, at)
        return self._all(number, event, at, notices) if self.knows_all else self._some(at, notices)

    def _all(self, number: int, event: Event, at: int, notices: Sequence[Notice]) -> Happened:
        course = self.course
        self.version += 1
        state = course.state
        proposed = [
            entry
            for one in state.proposed
            for entry in self._proposed.get((one.seat, one.question), ())
        ]
        return Happened(
            version=self.version,
            number=number,
            tag=type(event).__name__,
            at=at,
            turn=state.turn,
            entries=self._entries(number, event, notices),
            notices=tuple(notices),
            waiting=state.waiting,
            seats=course.seated() if isinstance(event, _RESEATING) else None,
            paused=state.paused,
            proposed=tuple(proposed),
            by=getattr(event, "by", ""),
            unnoticed=self._unnoticed(number, event),
            ended=course.ended,
            ending=self._ending(),
            detail=course.detail,
        )

    def _some(self, at: int, notices: Sequence[Notice]) -> Happened | None:
        course = self.course
        waiting = () if course.ended else self._known_to_be_asked()
        turn = course.state.turn
        shown = (turn, waiting, course.ended)
        if not notices and shown == self._shown:
            return None
        self._shown = shown
        self.version += 1
        return Happened(
            version=self.version,
            at=at,
            turn=turn,
            entries=tuple(replace(self._write(one), number=self.version) for one in notices),
            notices=tuple(_numbered(one, self.version) for one in notices),
            waiting=waiting,
            ended=course.ended,
            ending=self._ending(),
        )

    def _ending(self) -> str:
        ended = self.course.ended
        return self._environment.ending_for(self.viewer, ended) if ended else ""

    def _known_to_be_asked(self) -> tuple[int, ...]:
        """The seats that the turn asks, as far as the viewer may know: who has answered already is
        nobody's business before the turn is closed."""
        course = self.course
        known = self._game.presentation.turns_are_public or course.seats == 1
        asked = dict.fromkeys(one.seat for one in course.asked)
        return tuple(seat for seat in asked if known or seat == self.viewer)

    def _entries(self, number: int, event: Event, notices: Sequence[Notice]) -> tuple[Entry, ...]:
        entries = tuple(map(self._write, notices))
        failed = failed_action(number, event)
        if failed is None or self.viewer != "narrator":
            return entries
        told = Account(
            situation="", portraits=self._portraits, entries=entries, turn=self.course.state.turn
        )
        return with_failures(told, (failed,)).entries

    def _unnoticed(self, number: int, event: Event) -> bool:
        """Whether an event is an action that no other seat notices when it is taken."""
        if not self._game.crowd.answers_are_told:
            return False
        noticed = [
            seat
            for seat, eyes in enumerate(self._others)
            if any(notice.number == number for notice in eyes.apply(number, event))
        ]
        return isinstance(event, ActionTaken) and noticed in ([], [event.seat])

    def _propose(self, number: int, event: ActionProposed) -> None:
        """What would be told if it were taken."""
        taken = ActionTaken(
            turn=event.turn,
            seat=event.seat,
            question=event.question,
            action=event.action,
            failure=event.failure,
        )
        notices = copy.copy(self._eyes).apply(number, taken)
        entries = self._entries(number, taken, notices)
        self._proposed[event.seat, event.question] = entries


def _numbered(notice: Notice, number: int) -> object:
    """A notice of which nobody can tell how much happened unseen before it."""
    if isinstance(notice, msgspec.Struct) and hasattr(notice, "number"):
        return replace(notice, number=number)
    return notice
