"""Access control: the only functions that decide what a viewer may see of an episode.

Prompts, observations, websockets, transcripts, reports and exports all use these functions. Who
sees what of whom follows SOTOPIA (Zhou et al. 2024), section 2.1: strangers see nothing of each
other, who knows somebody by name sees the name, an acquaintance also occupation, pronouns and
public information; friends, partners and family see all but the secret. Players and judges are
never shown which minds play.

Where an episode is omniscient (``EpisodeRules.mode``), every seat sees the profile of all, secret
included, and the goal of all, as each may read its own; whispers, the stories of others and what is
for the environment alone stay hidden. A mind that writes for all seats is given the whole setup in
``Background.play``; what a seat may see stays what it would be if somebody played it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

import msgspec

from actors.episodes.port.sight import Crowd, Sight, Viewer, setup_of
from actors.episodes.rules.failed_actions import failure_for
from actors.episodes.views.progress import beginning_of, check_viewer, course_of, noticed
from actors.social import markup
from actors.social.catalog_items import BigFive, Character, RelationshipKind
from actors.social.modes import SCRIPTED
from actors.social.narration import LABEL, NARRATED, NARRATOR, Narrated
from actors.social.setup import SeatRelationship, SocialSetup
from actors.social.views import Background, OtherSeat, Profile, SeenAction, SeenRelationship, View
from events.base import Event
from events.episode import ActionTaken, EpisodeStarted, TurnOpened, WorldChanged

_Part = TypeVar("_Part")
_NAME = ("name",)
_ACQUAINTED = (*_NAME, "occupation", "pronouns", "public_info")
_CLOSE = (
    *_ACQUAINTED,
    "age",
    "gender",
    "personality",
    "big_five",
    "moral_values",
    "schwartz_values",
    "decision_style",
)
_ALL = (*_CLOSE, "secret")

SEEN_OF_OTHERS: Final[Mapping[RelationshipKind, tuple[str, ...]]] = {
    RelationshipKind.STRANGER: (),
    RelationshipKind.KNOWN_BY_NAME: _NAME,
    RelationshipKind.ACQUAINTANCE: _ACQUAINTED,
    RelationshipKind.FRIEND: _CLOSE,
    RelationshipKind.ROMANTIC: _CLOSE,
    RelationshipKind.FAMILY: _CLOSE,
}
"""What of a character is visible to somebody who stands to them like this."""

SEEN_BY_SPECTATORS: Final = _ACQUAINTED
"""A spectator sees of everybody what an acquaintance does."""

_STORY_TOLD: Final = frozenset(SEEN_OF_OTHERS) - {
    RelationshipKind.STRANGER,
    # A story tells what people do and like; who knows but a name is to know no more than it.
    RelationshipKind.KNOWN_BY_NAME,
}


@lru_cache(maxsize=4096)
def _kept_once(part: _Part) -> _Part:
    return part


class SocialReducer:
    """What one viewer notices, action by action.

    Where all act at once, nobody notices the others before the turn is closed, nor what a narrator
    tells meanwhile. A seat that has left notices nothing from that turn on but its own going.
    """

    __slots__ = (
        "_at_once",
        "_held",
        "_knows_all",
        "_labels",
        "_left",
        "_open",
        "_turn",
        "_viewer",
    )

    def __init__(self, setup: SocialSetup, viewer: Viewer) -> None:
        """Raises ``ValueError`` where there is no such seat."""
        check_viewer(viewer, len(setup.cast))
        self._viewer = viewer
        self._labels = labels(setup, viewer)
        self._knows_all = viewer in ("narrator", "judge")
        self._at_once = setup.rules.order == "simultaneous" and not self._knows_all
        self._turn = 0
        self._open = 0
        """Who still has to act in the turn, where all act at once."""
        self._left = False
        self._held: list[SeenAction] = []
        """What is noticed when the turn is closed."""

    def apply(self, number: int, event: Event) -> Sequence[SeenAction]:
        match event:
            case ActionTaken():
                return self._acted(number, event)
            case TurnOpened(turn=turn, asked=asked):
                self._turn = turn
                if self._at_once:
                    self._open = len(asked)
            case WorldChanged(change=Narrated() as told):
                return self._told(number, told)
        return ()

    def _told(self, number: int, told: Narrated) -> Sequence[SeenAction]:
        heard = self._knows_all or not told.seats or self._viewer in told.seats
        if self._left or not heard:
            return ()
        line = SeenAction(
            number=number,
            turn=self._turn,
            seat=NARRATOR,
            label=LABEL,
            kind=NARRATED,
            text=told.text,
            whisper=bool(told.seats),
            to=told.seats,
        )
        if self._at_once and self._open > 0:
            self._held.append(line)
            return ()
        return (line,)

    def _acted(self, number: int, taken: ActionTaken) -> Sequence[SeenAction]:
        own = taken.seat == self._viewer
        line = _line(number, taken, self._viewer, self._labels[taken.seat])
        if own:
            self._left = self._left or taken.action.kind == "leave"
        elif self._left:
            line = None
        if not self._at_once:
            return () if line is None else (line,)
        self._open -= 1
        told = [line] if own and line is not None else []
        if not own and line is not None:
            self._held.append(line)
        if self._open <= 0:
            if not self._left:
                told = [*self._held, *told]
            self._held = []
        return told


def labels(setup: SocialSetup, viewer: Viewer) -> tuple[str, ...]:
    """How ``viewer`` calls each seat: by name where it may know it, else ``Person 2``, …

    No two seats are called the same.
    """
    names = []
    for seat, character in enumerate(setup.cast):
        stranger = (
            isinstance(viewer, int)
            and setup.rules.mode != "omniscient"
            and seat != viewer
            and _relationship(setup, viewer, seat).kind == RelationshipKind.STRANGER
        )
        names.append(_person(seat) if stranger else character.name)
    return tuple(
        f"{name} ({_person(seat)})" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    )


def _person(seat: int) -> str:
    return f"Person {seat + 1}"


def _reader(viewer: Viewer) -> markup.Reader:
    if isinstance(viewer, int):
        return viewer
    return "public" if viewer == "spectator" else "everything"


def _relationship(setup: SocialSetup, one: int, other: int) -> SeatRelationship:
    for relationship in setup.relationships:
        if relationship.seats in ((one, other), (other, one)):
            return relationship
    return SeatRelationship(seats=(one, other), kind=RelationshipKind.STRANGER)


def _story(setup: SocialSetup, relationship: SeatRelationship, viewer: Viewer) -> str:
    if not setup.rules.stories:
        # Left out of the episode, not kept from some: no viewer, export or judge has it.
        return ""
    if viewer in ("narrator", "judge"):
        return markup.render(relationship.story, "everything")
    told = viewer in relationship.seats and relationship.kind in _STORY_TOLD
    return markup.render(relationship.story, _reader(viewer)) if told else ""


def _fields(character: Character, visible: Sequence[str]) -> dict[str, Any]:
    fields = {name: getattr(character, name) for name in visible}
    if "big_five" in fields:
        fields["big_five"] = _traits(character.big_five)
    return fields


def _traits(traits: BigFive) -> str:
    words = ((name, getattr(traits, name)) for name in traits.__struct_fields__)
    return ", ".join(f"{name} {word}" for name, word in words if word)


def _profiles(setup: SocialSetup, viewer: Viewer) -> tuple[Profile, ...]:
    names = labels(setup, viewer)
    profiles = []
    for seat, character in enumerate(setup.cast):
        goal = None
        if viewer == "spectator":
            visible: Sequence[str] = SEEN_BY_SPECTATORS
        elif not isinstance(viewer, int) or viewer == seat:
            visible = _ALL
            goal = markup.render(setup.scenario.goals[seat], _reader(viewer), owner=seat)
        elif setup.rules.mode == "omniscient":
            visible, goal = _ALL, markup.render(setup.scenario.goals[seat], seat, owner=seat)
        else:
            visible = SEEN_OF_OTHERS[_relationship(setup, viewer, seat).kind]
        profiles.append(
            Profile(seat=seat, label=names[seat], goal=goal, **_fields(character, visible))
        )
    return tuple(profiles)


def _relationships(setup: SocialSetup, viewer: Viewer) -> tuple[SeenRelationship, ...]:
    return tuple(
        SeenRelationship(
            seats=relationship.seats,
            kind=str(relationship.kind),
            story=_story(setup, relationship, viewer),
        )
        for relationship in setup.relationships
        if not isinstance(viewer, int) or viewer in relationship.seats
    )


def _line(number: int, taken: ActionTaken, viewer: Viewer, label: str) -> SeenAction | None:
    """One action as the viewer notices it; None where it does not."""
    action, failure = taken.action, taken.failure
    if failure is not None and isinstance(viewer, int):
        return None  # It is nothing that a character did, and silence would be.
    heard = not action.to or viewer in ("narrator", "judge", taken.seat) or viewer in action.to
    if not heard and action.kind != "leave":
        return None
    # Going is noticed by everybody; parting words that were whispered are not.
    return SeenAction(
        number=number,
        turn=taken.turn,
        seat=taken.seat,
        label=label,
        kind=action.kind,
        text=action.text if heard else "",
        whisper=bool(action.to) and heard,
        to=action.to if heard else (),
        failure="" if failure is None else failure_for(failure, viewer),
        plain=action.plain and not isinstance(viewer, int),
    )


class SocialSight(Sight[Background, View, SeenAction]):
    """Who sees what of whom."""

    def background(
        self, episode: str, started: EpisodeStarted, seat: int, memory: str = ""
    ) -> Background:
        """Who ``seat`` is, what it wants and what it knows before the first turn.

        ``memory`` is what this very seat remembers of earlier episodes, made of what it noticed
        there. Raises ``ValueError`` where there is no such seat, ``markup.BadMarkup`` where a text
        cannot be read.
        """
        setup = setup_of(started, SocialSetup)
        check_viewer(seat, len(setup.cast))
        names, mode = labels(setup, seat), setup.rules.mode
        others = []
        for other, character in enumerate(setup.cast):
            if other == seat:
                continue
            relationship = _relationship(setup, seat, other)
            visible, goal = SEEN_OF_OTHERS[relationship.kind], None
            if mode == "omniscient":
                goal = markup.render(setup.scenario.goals[other], other, owner=other)
                visible = _ALL
            others.append(
                OtherSeat(
                    seat=other,
                    label=names[other],
                    relationship=str(relationship.kind),
                    story=_story(setup, relationship, seat),
                    goal=goal,
                    **_fields(character, visible),
                )
            )
        return Background(
            episode=episode,
            seat=seat,
            character=setup.cast[seat],
            context=markup.render(setup.scenario.context, seat),
            goal=markup.render(setup.scenario.goals[seat], seat, owner=seat),
            advice=markup.advice(setup.scenario.goals[seat], seat, owner=seat),
            others=tuple(others),
            turn_cap=setup.rules.turn_cap,
            order=setup.rules.order,
            seed=setup.rules.seed,
            memory=memory,
            prompt=setup.rules.prompt,
            plain=setup.rules.plain,
            mode=mode,
            play=setup if mode in SCRIPTED else None,
        )

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> SocialReducer:
        """What ``viewer`` notices of an episode. Raises ``ValueError`` where there is no such
        seat."""
        return SocialReducer(setup_of(started, SocialSetup), viewer)

    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> View:
        """A whole history, or its first events, as ``viewer`` may see it; event N has number N.

        ``memory`` is what the viewer's seat remembers of earlier episodes; who has no seat
        remembers nothing. Raises ``ValueError`` where the history has no start or there is no such
        viewer.
        """
        setup = setup_of(beginning_of(history), SocialSetup)
        lines = noticed(history, SocialReducer(setup, viewer))
        turn, ended, detail = course_of(history)
        return View(
            viewer=viewer,
            context=markup.render(setup.scenario.context, _reader(viewer)),
            profiles=_profiles(setup, viewer),
            relationships=_relationships(setup, viewer),
            lines=lines,
            turn=turn,
            ended=ended,
            detail=detail if viewer in ("narrator", "judge") else "",
            memory=memory if isinstance(viewer, int) else "",
        )


class SocialCrowd(Crowd[Background, SeenAction]):
    """Characters, and how others see them, are the same in all episodes they play in."""

    def shared(self, background: Background) -> Background:
        """The same, of parts that are kept once for all backgrounds that hold them."""
        return msgspec.structs.replace(
            background,
            character=_kept_once(background.character),
            context=_kept_once(background.context),
            goal=_kept_once(background.goal),
            others=tuple([_kept_once(other) for other in background.others]),
        )


SIGHT: Final = SocialSight()
CROWD: Final = SocialCrowd()
background, reducer, view, shared = SIGHT.background, SIGHT.reducer, SIGHT.view, CROWD.shared
