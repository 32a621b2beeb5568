"""What stands beside a published option: its question, the distractors, and other endings."""

import re
from collections.abc import Sequence
from typing import Final

from actors.worldtree.formats.fields import FieldReader, Fields
from actors.worldtree.trees.ability_labels import is_rest
from actors.worldtree.trees.defects import Place
from actors.worldtree.trees.tree import AbilityQuestion, Line

QUESTION: Final = "skill question"
DISTRACTOR: Final = "skill confusion"
ENDING: Final = "ending confusion"
_MARKERS: Final = re.compile(
    r"[#{]{0,4}(?:(?<=[#{])|(?=(?:question|skill|state)\w{0,20}[#}]))(question|skill|state)[#}]*"
)
"""Broken ones, too: ``##skill#``, ``{skill}``, ``#skill``, ``skill#``. Bounded before the word and
behind it: a text of any length is read once."""

Confusion = Sequence[tuple[Place, Fields]]


def question_of(confusion: Confusion, reader: FieldReader) -> AbilityQuestion | None:
    """The question, with its distractors; None: there is none and no distractor either."""
    questions = [(place, one) for place, one in confusion if one.get("type") == QUESTION]
    distractors = tuple(
        reader.line(one.get("content"), (*place, "content"))
        for place, one in confusion
        if one.get("type") == DISTRACTOR
    )
    for place, one in confusion:
        if one.get("type") not in (QUESTION, DISTRACTOR, ENDING):
            wanted = f"{QUESTION!r}, {DISTRACTOR!r} or {ENDING!r}"
            reader.other_type((*place, "type"), one.get("type"), wanted)
    if not questions:
        return AbilityQuestion(pieces=(), text="", distractors=distractors) if distractors else None
    place, given = questions[0]
    if len(questions) > 1:
        why = f"there are {len(questions)}; an option has one question, and the first is asked"
        reader.add("several_questions", place[:-1], why)
    pieces = reader.texts(given, "question", place)
    return AbilityQuestion(
        pieces=pieces,
        text=asked_text(pieces),
        labels=reader.labels(given, "skill", place),
        distractors=distractors,
    )


def endings_of(confusion: Confusion, reader: FieldReader) -> tuple[tuple[Line, ...], ...]:
    """The other endings, as published."""
    return tuple(
        tuple(reader.line(line, at) for at, line in reader.objects(one, "content", place))
        for place, one in confusion
        if one.get("type") == ENDING
    )


def asked_text(pieces: Sequence[str]) -> str:
    """What is asked: the pieces without markers, what follows the others' markers, and the ends of
    labels."""
    text = ""
    for number, piece in enumerate(pieces):
        if number and is_rest(piece):
            continue
        found = _asked(piece)
        # Where a text was cut at a space, the space is at the end or gone.
        gap = text[-1:].isascii() and found[:1].isascii() and not found[:1].isspace()
        text += " " + found if text.strip() and found and gap else found
    return " ".join(text.strip("# \r\n").split())


def _asked(piece: str) -> str:
    """The part of a piece that is asked."""
    before, *marked = _MARKERS.split(piece)
    kinds, texts = marked[::2], marked[1::2]
    return before + "".join(
        text for kind, text in zip(kinds, texts, strict=True) if kind == "question"
    )
