"""Notes written by fixed rules, for characters whose mind is no language model.

The same view and bounds give the same note. It quotes rather than retells: numbers, offers,
promises and confidences stand in it as they were said, so that they can be used later.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from actors.social.chains.quotes import CONFIDED, SaidSentence, spoken
from actors.social.setup import ENDINGS
from actors.social.views import View
from events.base import Value
from events.memory import NOTE_PARTS, Note, NotePart

SHARES: Final[dict[NotePart, float]] = {"overview": 0.4, "strategies": 0.2, "knowledge": 0.7}
"""Of the longest note, how much a part may take while others still have something to say."""
_FIGURE = re.compile(r"[$€£]?\d(?:[\d,.:]*\d)?")
_SENTENCES = re.compile(r"(?<=[.!?])\s+")


class NotePiece(Value, frozen=True, kw_only=True):
    """Something that can be noted, in one part or the other."""

    part: NotePart
    place: tuple[int, int]
    """Where in its part it stands."""
    text: str
    frame: str = ""
    """What is written once before all pieces of the same frame that follow each other, and around
    them quotation marks."""


def rule_note(view: View, low: int, high: int, parts: Sequence[NotePart] = NOTE_PARTS) -> Note:
    """A note of ``low`` to ``high`` words on an episode, as one of its seats saw it.

    Shorter than ``low`` only where the episode gives no more for these parts.
    """
    said = spoken(view)
    pieces = [piece for piece in _pieces(view, said) if piece.part in parts]
    taken = _chosen(pieces, low, high)
    return Note(
        overview=_written(taken, "overview"),
        strategies=_written(taken, "strategies"),
        knowledge=_written(taken, "knowledge"),
        importance=_importance(said),
    )


def _chosen(pieces: Sequence[NotePiece], low: int, high: int) -> list[NotePiece]:
    """The first of the pieces that fit: each part within its share, then without regard to it;
    at last, where all that is left is too long, the beginning of one."""
    used: dict[NotePart, int] = dict.fromkeys(SHARES, 0)
    framed: set[tuple[NotePart, str, int]] = set()
    taken: list[NotePiece] = []

    def left() -> int:
        return high - sum(used.values())

    def take(piece: NotePiece, most: int) -> bool:
        words = _words(piece, framed)
        if words > most:
            return False
        used[piece.part] += words
        framed.add(_frame(piece))
        taken.append(piece)
        return True

    over = [
        piece
        for piece in pieces
        if not take(piece, min(left(), int(high * SHARES[piece.part]) - used[piece.part]))
    ]
    over = [piece for piece in over if not take(piece, left())]
    for piece in over:
        room = left() - (_words(piece, framed) - len(piece.text.split()))
        if high - left() >= low:
            break
        if room > 0:
            cut = " ".join(piece.text.split()[:room]) + "…"
            take(NotePiece(part=piece.part, place=piece.place, text=cut, frame=piece.frame), left())
    return taken


def _frame(piece: NotePiece) -> tuple[NotePart, str, int]:
    return (piece.part, piece.frame, piece.place[0])


def _words(piece: NotePiece, framed: set[tuple[NotePart, str, int]]) -> int:
    """What a piece adds to a note."""
    words = len(piece.text.split())
    return words if _frame(piece) in framed else words + len(piece.frame.split())


def _written(taken: Sequence[NotePiece], part: NotePart) -> str:
    texts: list[str] = []
    last: tuple[NotePart, str, int] | None = None
    for piece in sorted((one for one in taken if one.part == part), key=lambda one: one.place):
        if not piece.frame:
            texts.append(piece.text)
        elif _frame(piece) == last:
            texts[-1] = f"{texts[-1][:-1]} {piece.text}”"
        else:
            texts.append(f"{piece.frame} “{piece.text}”")
        last = _frame(piece)
    return " ".join(texts)


# ---------------------------------------------------------------- what there is to note

_SITUATION, _GOAL, _OUTCOME = -3, -2, -1
"""Places before everything that was said."""


def _pieces(view: View, said: Sequence[SaidSentence]) -> Iterator[NotePiece]:
    """Everything that could be noted, what matters most first."""
    yield from _outcome(view, said)
    ways = list(_strategies(view, said))
    yield from ways[:1]
    by_weight = sorted(said, key=lambda one: (-one.weight, -one.number, one.sentence))
    theirs = [one for one in by_weight if not one.mine]
    mine = [one for one in by_weight if one.mine]
    yield from map(_heard, (one for one in theirs if one.weight > 2))
    yield from (_own(one) for one in mine if one.weight == CONFIDED)
    situation = list(_told(view.context, _SITUATION, "The situation:"))
    yield from situation[:1]
    yield from map(_heard, (one for one in theirs if 0 < one.weight <= 2))
    yield from _told(view.profiles[_seat(view)].goal or "", _GOAL, "I wanted this:")
    yield from (_own(one) for one in mine if 1 < one.weight < CONFIDED)
    yield from ways[1:]
    yield from map(_heard, (one for one in theirs if one.weight == 0))
    yield from situation[1:]
    yield from (_own(one) for one in mine if one.weight <= 1)


def _heard(said: SaidSentence) -> NotePiece:
    return NotePiece(
        part="knowledge",
        place=(said.number, said.sentence),
        text=said.text,
        frame=f"{said.label} {'whispered' if said.whisper else 'said'}:" if said.aloud else "",
    )


def _own(said: SaidSentence) -> NotePiece:
    return NotePiece(
        part="overview",
        place=(said.number, said.sentence),
        text=said.text,
        frame="I said:" if said.aloud else "",
    )


def _told(text: str, place: int, begin: str) -> Iterator[NotePiece]:
    """A text of the scenario, sentence by sentence."""
    for number, sentence in enumerate(_SENTENCES.split(" ".join(text.split()))):
        if sentence:
            yield NotePiece(part="overview", place=(place, number), text=sentence, frame=begin)


def _outcome(view: View, said: Sequence[SaidSentence]) -> Iterator[NotePiece]:
    agreed = [one for one in said if one.reading.agreement]
    ended = ENDINGS.get(view.ended, "it is not over")
    verdict = "We came to an agreement." if agreed else "We agreed on nothing."
    yield NotePiece(part="overview", place=(_OUTCOME, 0), text=verdict)
    if agreed:
        last = agreed[-1]
        offers = [
            one
            for one in said
            if one.reading.offer and one.number < last.number and one.seat != last.seat
        ]
        if offers:
            yield NotePiece(
                part="overview",
                place=(_OUTCOME, 1),
                text=f"{offers[-1].who} had offered “{offers[-1].text}” and {last.who} said yes.",
            )
    yield NotePiece(
        part="overview", place=(_OUTCOME, 2), text=f"It took {view.turn} turns until {ended}."
    )


def _strategies(view: View, said: Sequence[SaidSentence]) -> Iterator[NotePiece]:
    """What each did to get their way, the others first."""
    own = _seat(view)
    order = sorted(range(len(view.profiles)), key=lambda seat: seat == own)
    for place, seat in enumerate(order):
        theirs = [one for one in said if one.seat == seat and one.aloud]
        who = "I" if seat == own else view.labels[seat]
        for number, text in enumerate(_ways(theirs)):
            yield NotePiece(part="strategies", place=(place, number), text=f"{who} {text}.")


def _ways(theirs: Sequence[SaidSentence]) -> Iterator[str]:
    offers = [one for one in theirs if one.reading.offer]
    figures = [found[-1] for one in offers if (found := _FIGURE.findall(one.text))]
    if not offers:
        yield "made no offers"
    elif len(figures) > 1 and figures[0] != figures[-1]:
        yield f"made {_times(offers, 'offer')}, from {figures[0]} to {figures[-1]}"
    else:
        yield f"made {_times(offers, 'offer')}"
    for what, kind, name in (
        ("gave ground in", "concession", "sentence"),
        ("refused with", "refusal", "sentence"),
        ("gave", "promise", "promise"),
        ("insulted with", "insult", "sentence"),
        ("gave", "apology", "apology"),
        ("asked", "question", "question"),
    ):
        if found := [one for one in theirs if getattr(one.reading, kind)]:
            yield f"{what} {_times(found, name)}"


def _times(found: Sequence[object], name: str) -> str:
    if len(found) == 1:
        return f"one {name}"
    plural = f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return f"{len(found)} {plural}"


def _importance(said: Sequence[SaidSentence]) -> float:
    """A fifth for having met, and another for each of: an agreement, a promise, something
    confided, an insult."""
    readings = [one.reading for one in said]
    kinds = ("agreement", "promise", "confides", "insult")
    return round(0.2 + 0.2 * sum(any(getattr(r, kind) for r in readings) for kind in kinds), 1)


def _seat(view: View) -> int:
    assert isinstance(view.viewer, int), "memories are a seat's"
    return view.viewer
