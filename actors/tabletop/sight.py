"""Who may know what of a session: moves are public; knowledge, intentions, sheets and what players
say they learned are each one seat's own."""

from collections.abc import Sequence
from typing import Final, Literal

from actors.episodes.port.defaults import EachEvent, PlainSight, PlainView
from actors.episodes.port.game import Shapes
from actors.episodes.port.sight import Viewer
from actors.episodes.views.progress import check_viewer
from actors.tabletop.catalog_items import CharacterSheet
from actors.tabletop.setup import Played, Recalled, Session
from events.base import Event, Value, replace
from events.episode import ActionTaken, EpisodeStarted

OMNISCIENT: Final = ("narrator", "judge")


class MoveSeen(Value, frozen=True, kw_only=True, tag="moved"):
    """A move, as everybody notices it."""

    number: int
    turn: int
    seat: int
    text: str = ""
    deed: str = ""
    failed: str = ""
    """Why there was no answer; for narrator and judge."""


class AnswerSeen(Value, frozen=True, kw_only=True, tag="told"):
    """What a player says that they know; for the player, narrator and judge."""

    number: int
    turn: int
    seat: int
    moment: Literal["before", "after"]
    text: str = ""
    failed: str = ""


Notice = MoveSeen | AnswerSeen


class TableView(PlainView[Session, Notice], frozen=True, kw_only=True):
    """A session as a viewer sees it."""


class SessionSight(PlainSight[Session, Notice]):
    """Everybody notices moves; answers are private."""

    view_type = TableView

    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> EachEvent[Notice]:
        check_viewer(viewer, len(started.minds))
        whole = viewer in OMNISCIENT
        moved = False

        def seen(number: int, turn: int, event: Event) -> Notice | None:
            nonlocal moved
            match event:
                case ActionTaken(seat=seat, action=Played(text=text, deed=deed), failure=failure):
                    moved = True
                    failed = str(failure.reason) if whole and failure is not None else ""
                    return MoveSeen(
                        number=number, turn=turn, seat=seat, text=text, deed=deed, failed=failed
                    )
                case ActionTaken(seat=seat, action=Recalled(text=text), failure=failure):
                    if not whole and viewer != seat:
                        return None
                    failed = str(failure.reason) if failure is not None else ""
                    moment: Literal["before", "after"] = "after" if moved else "before"
                    return AnswerSeen(
                        number=number,
                        turn=turn,
                        seat=seat,
                        moment=moment,
                        text=text,
                        failed=failed,
                    )
            return None

        return EachEvent(seen)

    def notice(self, number: int, turn: int, event: Event) -> Notice | None:
        """Not used: what is noticed depends on the viewer."""
        raise NotImplementedError

    def shown(self, setup: Session, viewer: Viewer) -> Session:
        """The setup without what the viewer may not know."""
        if viewer in OMNISCIENT:
            return setup
        npc = setup.players
        return replace(
            setup,
            characters=tuple(
                [
                    one if seat == viewer else public(one)
                    for seat, one in enumerate(setup.characters)
                ]
            ),
            sheet=setup.sheet if viewer == npc else None,
            intentions=tuple(
                [one if seat == viewer else None for seat, one in enumerate(setup.intentions)]
            ),
            seed=0,
        )


def public(character: CharacterSheet) -> CharacterSheet:
    """What all at the table know of a character."""
    return CharacterSheet(
        id=character.id, name=character.name, race=character.race, role=character.role
    )


def moves(noticed: Sequence[Notice]) -> list[MoveSeen]:
    """The moves among what was noticed."""
    return [one for one in noticed if isinstance(one, MoveSeen)]


SHAPES: Final = Shapes(TableView, Notice, TableView)
SIGHT: Final = SessionSight()
