"""A model's answer as an action: the names it may use, and what is taken for them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from actors.models.errors import Unreadable
from actors.models.structured import AnswerReader, renamed, simple
from actors.social.actions import Action, ActionKind
from actors.social.prompt_names import first_number
from actors.social.views import Background
from events.harmless import shortened


class ActionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answers when it is asked for an action."""

    kind: ActionKind
    text: str = ""
    to: tuple[int | str, ...] = ()
    """Numbers or names of those who may notice it; empty: everybody."""


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


def _prepare(fields: dict[str, Any]) -> dict[str, Any]:
    out = renamed(fields, _FIELDS)
    if isinstance(kind := out.get("kind"), str):
        out["kind"] = _KINDS.get(simple(kind), kind)
    if out.get("text", "") is None:
        out["text"] = ""
    to = out.get("to", ())
    if to is None:
        out["to"] = ()
    elif isinstance(to, int | str):
        out["to"] = (to,) if to != "" else ()
    return out


READER = AnswerReader(ActionAnswer, _prepare)


def action_of(answer: ActionAnswer, background: Background, raw: str) -> Action:
    """The action that an answer means, in the seat's own terms.

    Raises ``Unreadable`` where a needed text is missing or a recipient is unknown: a whisper to
    nobody must not become a word to everybody.
    """
    text = answer.text.strip()
    if answer.kind == "none":
        return Action(kind="none")
    if not text and answer.kind != "leave":
        raise Unreadable(f'kind "{answer.kind}" needs a text', raw)
    return Action(kind=answer.kind, text=text, to=_seats(answer.to, background, raw))


def _seats(to: Sequence[int | str], background: Background, raw: str) -> tuple[int, ...]:
    """The seats meant, without the own; empty for everybody."""
    if any(isinstance(one, str) and simple(one) in _EVERYBODY for one in to):
        return ()
    others = {other.seat for other in background.others}
    meant = {seat for one in to if (seat := _seat(one, background, raw)) != background.seat}
    if to and not meant:
        raise Unreadable("to names nobody but yourself", raw)
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
        raise Unreadable(f"to names {shortened(repr(one))}; the others {where} {known}", raw)
    return found.pop()
