"""Access control: the only functions that decide what a viewer may see.

A seat notices its own actions, what it perceives according to the rules, and its own talks: never
the plans, aims or knowledge of others, or a place that it does not know yet. Viewers without a seat
see on the map what everybody does and says; only the narrator and the judge know who has which
task.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from sys import intern
from typing import Final

from actors.episodes.port.rules import Happening
from actors.episodes.port.sight import Crowd, Sight, Viewer, setup_of
from actors.episodes.rules.failed_actions import failure_for
from actors.episodes.views.progress import beginning_of, check_viewer, course_of, noticed
from actors.sandbox.catalog_items import Inhabitant, Task
from actors.sandbox.map.grid import grid_of
from actors.sandbox.map.town_map import TownMap
from actors.sandbox.perception.known_map import grounds, known_map
from actors.sandbox.perception.perceive import places_in
from actors.sandbox.setup import (
    NAME,
    ActionStarted,
    AnyFact,
    Case,
    Departed,
    Happened,
    Noticed,
    Recap,
    Say,
    TalkClosed,
    TalkOpened,
    Told,
    Town,
)
from actors.sandbox.town.task_setup import known_at_first, spawns
from actors.sandbox.views import (
    Did,
    Narrated,
    Notice,
    Perceived,
    Person,
    Recapped,
    Resident,
    Said,
    Speaker,
    TalkBegun,
    TalkDone,
    TaskKnown,
    Unanswered,
    View,
)
from events.base import Event, replace
from events.episode import ActionFailure, ActionTaken, EpisodeStarted, TurnOpened, WorldChanged
from events.ids import derived_number
from events.serialization.identity_key import cached_by_identity

OMNISCIENT: Final = ("narrator", "judge")
"""Viewers who may know everything."""


@lru_cache(maxsize=64)
def _kept(texts: tuple[str, ...]) -> tuple[str, ...]:
    return texts


def _shared(notice: Perceived) -> Perceived:
    same: Perceived = replace(
        notice,
        seen=tuple([_same_person(one) for one in notice.seen]),
        learned=tuple(map(intern, notice.learned)),
    )
    return same


@lru_cache(maxsize=16384)
def _same_person(person: Person) -> Person:
    return person


@cached_by_identity(maxsize=64)
def names_of(setup: Town | Case) -> tuple[str, ...]:
    """Who is in the seats."""
    return tuple(one.id for one in people_of(setup))


def people_of(setup: Town | Case) -> tuple[Inhabitant, ...]:
    """Who is in the seats."""
    if isinstance(setup, Town):
        return setup.inhabitants
    return (setup.performer.inhabitant, setup.target.inhabitant)


class TownViewReducer:
    """What one viewer notices of a town, event by event. A seat's look at its own facts alone."""

    __slots__ = ("_at", "_map", "_names", "_seat", "_turn", "_viewer")

    def __init__(self, names: tuple[str, ...], viewer: Viewer, town: TownMap) -> None:
        self._names, self._viewer, self._map = names, viewer, town
        self._seat = viewer if isinstance(viewer, int) else None
        self._at = self._turn = 0

    def apply(self, number: int, event: Event) -> Sequence[Notice]:
        seat = self._seat
        match event:
            case WorldChanged(change=Happened() as change):
                return self._facts(number, change)
            case WorldChanged(change=Told(text=text, seats=seats)):
                return _told(number, self._turn, self._at, text, seats, self._viewer)
            case ActionTaken(action=Say() as say) if seat in (None, event.seat, say.to):
                return (
                    Said(
                        number=number,
                        turn=event.turn,
                        at=self._at,
                        seat=event.seat,
                        to=say.to,
                        text=say.text,
                        ends=say.ends,
                    ),
                )
            case ActionTaken(failure=ActionFailure()) if seat is None:
                return (_unanswered(number, event, self._at, self._viewer),)
            case TurnOpened(turn=turn, asked=asked):
                self._turn, self._at = turn, asked[0].question.at
        return ()

    def _facts(self, number: int, change: Happened) -> Sequence[Notice]:
        if self._seat is None:
            return self._all(number, change)
        own = _by_seat(change).get(self._seat)
        if own is None:
            return ()
        self._turn, self._at = change.turn, change.at
        found: list[Notice] = []
        for fact in own:
            if type(fact) is Departed:
                if found:
                    found = [_on_the_way(one, fact) for one in found]
            elif (notice := _notice(number, change, fact, self._names)) is not None:
                if type(notice) is Perceived and notice.learned:
                    notice = replace(notice, ground=grounds(self._map, notice.learned))
                found.append(notice)
        return found

    def _all(self, number: int, change: Happened) -> Sequence[Notice]:
        """What all do and say. What each perceives follows from where they are, and that a talk is
        over from what the two do."""
        went = {fact.seat: fact for fact in change.facts if isinstance(fact, Departed)}
        found = []
        for fact in change.facts:
            if isinstance(fact, Noticed | TalkClosed):
                continue
            notice = _notice(number, change, fact, self._names)
            if isinstance(notice, Did) and (walk := went.get(notice.seat)) is not None:
                notice = _on_the_way(notice, walk)
            if notice is not None:
                found.append(notice)
        return found


def _on_the_way(notice: Notice, walk: Departed) -> Notice:
    """What somebody does, with the way that they go for it."""
    if not isinstance(notice, Did):
        return notice
    same: Did = replace(notice, tile=walk.tile, way=walk.way)
    return same


def _notice(number: int, change: Happened, fact: AnyFact, names: tuple[str, ...]) -> Notice | None:
    turn, at = change.turn, change.at
    match fact:
        case ActionStarted():
            return Did(
                number=number,
                turn=turn,
                at=at,
                seat=fact.seat,
                text=fact.text,
                address=fact.address,
                emoji=fact.emoji,
                until=fact.until,
                fault=fact.fault,
            )
        case Noticed(seat=seat, seen=seen, learned=learned):
            people = tuple(
                [
                    Person(
                        seat=one.seat,
                        name=names[one.seat],
                        text=one.text,
                        address=one.address,
                        came=one.came,
                    )
                    for one in seen
                ]
            )
            return Perceived(
                number=number, turn=turn, at=at, seat=seat, seen=people, learned=learned
            )
        case TalkOpened(talk=talk, seats=(one, other)):
            both = (names[one], names[other])
            return TalkBegun(
                number=number, turn=turn, at=at, talk=talk, seats=(one, other), names=both
            )
        case TalkClosed():
            return TalkDone(
                number=number,
                turn=turn,
                at=at,
                talk=fact.talk,
                seats=fact.seats,
                about=fact.about,
                until=fact.until,
            )
    return None


class _Instant:
    """The last one that was looked at: as many look at it as it concerns, one after the other."""

    __slots__ = ("found",)

    def __init__(self) -> None:
        self.found: tuple[Happened, dict[int, list[AnyFact]]] | None = None


_instant: Final = _Instant()


def _by_seat(change: Happened) -> dict[int, list[AnyFact]]:
    """What happens in an instant, by whose it is."""
    latest = _instant.found
    if latest is not None and latest[0] is change:
        return latest[1]
    found: dict[int, list[AnyFact]] = {}
    for fact in change.facts:
        match fact:
            case TalkOpened(seats=seats) | TalkClosed(seats=seats):
                for seat in seats:
                    found.setdefault(seat, []).append(fact)
            case _:
                found.setdefault(fact.seat, []).append(fact)
    _instant.found = (change, found)
    return found


class CaseViewReducer:
    """What one viewer notices of a case."""

    __slots__ = ("_turn", "_viewer")

    def __init__(self, viewer: Viewer) -> None:
        self._viewer, self._turn = viewer, 0

    def apply(self, number: int, event: Event) -> Sequence[Notice]:
        match event:
            case TurnOpened(turn=turn):
                self._turn = turn
            case ActionTaken(action=Recap(text=text)) if self._viewer != 0:
                return (Recapped(number=number, turn=event.turn, seat=event.seat, text=text),)
            case ActionTaken(action=Say() as say):
                return (
                    Said(
                        number=number,
                        turn=event.turn,
                        at=0,
                        seat=event.seat,
                        to=1 - event.seat,
                        text=say.text,
                        ends=say.ends,
                    ),
                )
            case ActionTaken(failure=ActionFailure()) if not isinstance(self._viewer, int):
                return (_unanswered(number, event, 0, self._viewer),)
            case WorldChanged(change=Told(text=text, seats=seats)):
                return _told(number, self._turn, 0, text, seats, self._viewer)
        return ()


def _seen(
    history: Sequence[Event],
    viewer: Viewer,
    memory: str,
    setup: Town | Case,
    eyes: "TownViewReducer | CaseViewReducer",
) -> View:
    """What views of towns and of cases have in common."""
    seen = noticed(history, eyes)
    course, all_ = course_of(history), viewer in OMNISCIENT
    seated = isinstance(viewer, int)
    people = people_of(setup)
    known: tuple[Inhabitant, ...] = people
    if not all_:
        known = tuple(
            one if seat == viewer else public(one, seated) for seat, one in enumerate(people)
        )
    task = setup.task if all_ or viewer == 0 else None
    return View(
        viewer=viewer,
        people=known,
        start="",
        task=_task(task) if task else None,
        full_task=setup.task if all_ else None,
        noticed=seen,
        turn=course.turn,
        ended=course.ended,
        detail=course.detail if all_ else "",
        memory=memory if seated else "",
    )


def public(who: Inhabitant, seated: bool) -> Inhabitant:
    """Somebody as those may know them who watch; as others who live there do, by name. Made of
    what is known, so that a field that inhabitants get stays unknown."""
    if seated:
        return Inhabitant(id=who.id, first_name=who.first_name, last_name=who.last_name)
    return Inhabitant(
        id=who.id,
        first_name=who.first_name,
        last_name=who.last_name,
        age=who.age,
        occupation=who.occupation,
    )


def _task(task: Task) -> TaskKnown:
    return TaskKnown(goal=task.goal, brief=task.brief, criteria=task.description)


def _unanswered(number: int, taken: ActionTaken, at: int, viewer: Viewer) -> Unanswered:
    why = failure_for(taken.failure, viewer)
    return Unanswered(number=number, turn=taken.turn, at=at, seat=taken.seat, failure=why)


def _told(
    number: int, turn: int, at: int, text: str, seats: tuple[int, ...], viewer: Viewer
) -> Sequence[Narrated]:
    if seats and viewer not in (*seats, *OMNISCIENT):
        return ()
    shown = () if isinstance(viewer, int) else seats
    return (Narrated(number=number, turn=turn, at=at, text=text, seats=shown),)


class TownSight(Sight[Resident, View, Notice]):
    """Who may know what of a town."""

    def background(self, episode: str, started: EpisodeStarted, seat: int, memory: str) -> Resident:
        """Who a seat is, where, and what it knows of the town. Raises ``ValueError`` where there
        is no such seat."""
        check_viewer(seat, len(started.minds))
        setup = setup_of(started, Town)
        grid, settings = grid_of(setup.map), setup.settings
        return Resident(
            episode=episode,
            seat=seat,
            me=setup.inhabitants[seat],
            names=names_of(setup),
            world=setup.map.world,
            start=settings.start,
            step_s=settings.step_s,
            steps=settings.steps,
            rounds=settings.rounds,
            known=tuple(places_in(grid, known_at_first(setup)[seat])),
            place=grid.address(spawns(setup)[seat]),
            task=_task(setup.task) if setup.task and seat == 0 else None,
            seed=derived_number(str(settings.seed), NAME),
            prompt=settings.prompt,
            memory=memory,
        )

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> TownViewReducer:
        """Its own doings, what it perceives, its own talks."""
        check_viewer(viewer, len(started.minds))
        setup = setup_of(started, Town)
        return TownViewReducer(names_of(setup), viewer, setup.map)

    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> View:
        """The life so far. Raises ``ValueError`` where the history has no start or there is no such
        viewer."""
        started = beginning_of(history)
        setup = setup_of(started, Town)
        seen = _seen(history, viewer, memory, setup, self.reducer(started, viewer))
        settings, grid = setup.settings, grid_of(setup.map)
        if isinstance(viewer, int):
            own = known_at_first(setup)[viewer]
            seen = replace(
                seen,
                map=known_map(setup.map, own),
                known=tuple(places_in(grid, own)),
                tiles=tuple(
                    tile if seat == viewer else None for seat, tile in enumerate(spawns(setup))
                ),
                place=grid.address(spawns(setup)[viewer]),
            )
        else:
            seen = replace(seen, map=setup.map, tiles=spawns(setup))
        return replace(
            seen,
            start=settings.start,
            step_s=settings.step_s,
            steps=settings.steps,
            radius=settings.radius,
        )


class TownCrowd(Crowd[Resident, Notice]):
    """What comes of a turn's answers is told with the instant, to those whom it concerns."""

    answers_are_told = False

    def noticed_by(self, event: Happening) -> Collection[int] | None:
        """Whose doings, perceptions and talks it is about."""
        match event:
            case WorldChanged(change=Happened() as change):
                return _by_seat(change).keys()
            case WorldChanged(change=Told(seats=seats)):
                return seats or None
            case ActionTaken(seat=seat, action=Say(to=to)):
                return (seat, to)
            case ActionTaken() | TurnOpened():
                # What comes of other actions is noticed with the instant, which says when it is.
                return ()
        return None

    def shared(self, background: Resident) -> Resident:
        """Names and addresses are the same strings for all who know them."""
        same: Resident = replace(
            background,
            names=_kept(background.names),
            known=_kept(tuple(map(intern, background.known))),
        )
        return same

    def shared_news(self, news: Sequence[Notice]) -> Sequence[Notice]:
        """Those in view are the same as in the news of others who see them."""
        return [_shared(one) if isinstance(one, Perceived) else one for one in news]


class CaseSight(Sight[Speaker, View, Notice]):
    """Who may know what of a case."""

    def background(self, episode: str, started: EpisodeStarted, seat: int, memory: str) -> Speaker:
        """Who a seat is, and what came to its mind. Raises ``ValueError`` where there is no such
        seat."""
        check_viewer(seat, len(started.minds))
        case = setup_of(started, Case)
        own, other = (case.performer, case.target)[:: 1 if seat == 0 else -1]
        return Speaker(
            episode=episode,
            seat=seat,
            me=own.inhabitant,
            names=names_of(case),
            start=case.at,
            rounds=case.rounds,
            doing=own.doing,
            place=own.address,
            partner_doing=other.doing,
            memories=own.memories,
            schedule=own.schedule,
            task=_task(case.task) if seat == 0 else None,
            seed=derived_number(str(case.seed), case.id, NAME),
            prompt=case.prompt,
            memory=memory,
        )

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> CaseViewReducer:
        """What is said; what came of it the performer does not notice."""
        check_viewer(viewer, len(started.minds))
        return CaseViewReducer(viewer)

    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> View:
        """The talk so far. Raises ``ValueError`` where the history has no start or there is no such
        viewer."""
        started = beginning_of(history)
        case = setup_of(started, Case)
        seen = _seen(history, viewer, memory, case, self.reducer(started, viewer))
        partner = (case.performer, case.target)[viewer] if isinstance(viewer, int) else None
        place = partner.address if partner else ""
        return replace(seen, start=case.at, place=place)


class CaseCrowd(Crowd[Speaker, Notice]):
    """Two talk."""

    answers_are_told = False


TOWN: Final = TownSight()
TOWN_CROWD: Final = TownCrowd()
CASE: Final = CaseSight()
CASE_CROWD: Final = CaseCrowd()
