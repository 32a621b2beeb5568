"""The rules of a session: who moves next, when players are asked what they know, and the end."""

from typing import Final

import msgspec

from actors.episodes.port.rules import Ask, End, Happening, Rules, Step
from actors.tabletop.catalog_items import MOST_PLAYERS
from actors.tabletop.setup import (
    MOST_LEARNED,
    MOST_WORDS,
    AskLearned,
    Move,
    Played,
    Recalled,
    Session,
)
from events.base import replace
from events.environments import Action
from events.episode import ActionTaken, Asked

Anything = Move | AskLearned


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """A session after some event."""

    session: Session
    moves: int = 0
    """Made so far."""
    passed: int = 0
    before: int = 0
    """Players who have said what they know before the first turn."""
    after: int = 0


class SessionRules(Rules[Session, TableState, Anything, Action]):
    """The seats move one after the other; then each player says what they have learned."""

    def setup_fault(self, setup: Session, seats: int) -> str | None:
        """Seats, sheet and intentions must fit."""
        if len(setup.characters) != seats or not 2 <= seats <= MOST_PLAYERS + 1:
            return (
                f"a session has 1 to {MOST_PLAYERS} players and one non-player character; it has "
                f"{len(setup.characters)} characters and {seats} minds"
            )
        names = [one.name for one in setup.characters]
        if len(set(names)) < seats:
            return f"the characters of a session have different names, not {', '.join(names)}"
        if setup.kind == "exchange":
            return _sheet_fault(setup)
        if len(setup.intentions) != setup.players or not any(setup.intentions):
            return "a session of the kind intention gives one player an intention at least"
        return None

    def initial(self, setup: Session) -> TableState:
        """Nobody has moved."""
        return TableState(session=setup)

    def evolve(self, world: TableState, event: Happening) -> TableState:
        """Counts moves and answers."""
        match event:
            case ActionTaken(action=Played(text=text, deed=deed)):
                return replace(
                    world, moves=world.moves + 1, passed=world.passed + (not text and not deed)
                )
            case ActionTaken(action=Recalled()):
                if world.moves == 0:
                    return replace(world, before=world.before + 1)
                return replace(world, after=world.after + 1)
        return world

    def next_step(self, world: TableState) -> Step:
        """The next move, the question to all players, or the end."""
        session = world.session
        exchange = session.kind == "exchange"
        if exchange and session.settings.baseline and world.before < session.players:
            return _recall(session, "before")
        if world.moves < session.moves:
            seat = world.moves % len(session.characters)
            question = Move(move=world.moves + 1, of=session.moves)
            return Ask(asked=(Asked(seat=seat, question=question),))
        if exchange and world.after < session.players:
            return _recall(session, "after")
        return End(reason="played", summary={"moves": world.moves, "passed": world.passed})

    def action_fault(self, question: Anything, action: Action, seat: int, seats: int) -> str | None:
        """A move is answered with a move, a question with an answer, neither of them too long."""
        match question, action:
            case Move(), Played(text=text, deed=deed):
                if max(len(text), len(deed)) > MOST_WORDS:
                    return f"words and deed have at most {MOST_WORDS:,} characters each"
                return None
            case AskLearned(), Recalled(text=text):
                if len(text) > MOST_LEARNED:
                    return f"what was learned has at most {MOST_LEARNED:,} characters"
                return None
        wanted = "a move (say and do)" if isinstance(question, Move) else "what was learned"
        return f"the question is answered with {wanted}"

    def nothing(self, question: Anything) -> Action:
        """The seat passes, or says that it knows nothing."""
        return Played() if isinstance(question, Move) else Recalled()


def _sheet_fault(setup: Session) -> str | None:
    if setup.sheet is None:
        return "a session of the kind exchange needs a sheet of what the NPC knows"
    if setup.sheet_uses > 1 and not setup.settings.reuse:
        return (
            f"it shares the sheet {setup.sheet.title!r} with an earlier session, since there are "
            "more exchange sessions than sheets; add sheets, play fewer, or say reuse = true"
        )
    texts = [point.text.casefold() for point in setup.sheet.points]
    if len(set(texts)) < len(texts):
        return (
            f"two key points of the sheet {setup.sheet.title!r} are equal; each says something else"
        )
    return None


def _recall(session: Session, moment: str) -> Ask:
    question = AskLearned(moment=moment, topic=session.topic)  # type: ignore[arg-type]
    return Ask(asked=tuple([Asked(seat=s, question=question) for s in range(session.players)]))


RULES: Final = SessionRules()
