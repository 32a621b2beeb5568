"""A model's answer as an action: the names it may use, and what is taken for them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from actors.models.answers.structured import AnswerReader, Fields, renamed, simple
from actors.models.errors import Unreadable
from actors.models.response_formats.schemas import (
    SAID,
    Schema,
    any_schema,
    choice_schema,
    list_schema,
    object_schema,
    says_something,
    text_schema,
)
from actors.social.actions import LONGEST_TEXT, Action, ActionKind
from actors.social.prompt_names import first_number
from actors.social.views import Background
from actors.text.speech import without_name
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened


class ActionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answers when it is asked for an action."""

    kind: ActionKind
    text: str = ""
    to: tuple[int | str, ...] = ()
    """Numbers or names of those who may notice it; empty: everybody."""


class _Held(msgspec.Struct, frozen=True):
    """What one answers that is held to the schema."""

    answer: ActionAnswer


_FIELDS = {
    "kind": "kind",
    "action": "kind",
    "type": "kind",
    "action type": "kind",
    "text": "text",
    "argument": "text",
    "content": "text",
    "to": "to",
    "recipients": "to",
}
"""SOTOPIA's names for the fields (Zhou et al. 2024, section 2.2) are taken as well as ours."""

_KINDS: dict[str, ActionKind] = {
    "speak": "speak",
    "say": "speak",
    "non verbal": "non_verbal",
    "nonverbal": "non_verbal",
    "non verbal communication": "non_verbal",
    "nonverbal communication": "non_verbal",
    "physical": "physical",
    "physical action": "physical",
    "action": "physical",
    "none": "none",
    "nothing": "none",
    "do nothing": "none",
    "did nothing": "none",
    "leave": "leave",
}
"""Other spellings that can mean only one thing. ``act`` or ``shout`` could be two, so they are
asked about."""

_EVERYBODY = frozenset({"all", "everyone", "everybody"})


def _prepare(fields: Fields) -> Fields:
    if fields.keys() == {"answer"} and isinstance(fields["answer"], dict):
        fields = fields["answer"]
    out = with_kind(fields)
    to = out.get("to", ())
    if to is None:
        out["to"] = ()
    elif isinstance(to, int | str):
        out["to"] = (to,) if to != "" else ()
    return out


def with_kind(fields: Fields) -> Fields:
    """The fields of an action, and others, with the kind that its spelling means."""
    out = renamed(fields, _FIELDS)
    if isinstance(kind := out.get("kind"), str):
        out["kind"] = _KINDS.get(simple(kind), kind)
    if out.get("text", "") is None:
        out["text"] = ""
    if out.get("kind") is None and isinstance(text := out.get("text"), str) and text.strip():
        out["kind"] = "speak"
    return out


READER = AnswerReader(ActionAnswer, _prepare)
_held = msgspec.json.Decoder(decodable(_Held))


def held_schema(background: Background) -> Schema:
    """The JSON Schema to which a model in this seat is held."""
    if background.play is not None:
        return _schema_among(())  # everything is noticed by everybody
    first = first_number(background.prompt)
    return _schema_among(tuple(other.seat + first for other in background.others))


@lru_cache(maxsize=256)
def _schema_among(others: tuple[int, ...]) -> Schema:
    """Between two nobody is named."""
    to = list_schema(choice_schema(others), len(others)) if len(others) > 1 else None
    ways = ways_to_act({} if to is None else {"to": to})
    return any_schema([object_schema(one) for one in ways])


def ways_to_act(named: Mapping[str, Schema]) -> tuple[dict[str, Schema], ...]:
    """The fields of each shape that an action can have; ``named``: those of who may notice it.
    Doing nothing has no words that could be lost."""
    does = {
        "kind": choice_schema(["speak", "non_verbal", "physical"]),
        **named,
        "text": text_schema(SAID),
    }
    leaves = {"kind": choice_schema(["leave"]), "text": text_schema(SAID, empty=True)}
    return does, leaves, {"kind": choice_schema(["none"])}


def read(text: str, background: Background, label: str) -> Action:
    """The action that a model's text means; ``label`` is the model's in the metrics. Where the plan
    has it so, prose is taken for speech. Raises ``Unreadable``."""
    try:
        return action_of(_answer_in(text, label), background, text)
    except Unreadable:
        if background.plain == "speech" and (words := _spoken(text, background)):
            return Action(kind="speak", text=words, plain=True)
        raise


def written(action: Action, background: Background) -> str:
    """An action as the JSON object that a model in this seat is asked for; ``read`` makes the same
    action of it."""
    fields: dict[str, object] = {"kind": action.kind}
    if len(background.others) > 1 and action.kind not in ("leave", "none"):
        first = first_number(background.prompt)
        fields["to"] = [seat + first for seat in action.to]
    if action.kind != "none":
        fields["text"] = action.text
    return msgspec.json.encode(fields).decode()


def _answer_in(text: str, label: str) -> ActionAnswer:
    try:
        return _held.decode(text).answer
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return READER.read(text, label)


def _spoken(text: str, background: Background) -> str:
    """The words of a text that holds nothing of a form; empty where it does."""
    words = without_name(text, background.character.name)
    if len(words) > LONGEST_TEXT or not says_something(words):
        return ""
    return "" if any(sign in words for sign in ("{", "}", "```")) else words


def action_of(answer: ActionAnswer, background: Background, raw: str) -> Action:
    """The action that an answer means, in the seat's own terms.

    Raises ``Unreadable`` where a needed text is missing, where words stand beside doing nothing,
    or where a recipient is unknown: a whisper to nobody must not become a word to everybody.
    """
    text = answer.text.strip()
    if answer.kind == "none":
        if not says_something(text) or _KINDS.get(simple(text)) == "none":
            return Action(kind="none")
        if background.plain == "speech":
            to = _seats(answer.to, background, raw)
            return Action(kind="speak", text=text, to=to, plain=True)
        raise Unreadable(
            'kind "none" has no text, but there is one: use "speak" to say it, or leave it empty',
            raw,
        )
    if not text and answer.kind != "leave":
        raise Unreadable(f'kind "{answer.kind}" needs a text', raw)
    return Action(kind=answer.kind, text=text, to=_seats(answer.to, background, raw))


def _seats(to: Sequence[int | str], background: Background, raw: str) -> tuple[int, ...]:
    """The seats meant, without the own; empty for everybody. Between two there is one reading
    alone, whichever of them is named."""
    if not to or any(isinstance(one, str) and simple(one) in _EVERYBODY for one in to):
        return ()
    others = {other.seat for other in background.others}
    meant = {seat for one in to if (seat := _seat(one, background, raw)) != background.seat}
    if to and not meant and len(others) > 1:
        raise Unreadable("to names nobody but yourself", raw, kind="wrong_recipient")
    return () if meant == others else tuple(sorted(meant))


def _seat(one: int | str, background: Background, raw: str) -> int:
    names: dict[str, set[int]] = {}

    def add(name: str, seat: int) -> None:
        names.setdefault(simple(name), set()).add(seat)

    me = background.character
    first = first_number(background.prompt)
    for seat, full in [(background.seat, me.name), *((o.seat, o.label) for o in background.others)]:
        for name in {full, full.partition(" ")[0] if not full.startswith("Person ") else full}:
            add(name, seat)
        add(str(seat + first), seat)
        add(f"seat {seat + first}", seat)
        if first:
            add(f"person {seat + first}", seat)
    found = names.get(simple(str(one)), set())
    if len(found) != 1:
        known = ", ".join(f"{other.seat + first} ({other.label})" for other in background.others)
        where = "are" if first else "are in the seats"
        why = f"to names {shortened(repr(one))}; the others {where} {known}"
        raise Unreadable(why, raw, kind="wrong_recipient")
    return found.pop()
