"""A model's script of a whole dialogue, as what the seats do one after the other."""

from functools import lru_cache
from typing import Final

import msgspec

from actors.models.answers.structured import AnswerReader, Fields, renamed, simple
from actors.models.errors import Unreadable
from actors.models.response_formats.schemas import (
    Schema,
    choice_schema,
    list_schema,
    object_schema,
    says_something,
)
from actors.social.actions import Action, ActionKind, ScriptLine, WholeScript
from actors.social.answers import ActionAnswer, action_of, ways_to_act, with_kind
from actors.social.views import Background
from events.base import replace
from events.untrusted.safe_text import shortened

ROOM: Final = 100
"""Tokens of an answer for each turn that a script may have."""


class TurnAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One turn, as a model writes it."""

    who: int | str
    """Number, from 1, or name."""
    kind: ActionKind
    text: str = ""


class ScriptAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answers when it is asked for a script."""

    lines: tuple[TurnAnswer, ...]


_LINES = dict.fromkeys(("lines", "script", "dialogue", "turns"), "lines")
_WHO = dict.fromkeys(("who", "character", "name", "speaker"), "who")


def _prepare(fields: Fields) -> Fields:
    out = renamed(fields, _LINES)
    if isinstance(lines := out.get("lines"), list):
        out["lines"] = [
            with_kind(renamed(line, _WHO)) if isinstance(line, dict) else line for line in lines
        ]
    return out


READER = AnswerReader(ScriptAnswer, _prepare)


def held_schema(background: Background) -> Schema:
    """The JSON Schema to which a model that writes a script is held."""
    return _schema_of(len(background.others) + 1, background.turn_cap)


@lru_cache(maxsize=64)
def _schema_of(seats: int, turns: int) -> Schema:
    who = {"who": choice_schema(range(1, seats + 1))}
    line = {"anyOf": [object_schema({**who, **one}) for one in ways_to_act({})]}
    return object_schema({"lines": list_schema(line, turns, 1)})


def read(text: str, background: Background, label: str) -> WholeScript:
    """The script that a model's text holds; ``label`` is the model's in the metrics. Raises
    ``Unreadable`` where one of its turns is none: a script of which a part is left out is another
    script."""
    answer = READER.read(text, label)
    if not answer.lines:
        raise Unreadable("the script has no turns", text)
    if len(answer.lines) > background.turn_cap:
        why = f"the script has {len(answer.lines)} turns; it may have {background.turn_cap}"
        raise Unreadable(why, text)
    seats = _seats(background)
    lines = [
        _line(number, line, seats, background, text) for number, line in enumerate(answer.lines, 1)
    ]
    if lines[0].seat != background.seat:
        why = f"the first turn has to be {background.character.name}'s"
        raise Unreadable(why, text, kind="against_rules")
    return WholeScript(kind=lines[0].kind, text=lines[0].text, lines=tuple(lines[1:]))


def written(script: WholeScript, seat: int) -> str:
    """A script as the JSON object that is asked for in ``seat``, from 0, whose turn is the first;
    ``read`` makes the same script of it."""
    turns = ((seat, script.kind, script.text), *((x.seat, x.kind, x.text) for x in script.lines))
    lines = [
        {"who": who + 1, "kind": kind} | ({} if kind == "none" else {"text": text})
        for who, kind, text in turns
    ]
    return msgspec.json.encode({"lines": lines}).decode()


def _line(
    number: int, line: TurnAnswer, seats: dict[str, set[int]], background: Background, raw: str
) -> ScriptLine:
    seat = seats.get(simple(str(line.who)), set[int]())
    if len(seat) != 1:
        why = f"turn {number} is of {shortened(repr(line.who))}; the characters are numbered"
        raise Unreadable(f"{why} 1 to {len(background.others) + 1}", raw)
    alone = ActionAnswer(kind=line.kind, text=line.text)
    try:
        action: Action = action_of(alone, replace(background, plain="unreadable"), raw)
    except Unreadable as error:
        raise Unreadable(f"turn {number}: {error.detail}", raw) from None
    if action.text and not says_something(action.text):
        raise Unreadable(f"turn {number} holds no word, only {shortened(action.text)!r}", raw)
    return ScriptLine(seat=min(seat), kind=action.kind, text=action.text)


def _seats(background: Background) -> dict[str, set[int]]:
    """By what characters may be called, who that can be."""
    assert background.play is not None, "whoever writes for all knows all"
    called: dict[str, set[int]] = {}
    for seat, character in enumerate(background.play.cast):
        number = seat + 1
        names = (character.name, character.first_name, str(number), f"person {number}")
        for name in names:
            called.setdefault(simple(name), set()).add(seat)
    return called
