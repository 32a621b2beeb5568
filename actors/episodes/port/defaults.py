"""Default parts for games with little hidden information: all viewers see the setup, except for
what the game hides, and all of them notice the same events."""

import abc
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from actors.episodes.port.prompts import Prompt, Prompts
from actors.episodes.port.sight import Notice, OpenSight, Viewer
from actors.episodes.port.words import OTHER_ENDINGS, Account, Entry, EpisodeWords, Portrait
from actors.episodes.views.progress import beginning_of, check_viewer, course_of, noticed
from events.base import Event, Value
from events.environments import Action, Question, Setup
from events.episode import EpisodeStarted, TurnOpened

S = TypeVar("S", bound=Setup)
Q = TypeVar("Q", bound=Question)
A = TypeVar("A", bound=Action)
B = TypeVar("B")
N = TypeVar("N", bound=Notice)


class PlainView(Value, Generic[S, N], frozen=True, kw_only=True):
    """An episode as a viewer sees it; a seat's background is this view at the beginning. Each game
    defines a subclass."""

    viewer: Viewer
    setup: S
    """As far as the viewer may know it."""
    noticed: tuple[N, ...] = ()
    """In order."""
    turn: int = 0
    """The last turn opened."""
    ended: str = ""
    """The ending's name; empty while it goes on."""
    detail: str = ""
    """More about the end; for narrator and judge."""


class PlainSight(OpenSight[PlainView[S, N], N]):
    """What is noticed of an event, and what of the setup a viewer may know."""

    view_type: ClassVar[type]
    """The game's subclass of ``PlainView``."""

    @abc.abstractmethod
    def notice(self, number: int, turn: int, event: Event) -> N | None:
        """What everybody notices of an event that happened in a turn; None: nothing."""

    @abc.abstractmethod
    def shown(self, setup: S, viewer: Viewer) -> S:
        """The setup as a viewer may know it: at least without a seed that decides anything."""

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> "EachEvent[N]":
        check_viewer(viewer, len(started.minds))
        return EachEvent(self.notice)

    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> PlainView[S, N]:
        """All that was noticed."""
        started, course = beginning_of(history), course_of(history)
        view: PlainView[S, N] = self.view_type(
            viewer=viewer,
            setup=self.shown(started.setup, viewer),
            noticed=noticed(history, self.reducer(started, viewer)),
            turn=course.turn,
            ended=course.ended,
            detail=course.detail if viewer in ("narrator", "judge") else "",
        )
        return view


class EachEvent(Generic[N]):
    """Eyes that remember nothing but the turn."""

    def __init__(self, notice: Callable[[int, int, Event], N | None]) -> None:
        self._notice, self._turn = notice, 0

    def apply(self, number: int, event: Event) -> Sequence[N]:
        """What is noticed of an event."""
        if isinstance(event, TurnOpened):
            self._turn = event.turn
        found = self._notice(number, self._turn, event)
        return () if found is None else (found,)


class PlainWords(EpisodeWords[PlainView[S, N], N]):
    """A line a notice."""

    endings: ClassVar[Mapping[str, str]]
    """The environment's."""

    @abc.abstractmethod
    def situation(self, setup: S) -> str:
        """What is given before the first turn."""

    @abc.abstractmethod
    def names(self, setup: S) -> Sequence[str]:
        """Who is in the seats."""

    @abc.abstractmethod
    def line(self, setup: S, notice: N) -> str:
        """What was noticed, as a line of a transcript."""

    def account(self, view: PlainView[S, N]) -> Account:
        """The view, a line a notice."""
        setup, write = view.setup, self._writer(view.setup)
        ends = {**self.endings, **OTHER_ENDINGS}
        return Account(
            situation=self.situation(setup),
            portraits=tuple(
                Portrait(seat=seat, name=who) for seat, who in enumerate(self.names(setup))
            ),
            entries=tuple(map(write, view.noticed)),
            turn=view.turn,
            ended=view.ended,
            ending=ends.get(view.ended, view.ended),
            detail=view.detail,
        )

    def entry_writer(self, started: EpisodeStarted, viewer: Viewer) -> Callable[[N], Entry]:
        """Makes the line of a notice."""
        return self._writer(started.setup)

    def _writer(self, setup: S) -> Callable[[N], Entry]:
        return lambda notice: Entry(
            number=notice.number, turn=notice.turn, line=self.line(setup, notice)
        )


class PlainPrompts(Prompts[Q, A, B, N]):
    """A prompt is written anew for each question."""

    @abc.abstractmethod
    def prompt(self, background: B, question: Q, noticed: Sequence[N]) -> Prompt:
        """The words for one question. ``noticed``: all that the seat noticed so far."""

    def writer(self, background: B) -> "EachQuestion[Q, A, B, N]":
        """Keeps nothing between questions."""
        return EachQuestion(self, background)


class EachQuestion(Generic[Q, A, B, N]):
    """Writes the prompts of one seat."""

    def __init__(self, prompts: PlainPrompts[Q, A, B, N], background: B) -> None:
        self._prompts, self._background = prompts, background

    def prompt(self, question: Q, noticed: Sequence[N], turn: int) -> Prompt:
        """The words for one question."""
        del turn
        return self._prompts.prompt(self._background, question, noticed)
