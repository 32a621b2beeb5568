"""What an annotator's form sends, read."""

from collections.abc import Mapping
from math import isfinite

import msgspec

from actors.annotation.answers import MOST_QUOTES, MOST_REASON
from actors.annotation.state import Study
from events.annotation import SeatAnswer
from events.serialization.struct_types import decodable
from gateway.services.annotations.drafts import AnnotationDraft

LONGEST_S = 24 * 3600.0
"""No item is looked at for longer, in seconds."""


class Quote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words that were picked from the transcript."""

    number: int
    """The event's."""
    text: str


_quotes = msgspec.json.Decoder(decodable(tuple[Quote, ...]))


def read_form(study: Study, item: int, seats: int, sent: Mapping[str, object]) -> AnnotationDraft:
    """The answers that a form holds. What cannot be read counts as not answered."""
    answers = {}
    planned = study.plan.items[item]
    which = range(seats) if planned.seat is None else (planned.seat,)
    for seat in which:
        for place, dimension in enumerate(study.plan.dimensions):
            key = f"{seat}.{place}"
            abstained = bool(sent.get(f"abstained.{key}"))
            quotes = _picked(sent.get(f"quotes.{key}"))
            answers[seat, dimension.name] = SeatAnswer(
                seat=seat,
                dimension=dimension.name,
                value=None if abstained else _number(sent.get(f"value.{key}")),
                abstained=abstained,
                reason=_text(sent.get(f"reason.{key}"))[: MOST_REASON + 1],
                evidence=tuple(one.number for one in quotes),
                quotes=tuple(one.text for one in quotes),
            )
    seconds = _number(sent.get("seconds")) or 0.0
    return AnnotationDraft(
        answers=answers,
        check=_number(sent.get("check")),
        seconds=min(max(0.0, seconds), LONGEST_S),
    )


def _number(given: object) -> float | None:
    if not isinstance(given, str):
        return None
    try:
        value = float(given)
    except ValueError:
        return None
    return value if isfinite(value) else None


def _text(given: object) -> str:
    return given.strip() if isinstance(given, str) else ""


def _picked(given: object) -> tuple[Quote, ...]:
    if not isinstance(given, str) or not given:
        return ()
    try:
        found = _quotes.decode(given)
    except (msgspec.MsgspecError, UnicodeError):
        return ()
    return tuple(one for one in found if one.text.strip())[: MOST_QUOTES + 1]
