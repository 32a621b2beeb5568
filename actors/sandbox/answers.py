"""Reads a model's text as an action or an utterance."""

import contextlib
from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from actors.models.answers.structured import AnswerReader, renamed, simple
from actors.models.errors import Unreadable
from actors.models.metrics import PARSE_FAILURES
from actors.models.response_formats.schemas import (
    SAID,
    Schema,
    any_schema,
    choice_schema,
    object_schema,
    sign_schema,
    text_schema,
)
from actors.sandbox.map.addresses import UnknownPlace, address_of
from actors.sandbox.setup import (
    Act,
    CarryOn,
    Recap,
    Say,
    TalkTo,
    WhatToDo,
    WhatToSay,
    WhatWasAgreed,
)
from actors.sandbox.times_and_places import place
from actors.sandbox.views import Resident, Speaker
from events.environments import Action
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened

Question = WhatToDo | WhatToSay | WhatWasAgreed
_MOST_MINUTES: Final = 1440


class Deed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model's answer to the question what it does."""

    kind: Literal["do", "go on", "talk"]
    what: str = ""
    place: str = ""
    minutes: float = 10
    emoji: str = ""
    with_whom: str = ""


class DeedForm(msgspec.Struct, frozen=True):
    """What it is asked for."""

    kind: Literal["do", "go on", "talk"]
    what: str
    place: str
    minutes: int
    emoji: str
    with_whom: str


class _Held(msgspec.Struct, frozen=True):
    """What one answers that is held to one of several shapes."""

    answer: Deed


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model answers who is asked what it says."""

    say: str
    ends: bool = False
    about: str = ""


class WordsForm(msgspec.Struct, frozen=True):
    """What it is asked for."""

    say: str
    ends: bool
    about: str


class ToldAnswer(msgspec.Struct, frozen=True):
    """What a model answers who is asked what was agreed."""

    summary: str


_NAMES: Final = {
    **{simple(name): name for name in ("kind", "what", "place", "minutes", "emoji", "with_whom")},
    **dict.fromkeys(("action", "activity", "text", "doing"), "what"),
    **dict.fromkeys(("address", "where", "location"), "place"),
    **dict.fromkeys(("duration", "for", "duration minutes"), "minutes"),
    **dict.fromkeys(("with", "to", "partner", "who", "person"), "with_whom"),
    "type": "kind",
}
_KINDS: Final = {
    **dict.fromkeys(("do", "act", "action", "do something"), "do"),
    **dict.fromkeys(("go on", "carry on", "continue", "goon", "nothing"), "go on"),
    **dict.fromkeys(("talk", "talk to", "chat", "speak"), "talk"),
}
_SAID: Final = {
    **dict.fromkeys(("say", "text", "utterance", "words", "message"), "say"),
    **dict.fromkeys(("ends", "end", "last", "over"), "ends"),
    **dict.fromkeys(("about", "topic", "subject"), "about"),
}
_TOLD: Final = dict.fromkeys(("summary", "recap", "text", "told"), "summary")


def _deed(fields: dict[str, Any]) -> dict[str, Any]:
    if fields.keys() == {"answer"} and isinstance(fields["answer"], dict):
        fields = fields["answer"]
    found = _own(Deed, renamed(fields, _NAMES))
    kind = found.get("kind")
    if isinstance(kind, str):
        found["kind"] = _KINDS.get(simple(kind), kind)
    elif "kind" not in found and found.get("what"):
        found["kind"] = "do"
    minutes = found.get("minutes")
    if isinstance(minutes, str) and minutes.split()[:1]:
        with contextlib.suppress(ValueError):
            found["minutes"] = float(minutes.split()[0])
    return found


def _words(fields: dict[str, Any]) -> dict[str, Any]:
    return _own(Words, renamed(fields, _SAID))


def _own(kind: type[msgspec.Struct], fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that a struct has; those that say nothing are left out."""
    return {
        name: value
        for name, value in fields.items()
        if value is not None and name in kind.__struct_fields__
    }


_DEED: Final = AnswerReader(Deed, _deed)
_WORDS: Final = AnswerReader(Words, _words)
_SUMMARY: Final = AnswerReader(ToldAnswer, lambda fields: renamed(fields, _TOLD))
_DEED_SCHEMA: Final = AnswerReader(DeedForm)
_WORDS_SCHEMA: Final = AnswerReader(WordsForm)


_held: Final = msgspec.json.Decoder(decodable(_Held))
_SPANS: Final = (5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480)
"""Minutes that a model can choose from which is held to a schema."""
_HERE: Final = "here"
_SAY: Final = object_schema(
    {
        "ends": {"type": "boolean"},
        "about": text_schema(80, empty=True),
        "say": text_schema(SAID),
    }
)
_RECAP: Final = object_schema({"summary": text_schema(SAID)})


def held_schema(
    question: Question, background: Resident | Speaker, places: Sequence[str]
) -> Schema:
    """The JSON Schema to which a model is held. ``places``: addresses that are known to the seat
    now, as far as its prompt lists them."""
    if not isinstance(question, WhatToDo):
        return _SAY if isinstance(question, WhatToSay) else _RECAP
    shapes: list[dict[str, Schema]] = [
        {
            "kind": choice_schema(["do"]),
            "place": choice_schema([_HERE, *_names_of(places, background)]),
            "minutes": choice_schema(_SPANS),
            "emoji": sign_schema(),
            "what": text_schema(120, without="@"),
        }
    ]
    if question.why != "begins":
        shapes.append({"kind": choice_schema(["go on"])})
    there = [background.names[seat] for seat in (*question.met, *question.near)]
    if whom := [name for name in there if [simple(one) for one in there].count(simple(name)) == 1]:
        shapes.append({"kind": choice_schema(["talk"]), "with_whom": choice_schema(whom)})
    return any_schema([object_schema(one) for one in shapes])


def _names_of(places: Sequence[str], background: Resident | Speaker) -> list[str]:
    """Places by the shortest name that is read as what it means; the whole world is none to go
    to."""
    if not isinstance(background, Resident):
        return []
    found: dict[str, None] = {}
    for address in places:
        for name in (place(address), address):
            with contextlib.suppress(UnknownPlace):
                if (
                    ":" in address
                    and address_of(name, background.known, background.world) == address
                ):
                    found[name] = None
                    break
    return list(found)


def schema(question: Question) -> dict[str, Any]:
    """The JSON Schema of an answer."""
    if isinstance(question, WhatToDo):
        return _DEED_SCHEMA.schema
    return _WORDS_SCHEMA.schema if isinstance(question, WhatToSay) else _SUMMARY.schema


def read(question: Question, background: Resident | Speaker, text: str, label: str) -> Action:
    """The action that a model's text means. Raises ``Unreadable``."""
    if isinstance(question, WhatToSay):
        words = _WORDS.read(text, label)
        return _said(words.say, words.ends, words.about, text)
    if isinstance(question, WhatWasAgreed):
        summary = _SUMMARY.read(text, label).summary.strip()
        if not summary:
            raise Unreadable('the field "summary" is empty', text)
        return Recap(text=summary[:4000])
    try:
        return deed(question, background, _deed_in(text, label))
    except ValueError as error:
        if isinstance(error, Unreadable):
            raise
        PARSE_FAILURES.labels(label, "repair").inc()
        raise Unreadable(str(error), text) from error


def _deed_in(text: str, label: str) -> Deed:
    try:
        return _held.decode(text).answer
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return _DEED.read(text, label)


def deed(question: WhatToDo, background: Resident | Speaker, answer: Deed) -> Action:
    """What is to be done. Raises ``ValueError`` with what is wrong."""
    if answer.kind == "go on":
        if question.why == "begins":
            raise ValueError("nothing was begun yet that one could go on with")
        return CarryOn()
    if answer.kind == "talk":
        return TalkTo(seat=who_is_meant(question, background.names, answer.with_whom))
    what = " ".join(answer.what.split())
    if not what:
        raise ValueError('the field "what" is empty: say what you do')
    if "@" in what:
        raise ValueError('the field "what" says what is done, and "place" where; neither holds @')
    world = background.world if isinstance(background, Resident) else ""
    known = background.known if isinstance(background, Resident) else ()
    address = address_of(answer.place.replace("@", " "), known, world)
    if len(address) > 300:
        raise UnknownPlace(answer.place, ())
    minutes = round(min(_MOST_MINUTES, max(1, answer.minutes)))  # not a number: 1
    return Act(text=what[:300], address=address, emoji=answer.emoji.strip()[:20], minutes=minutes)


def who_is_meant(question: WhatToDo, names: tuple[str, ...], given: str) -> int:
    """The seat of somebody who can be talked to, by their name or the beginning of it. Raises
    ``ValueError``."""
    there = (*question.met, *question.near)
    wanted = simple(given)
    whole = [seat for seat in there if simple(names[seat]) == wanted]
    parts = [seat for seat in there if wanted and wanted in simple(names[seat]).split()]
    begins = [seat for seat in there if wanted and simple(names[seat]).startswith(wanted)]
    for found in (whole, parts, begins):
        if len(found) == 1:
            return found[0]
    if not there:
        raise ValueError("nobody is there who can be talked to now")
    listed = ", ".join(names[seat] for seat in there)
    raise ValueError(f"{shortened(given)!r} cannot be talked to now; there is {listed}")


def _said(say: str, ends: bool, about: str, text: str) -> Say:
    say = say.strip()
    if not say and not ends:
        raise Unreadable('the field "say" is empty; say something, or end the talk', text)
    return Say(text=say[:2000], ends=ends, about=" ".join(about.split())[:200])
