"""Who may know what of a game: the one visibility rule.

What is said and done is noticed by those who learn of it in its phase; where all act together, only
once all have answered. What comes of it says itself who learns of it. Cards and drawn values are
each seat's own.
"""

from collections.abc import Sequence
from typing import Final

from actors.episodes.port.defaults import PlainSight, PlainView
from actors.episodes.port.game import Shapes
from actors.episodes.port.sight import Reducer, Viewer, setup_of
from actors.episodes.views.progress import check_viewer
from actors.games.ruleset import Ruleset
from actors.games.setup import Consequences, Deal, Decide, GameAct, GameFact
from actors.games.state import roles_of
from events.base import Event, Value, replace
from events.episode import ActionTaken, EpisodeStarted, TurnOpened, WorldChanged
from events.serialization.identity_key import cached_by_identity

OMNISCIENT: Final = ("narrator", "judge")


class ActSeen(Value, frozen=True, kw_only=True, tag="acted"):
    """An act, as those who learn of it notice it."""

    number: int
    turn: int
    seat: int
    phase: str
    round: int = 1
    act: GameAct
    failed: str = ""
    """Why there was no answer; for narrator and judge."""


class FactSeen(Value, frozen=True, kw_only=True, tag="happened"):
    """Something that came of acts."""

    number: int
    turn: int
    fact: GameFact


Notice = ActSeen | FactSeen


class GameView(PlainView[Deal, Notice], frozen=True, kw_only=True):
    """A game as a viewer sees it."""


class _Eyes:
    """One viewer's."""

    def __init__(self, started: EpisodeStarted, viewer: Viewer) -> None:
        deal = setup_of(started, Deal)
        self._viewer, self._deal = viewer, deal
        self._whole = viewer in OMNISCIENT
        roles = roles_of(deal)
        self._teammates = (
            frozenset([seat for seat, role in enumerate(roles) if role.team == roles[viewer].team])
            if isinstance(viewer, int)
            else frozenset()
        )
        self._turn = 0
        self._question: Decide | None = None
        """One of the turn's, which are all of one phase."""
        self._held: list[ActSeen] = []

    def apply(self, number: int, event: Event) -> Sequence[Notice]:
        """What the viewer notices now."""
        match event:
            case TurnOpened(turn=turn, asked=asked):
                self._turn, self._question = turn, asked[0].question
                return self._release() if self._held else ()
            case ActionTaken(seat=seat, action=GameAct() as act, failure=failure):
                question = self._question
                if question is None or not self._notices(question, seat, act):
                    return ()
                seen = ActSeen(
                    number=number,
                    turn=self._turn,
                    seat=seat,
                    phase=question.phase,
                    round=question.round,
                    act=act,
                    failed=str(failure.reason) if self._whole and failure is not None else "",
                )
                if question.together and not self._whole and seat != self._viewer:
                    self._held.append(seen)
                    return ()
                return (seen,)
            case WorldChanged(change=Consequences(facts=facts)):
                return (
                    *self._release(),
                    *[
                        FactSeen(number=number, turn=self._turn, fact=self._shown(fact))
                        for fact in facts
                        if self._whole or fact.to is None or self._viewer in fact.to
                    ],
                )
        return ()

    def _release(self) -> Sequence[Notice]:
        """Acts that all have answered by now."""
        held, self._held = self._held, []
        return held

    def _notices(self, question: Decide, seat: int, act: GameAct) -> bool:
        viewer = self._viewer
        if self._whole or seat == viewer:
            return True
        if act.to is not None:
            return act.to == viewer
        match question.heard:
            case "public":
                return True
            case "team":
                return seat in self._teammates
            case "named":
                return act.target == viewer
        return False

    def _shown(self, fact: GameFact) -> GameFact:
        """Who else learns of it is for those who know everything."""
        return fact if self._whole or fact.to is None else replace(fact, to=None)


class GameSight(PlainSight[Deal, Notice]):
    """Eyes for everybody."""

    view_type = GameView

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> Reducer[Notice]:  # type: ignore[override]
        """Notices of one viewer."""
        check_viewer(viewer, len(started.minds))
        return _Eyes(started, viewer)

    def notice(self, number: int, turn: int, event: Event) -> Notice | None:
        """Not used: what is noticed depends on the viewer."""
        raise NotImplementedError

    def shown(self, setup: Deal, viewer: Viewer) -> Deal:
        """The setup without what the viewer may not know."""
        if viewer in OMNISCIENT:
            return setup
        return replace(
            setup,
            rules=told_to_all(setup.rules),
            cards=tuple(
                [card if seat == viewer else None for seat, card in enumerate(setup.cards)]
            ),
            values={},
            number=1,
            seed=0,
        )


@cached_by_identity(maxsize=256)
def told_to_all(rules: Ruleset) -> Ruleset:
    """A ruleset without what its roles are told alone."""
    roles = tuple([replace(role, goal="", secret="") for role in rules.roles])
    return replace(rules, roles=roles)


SHAPES: Final = Shapes(GameView, Notice, GameView)
SIGHT: Final = GameSight()
