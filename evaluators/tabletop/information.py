"""Information exchange precision, IEP (AntEval, sections 3.2 and 4.1): how much of what the
non-player character knows each player has learned."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from actors.tabletop.catalog_items import KnowledgeSheet
from actors.tabletop.key_points import points_in
from actors.tabletop.setup import Session
from actors.tabletop.sight import AnswerSeen, MoveSeen


def matched_points(pairs: Iterable[tuple[int, int]], k: int) -> int:
    """s, of pairs (answer point, key point), both from 1 to ``k``: those left after repeats of
    either are dropped, first come first kept."""
    answers: set[int] = set()
    keys: set[int] = set()
    for answer, key in pairs:
        if 1 <= answer <= k and 1 <= key <= k and answer not in answers and key not in keys:
            answers.add(answer)
            keys.add(key)
    return len(keys)


def precision(s: int, k: int) -> float:
    """p = s / k, from 0 to 1. Raises ``ValueError`` where there is no key point."""
    if not 0 <= s <= k or k < 1:
        raise ValueError(f"s is 0 to k, and k at least 1; not s = {s}, k = {k}")
    return s / k


class Losses(NamedTuple):
    """Where a player's key points went; all four add up to k."""

    kept: int
    """In the player's answer."""
    not_kept: int
    """Uttered by the non-player character, and not in the answer."""
    not_told: int
    """Asked for, as far as there were questions enough, and not uttered."""
    not_asked: int
    """Not uttered, and there were fewer questions than points."""


def losses(k: int, kept: Iterable[int], uttered: Iterable[int], questions: int) -> Losses:
    """How the ``k`` key points of one player divide. ``kept``: those in the answer; ``uttered``:
    those that came out; ``questions``: how many moves of players asked."""
    had, out = set(kept), set(uttered)
    missing_told = len(out - had)
    left = k - len(had | out)
    not_told = min(left, max(0, questions - len(out)))
    return Losses(len(had), missing_told, not_told, left - not_told)


class Uttered(NamedTuple):
    """A key point that came out."""

    point: int
    """From 0."""
    turn: int
    """When it was first said in full by the non-player character."""
    number: int
    """The event's number."""


def uttered_points(
    session: Session, sheet: KnowledgeSheet, moves: Sequence[MoveSeen]
) -> tuple[Uttered, ...]:
    """The key points that the non-player character said, each at its first time."""
    found: dict[int, Uttered] = {}
    for move in moves:
        if move.seat == session.players:
            for point in points_in(f"{move.text} {move.deed}", sheet.points):
                found.setdefault(point, Uttered(point, move.turn, move.number))
    return tuple(sorted(found.values()))


def questions_of(session: Session, moves: Sequence[MoveSeen]) -> int:
    """How many moves of players ask: their words have a question mark or name the topic."""
    topic = session.topic.casefold()
    return sum(
        move.seat != session.players and ("?" in move.text or topic in move.text.casefold())
        for move in moves
    )


def answers_of(told: Sequence[AnswerSeen], moment: str) -> dict[int, AnswerSeen]:
    """What each player said that they know, by seat."""
    return {one.seat: one for one in told if one.moment == moment}
