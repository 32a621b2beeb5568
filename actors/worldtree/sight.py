"""Access control: the only functions that decide what a viewer may see of a walk or an inquiry.

The seat notices narration, entrances, what others say and, where it is told, what it chose itself:
never an id, an ability, what a line or an ending counts for, its own other answers, or what
follows. The reasons for its choices, which may reveal hidden information, are only for the narrator
and the judge.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from actors.episodes.port.sight import Sight, Viewer, setup_of
from actors.episodes.rules.failed_actions import failure_for
from actors.episodes.views.progress import beginning_of, check_viewer, course_of, noticed
from actors.worldtree import rules
from actors.worldtree.catalog_items import Sample
from actors.worldtree.rules import RULES
from actors.worldtree.setup import NAME, Chose, Inquiry, Settings, Stepped, Walk, came_of
from actors.worldtree.trees.tree import (
    Beat,
    Entrance,
    Language,
    Line,
    Profile,
    Tree,
    says_something,
)
from actors.worldtree.views import ChoiceBackground, Notice, SeenEntrance, SeenLine, SeenVote, View
from events.base import Event, replace
from events.environments import Setup
from events.episode import ActionTaken, EpisodeEnded, EpisodeStarted, TurnOpened, WorldChanged
from events.ids import derived_number

OMNISCIENT: Final = ("narrator", "judge")
"""Viewers who may know everything."""


def language_of(settings: Settings, own: Language) -> Language:
    """The language of the prompts about a story whose own is ``own``."""
    return own if settings.prompts == "own" else settings.prompts


def seed_of(settings: Settings) -> int:
    """The seed that a seat is told: it is not the one that decides in which order options stand,
    nor does it tell that."""
    return derived_number(str(settings.seed), NAME)


class StoryViewReducer:
    """What one viewer notices, event by event."""

    __slots__ = ("_seat", "_told", "_turn", "_viewer", "_world")

    def __init__(self, setup: Walk | Inquiry, viewer: Viewer) -> None:
        """Raises ``ValueError`` where there is no such seat."""
        check_viewer(viewer, 1)
        self._world = RULES.initial(setup)
        self._viewer, self._seat = viewer, isinstance(viewer, int)
        self._told = setup.settings.told or not self._seat
        self._turn = 0

    def apply(self, number: int, event: Event) -> Sequence[Notice]:
        match event:
            case TurnOpened(turn=turn):
                first, self._turn = not self._turn, turn
                return self._scene(number) if first else ()
            case ActionTaken():
                return () if self._seat else (self._vote(number, event),)
            case WorldChanged(change=Stepped() as step):
                return self._step(number, event, step)
        return ()

    def _step(self, number: int, event: WorldChanged, step: Stepped) -> Sequence[Notice]:
        world = self._world
        if not isinstance(world, rules.WalkWorld):
            raise TypeError("an inquiry has no steps")
        line = rules.choice_of(world).lines[step.edge]
        self._world = RULES.evolve(world, event)
        scene = self._scene(number)
        if not self._told:
            return scene
        said = SeenLine(
            number=number,
            turn=self._turn,
            role=line.role,
            text=line.text,
            chosen=True,
            votes=0 if self._seat else step.votes,
        )
        return (said, *scene)

    def _scene(self, number: int) -> Sequence[Notice]:
        world = self._world
        if not isinstance(world, rules.WalkWorld):
            return ()
        shown = world.plot.places[world.path[-1]].shown
        return [_notice(number, self._turn, beat) for beat in shown]

    def _vote(self, number: int, taken: ActionTaken) -> SeenVote:
        action, failure = taken.action, taken.failure
        text = why = ""
        if isinstance(action, Chose):
            place = rules.filed(self._world, taken.question, action.option)
            text = rules.choice_of(self._world).lines[place].text
            why = action.why if self._viewer in OMNISCIENT else ""
        return SeenVote(
            number=number,
            turn=taken.turn,
            question=taken.question,
            text=text,
            why=why,
            failure=failure_for(failure, self._viewer),
        )


def plain_setup(started: EpisodeStarted) -> Walk | Inquiry:
    """The setup of a walk or an inquiry. Raises ``TypeError`` where it is neither."""
    setup = setup_of(started, Setup)
    if not isinstance(setup, Walk | Inquiry):
        raise TypeError(f"the setup is a {type(setup).__name__}, neither a walk nor an inquiry")
    return setup


def story_of(started: EpisodeStarted) -> Tree | Sample:
    """What is told in an episode."""
    setup = plain_setup(started)
    return setup.tree if isinstance(setup, Walk) else setup.sample


def _outcome(history: Iterable[Event]) -> str:
    for event in history:
        if isinstance(event, EpisodeEnded):
            return came_of(event.summary)
    return ""


def _notice(number: int, turn: int, beat: Beat) -> SeenLine | SeenEntrance:
    if isinstance(beat, Line):
        return SeenLine(number=number, turn=turn, role=beat.role, text=beat.text)
    return SeenEntrance(number=number, turn=turn, profile=known(beat.profile))


def known_beats(beats: Sequence[Beat]) -> tuple[Beat, ...]:
    """What happened, with who entered as everybody may know them."""
    return tuple(
        Entrance(profile=known(beat.profile)) if isinstance(beat, Entrance) else beat
        for beat in beats
        if says_something(beat)
    )


def own(profile: Profile) -> Profile:
    """A character as it knows itself: what it is labelled with is for tables."""
    return replace(known(profile), private=profile.private, goal=profile.goal)


def known(profile: Profile) -> Profile:
    """A character as everybody may know it. Made of what is known, so that a field that profiles
    get stays unknown."""
    return Profile(
        name=profile.name, alias=profile.alias, identity=profile.identity, public=profile.public
    )


class ChoiceSight(Sight[ChoiceBackground, View, Notice]):
    """Scenes and chosen lines; who has no seat notices the answers, too."""

    def background(
        self, episode: str, started: EpisodeStarted, seat: int, memory: str
    ) -> ChoiceBackground:
        """Who the seat is, what it wants, and what it knows before the first turn. Raises
        ``ValueError`` where there is no such seat."""
        check_viewer(seat, 1)
        setup = plain_setup(started)
        story, settings = story_of(started), setup.settings
        return ChoiceBackground(
            episode=episode,
            seat=seat,
            language=story.language,
            prompts=language_of(settings, story.language),
            protagonist=own(story.protagonist),
            cast=tuple(map(known, story.cast)),
            scenario=story.scenario,
            before=() if isinstance(setup, Walk) else known_beats(setup.sample.before),
            reasks=settings.reasks,
            seed=seed_of(settings),
            prompt=settings.prompt,
        )

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> StoryViewReducer:
        """What ``viewer`` notices. Raises ``ValueError`` where there is no such seat."""
        return StoryViewReducer(plain_setup(started), viewer)

    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> View:
        """A whole history, or its first events, as ``viewer`` may see it. Raises ``ValueError``
        where the history has no start or there is no such viewer."""
        started = beginning_of(history)
        setup = plain_setup(started)
        seen = noticed(history, StoryViewReducer(setup, viewer))
        turn, ended, detail = course_of(history)
        knows_all, seat = viewer in OMNISCIENT, isinstance(viewer, int)
        story = story_of(started)
        inquiry = setup.sample if isinstance(setup, Inquiry) else None
        return View(
            viewer=viewer,
            language=story.language,
            protagonist=own(story.protagonist) if knows_all or seat else known(story.protagonist),
            cast=story.cast if knows_all else tuple(map(known, story.cast)),
            scenario=story.scenario,
            before=known_beats(inquiry.before) if inquiry else (),
            question=inquiry.question if inquiry else "",
            right=inquiry.right.text if inquiry and knows_all else "",
            noticed=seen,
            turn=turn,
            ended=ended,
            detail=detail if knows_all else "",
            outcome=_outcome(history) if knows_all else "",
        )


SIGHT: Final = ChoiceSight()
