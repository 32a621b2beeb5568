"""The stage page as a value: computed once, rendered by its template."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from actors.episodes.port.sight import Viewer
from actors.episodes.registry import game_of
from evaluators.guesses import Guesses
from events.base import Value
from events.episode import EpisodeStarted
from events.untrusted.safe_text import shortened
from gateway.http.guards import Forbidden
from gateway.http.problems import Problem
from gateway.pages.stage.transcript_items import TranscriptItem, items_of
from gateway.services.access.roles import Principal
from gateway.services.episodes.episode_details import parse_viewer, read_begun
from gateway.services.episodes.episode_scores import Scores, scores_of
from gateway.services.episodes.fork_tree import Family, family_of
from gateway.services.episodes.guesses import guesses_in
from gateway.services.viewers.frames import Happened, Seated
from gateway.services.viewers.viewer_frames import StartedEpisode, ViewerFrames, told_to
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EpisodeRow

WINDOW: Final = 80
"""Pieces of a transcript that are in a page at once."""


class ViewerOption(Value, frozen=True, kw_only=True):
    """Somebody through whose eyes the episode can be looked at."""

    viewer: str
    """As addresses have it: ``narrator``, ``spectator``, or a seat from 1."""
    name: str
    seat: int | None = None
    current: bool = False


class SeatCard(Value, frozen=True, kw_only=True):
    """A seat, as it stood at the event that is looked at."""

    seat: int
    name: str
    brief: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    goal: str = ""
    secret: str = ""
    seated: Seated | None = None
    """Who sits there; for those who know everything."""
    asked: bool = False
    """It is asked something."""


class StageStatus(Value, frozen=True, kw_only=True):
    """How the episode stood at an event."""

    mark: int | None
    """That of the event; None: before the first."""
    at: int = 0
    turn: int = 0
    waiting: tuple[int, ...] = ()
    paused: bool = False
    ended: str = ""
    ending: str = ""
    proposed: tuple[str, ...] = ()


class Marks(Value, frozen=True, kw_only=True):
    """Where the scrubber leads without a script."""

    first: int | None = None
    before: int | None = None
    after: int | None = None
    last: int | None = None
    """None: at the last event, where nothing leads on."""


class StagePage(Value, frozen=True, kw_only=True):
    """Everything that the template shows."""

    id: str
    title: str
    environment: str
    knows_all: bool
    name: str
    """Whoever looks; empty for those who do not know everything."""
    row: EpisodeRow | None
    """For those who know everything."""
    mark: str
    """How it is played, where that is not as usual; for those who know everything."""
    eyes: tuple[ViewerOption, ...]
    viewer: str
    situation: str
    relationships: tuple[str, ...]
    notes: tuple[tuple[str, str], ...]
    seats: tuple[SeatCard, ...]
    items: tuple[TranscriptItem, ...]
    """Those in the window, which ends at the event that is looked at."""
    earlier: int | None
    """The mark at which an earlier window would end; None: there is none."""
    began: int
    """When it did, in microseconds since 1970-01-01 UTC."""
    standing: StageStatus
    marks: Marks
    count: int
    """Events there are, as the viewer was told."""
    place: int
    """How many of them there were at the event that is looked at."""
    scores: Scores | None = None
    family: Family | None = None
    guesses: Guesses | None = None
    """What a watcher of the environment's guesses at the event that is looked at; for those who
    know everything."""


class Watched(NamedTuple):
    """An episode that somebody may look at, and through whose eyes they do."""

    row: EpisodeRow
    begun: StartedEpisode
    viewer: Viewer
    principal: Principal


class NotBegun(Exception):
    """The episode is planned, and there is nothing to be seen."""

    def __init__(self, row: EpisodeRow) -> None:
        super().__init__(row.id)
        self.row = row


def watched(store: EventStore, given: str, viewer: str, principal: Principal) -> Watched:
    """An episode as somebody wants to look at it. ``viewer``: as addresses have it; empty: as they
    may. Raises ``Forbidden``, ``Problem``, ``NotBegun``, ``UnknownId``, ``BadArgument``."""
    if not principal.knows_all and not principal.may_watch(given):
        # Whether there is such an episode is nothing to tell them.
        raise Forbidden(principal, "this is not the episode that you may watch")
    row = queries.episode(store, given)
    if row.started_at is None and row.status != "failed":
        raise NotBegun(row)
    history = read_begun(store, row)
    first = history[0].event
    if not isinstance(first, EpisodeStarted):
        raise Problem(404, "nothing_to_show", f"no beginning is stored of {shortened(row.id)}")
    started = first
    who = parse_viewer(viewer or _own(principal), len(started.minds))
    if not principal.knows_all and who != parse_viewer(_own(principal), len(started.minds)):
        raise Forbidden(principal, "you may look at this episode through your own eyes only")
    return Watched(row, StartedEpisode(started, history), who, principal)


def mark_of(text: str) -> int | None:
    """A mark as addresses and forms have it; None: there is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def _own(principal: Principal) -> str:
    if principal.knows_all:
        return "narrator"
    return "spectator" if principal.seat is None else str(principal.seat + 1)


def stage_page(
    store: EventStore,
    seen: Watched,
    *,
    at: int | None,
    judge: str = "",
    lit: str = "",
    data_dir: Path | None = None,
) -> StagePage:
    """The page at an event; ``at`` is a mark, None: at the last one. ``data_dir``: where
    environments' own files may be (``guesses_in``); None: nobody guesses. Raises as ``told_to``."""
    row, begun, viewer, principal = seen
    knows_all = principal.knows_all
    told = told_to(store, begun, viewer, knows_all=knows_all)
    place = told.place_of(at)
    items = items_of(told.happened[:place], told.marks[:place], told.scene.portraits, viewer)
    window = items[-WINDOW:]
    standing = _standing(told, place)
    narrator = viewer == "narrator"
    return StagePage(
        id=row.id,
        title=_title(begun.started, knows_all),
        environment=begun.started.environment,
        knows_all=knows_all,
        name=principal.name if knows_all else "",
        row=row if knows_all else None,
        mark=_mark(begun.started) if knows_all else "",
        eyes=_eyes(begun.started, viewer, knows_all),
        viewer=address_of(viewer),
        situation=told.scene.situation,
        relationships=told.scene.relationships,
        notes=told.scene.notes,
        seats=_seats(told, place, standing),
        items=window,
        earlier=_earlier(items, window, told.marks),
        began=begun.history[0].envelope.recorded_at,
        standing=standing,
        marks=_marks(told.marks, place),
        count=len(told.happened),
        place=place,
        scores=scores_of(store, row.id, judge, lit) if knows_all and narrator else None,
        family=family_of(store, row.id) if knows_all else None,
        guesses=(
            guesses_in(begun.history, row.environment, at, data_dir)
            if knows_all and data_dir is not None
            else None
        ),
    )


def address_of(viewer: Viewer) -> str:
    """A viewer as addresses have it."""
    return str(viewer + 1) if isinstance(viewer, int) else viewer


def _mark(started: EpisodeStarted) -> str:
    return game_of(started).presentation.mark(started.setup)


def _title(started: EpisodeStarted, knows_all: bool) -> str:
    # What a scenario is called can give a goal away.
    return (started.title or started.scenario) if knows_all else ""


def _eyes(started: EpisodeStarted, viewer: Viewer, knows_all: bool) -> tuple[ViewerOption, ...]:
    if not knows_all:
        return ()
    game = game_of(started)
    portraits = game.words.account(game.sight.view([started], "narrator")).portraits
    names: list[tuple[Viewer, str]] = [("narrator", "Narrator"), ("spectator", "Spectator")]
    names += [(portrait.seat, portrait.name) for portrait in portraits]
    return tuple(
        ViewerOption(
            viewer=address_of(one),
            name=name,
            seat=one if isinstance(one, int) else None,
            current=one == viewer,
        )
        for one, name in names
    )


def _standing(told: ViewerFrames, place: int) -> StageStatus:
    if not place:
        return StageStatus(mark=None)
    one = told.happened[place - 1]
    return StageStatus(
        mark=told.marks[place - 1],
        at=one.at,
        turn=one.turn,
        waiting=one.waiting,
        paused=one.paused,
        ended=one.ended,
        ending=one.ending,
        proposed=tuple(entry.line for entry in one.proposed),
    )


def _seats(told: ViewerFrames, place: int, standing: StageStatus) -> tuple[SeatCard, ...]:
    seated = seated_at(told.happened[:place])
    return tuple(
        SeatCard(
            seat=portrait.seat,
            name=portrait.name,
            brief=tuple(filter(None, portrait.brief)),
            facts=portrait.facts,
            goal=portrait.goal,
            secret=portrait.secret,
            seated=next((one for one in seated if one.seat == portrait.seat), None),
            asked=portrait.seat in standing.waiting,
        )
        for portrait in told.scene.portraits
    )


def seated_at(happened: Sequence[Happened]) -> tuple[Seated, ...]:
    """Who sat where at the end of what happened."""
    return next((one.seats for one in reversed(happened) if one.seats is not None), ())


def _earlier(
    items: Sequence[TranscriptItem], window: Sequence[TranscriptItem], marks: Sequence[int]
) -> int | None:
    if len(window) == len(items):
        return None
    before = [mark for mark in marks if mark < window[0].mark]
    return before[-1] if before else None


def _marks(marks: Sequence[int], place: int) -> Marks:
    return Marks(
        first=marks[0] if place > 1 else None,
        before=marks[place - 2] if place > 1 else None,
        after=marks[place] if place < len(marks) else None,
        last=marks[-1] if place < len(marks) else None,
    )
