"""The format in which a model is asked for scores, and how its answer is read.

Seats and dimensions are independent: if one score cannot be read, only this one fails. A value that
is not a number or is outside its range is a failure; it is never clipped to the range and never
zero.
"""

import json
from collections.abc import Callable, Collection, Container, Sequence
from math import isfinite
from typing import Any, Final, NamedTuple

import json_repair

from actors.models.answers import structured
from actors.models.answers.copied_phrases import is_copied
from actors.models.answers.structured import AnswerReader
from actors.models.completion import encodable as storable
from actors.models.errors import Unreadable
from actors.models.response_formats.schemas import MOST_VALUES, Schema, object_schema, wording
from events.evaluation import Dimension, ScoreAbstained, Scored, ScoreFailed

Outcome = Scored | ScoreFailed | ScoreAbstained
Outcomes = dict[tuple[int, str], Outcome]
"""By seat and dimension, in the order of the question."""
Reader = Callable[[int, Dimension, Any], Outcome]
"""What the answer for one seat and dimension says."""

MOST_REASON: Final = 400
"""Characters of a reason that a model is held to; it is read at any length."""
LEAST_REASON: Final = 60
"""Characters of a reason where there are more scores than the longest answer has room for."""
CHARACTERS_A_TOKEN: Final = 3
"""In English there are about 4."""
AROUND: Final = 40
"""Tokens of an answer around each reason."""
ALL_VALUES: Final = 900
"""Values that one schema writes out; OpenAI's strict mode takes 1,000."""
OF_A_SCORE: Final = 12
"""Those of them that a score needs for itself."""


class AnswerBounds(NamedTuple):
    """What the schema of one judgement may take up, so that the whole answer has room."""

    reason: Schema
    """That of its reason."""
    values: int
    """Values that it may write out in each of its lists."""


def room_of(longest: int, judgements: int) -> AnswerBounds:
    """The room for each of some judgements in an answer of at most ``longest`` tokens."""
    each = CHARACTERS_A_TOKEN * (longest // max(1, judgements) - AROUND)
    values = (ALL_VALUES // max(1, judgements) - OF_A_SCORE) // 2
    return AnswerBounds(
        wording(min(MOST_REASON, max(LEAST_REASON, each))), max(0, min(MOST_VALUES, values))
    )


Shape = Callable[[int, Dimension, AnswerBounds], Schema]
"""The schema of the answer for one seat and dimension."""

RAW_LIMIT = 4000
"""Characters of an unreadable answer kept with each failed score; all of it is kept with the call.
"""


_SEAT = "seat_"
_READER = AnswerReader(dict[str, dict[str, Any]])


def seat_key(seat: int) -> str:
    """How question and answer call a seat: people count from 1."""
    return f"{_SEAT}{seat + 1}"


def decode(
    text: str,
    dimensions: Sequence[Dimension],
    seats: int,
    *,
    read: Reader,
    label: str = "other",
    phrases: Collection[str] = frozenset(),
) -> Outcomes:
    """What an answer says of every seat and dimension that was asked for.

    ``read`` takes what stands under a seat and dimension; what stands nowhere fails here, and so
    does what has one of the ``phrases`` of the form for its reason. ``label`` is the model's in the
    metrics.
    """
    text = storable(text)
    asked = [(seat, dimension) for seat in range(seats) for dimension in dimensions]
    try:
        whole = read_object(text, label)
    except Unreadable as error:
        return {(s, d.name): failed(s, d, error.detail, text) for s, d in asked}
    found: Outcomes = {}
    for seat, dimension in asked:
        of_seat = whole.get(seat_key(seat))
        if not isinstance(of_seat, dict):
            found[seat, dimension.name] = failed(
                seat, dimension, f"the answer has no {seat_key(seat)}", text
            )
        elif dimension.name not in of_seat:
            why = f"the answer has no {dimension.name} for {seat_key(seat)}"
            found[seat, dimension.name] = failed(seat, dimension, why, text)
        elif _copied(answer := of_seat[dimension.name], phrases):
            why = "the reason is copied from the form; give one of your own"
            found[seat, dimension.name] = failed(seat, dimension, why, answer)
        else:
            found[seat, dimension.name] = read(seat, dimension, answer)
    return found


def _copied(answer: object, phrases: Collection[str]) -> bool:
    reason = answer.get("reason") if isinstance(answer, dict) else None
    return isinstance(reason, str) and bool(reason.strip()) and is_copied(reason, phrases)


class Judgement:
    """What a model's answers say of all that it was asked for, put together: what could be read
    in an earlier answer stays as it was."""

    def __init__(
        self,
        dimensions: Sequence[Dimension],
        seats: int,
        read: Reader,
        phrases: Collection[str] = frozenset(),
    ) -> None:
        self._dimensions, self._seats, self._read = dimensions, seats, read
        self._phrases = phrases
        self.found: Outcomes = {}

    def schema(self, of: Shape, longest: int) -> Schema:
        """The shape of the whole answer of at most ``longest`` tokens; ``of`` gives that of what
        stands under a seat and a dimension."""
        room = room_of(longest, self._seats * len(self._dimensions))
        return object_schema(
            {
                seat_key(seat): object_schema(
                    {one.name: of(seat, one, room) for one in self._dimensions}
                )
                for seat in range(self._seats)
            }
        )

    def read(self, text: str, label: str = "other") -> Outcomes:
        """Every outcome, after one more answer. Raises ``Unreadable`` where some are still missing;
        ``found`` has the others."""
        answer = decode(
            text, self._dimensions, self._seats, read=self._read, label=label, phrases=self._phrases
        )
        readable: Outcomes = {
            key: one for key, one in self.found.items() if not isinstance(one, ScoreFailed)
        }
        self.found = answer | readable
        missing = [
            f"{seat_key(seat)}, {dimension}: {outcome.error}"
            for (seat, dimension), outcome in self.found.items()
            if isinstance(outcome, ScoreFailed)
        ]
        if missing:
            raise Unreadable(missing, text)
        return self.found

    def fail(self, error: str, raw: str = "") -> None:
        """Every score failed because no answer came, but ``raw``."""
        self.found = {
            (seat, dimension.name): failed(seat, dimension, error, raw)
            for seat in range(self._seats)
            for dimension in self._dimensions
        }


def read_object(text: str, label: str) -> dict[str, Any]:
    """The judgement in a model's answer, with fences, prose and small faults forgiven. Raises
    ``Unreadable`` where there is none.

    Of an answer that was cut off in the middle, what was closed before is used: a score belongs
    to it only with the brace after it, for of ``"score": 10`` there might be but the 1.
    """
    try:
        whole: dict[str, Any] = _READER.read(text, label)
        if any(name.startswith(_SEAT) for name in whole):
            return whole
    except Unreadable:
        pass  # What could be read seat by seat may still be in it.
    none = Unreadable(
        "the answer holds no JSON object" if text.strip() else "the answer is empty", text
    )
    begin, end = text.find("{"), text.rfind("}")
    if not 0 <= begin < end or len(text) > structured.LONGEST:
        raise none
    try:
        found = json_repair.loads(text[begin : end + 1], skip_json_loads=True)
    except (ValueError, RecursionError):
        raise none from None
    if not isinstance(found, dict) or not found:
        raise none
    try:
        return structured.encodable(found)
    except UnicodeEncodeError:
        raise Unreadable(f"the answer cannot be kept: {structured.HALF_PAIR}", text) from None


def read_score(
    seat: int, dimension: Dimension, answer: Any, *, numbers: Container[int] = ()
) -> Outcome:
    """A score in the dimension's range, a whole one where it has no others; declined with null.

    ``numbers`` are the event numbers that may be given as evidence; others are left out.
    """
    why = why_unreadable(answer, "score")
    if why:
        return failed(seat, dimension, why, answer)
    reason, value = answer["reason"].strip(), answer["score"]
    if value is None:
        return ScoreAbstained(seat=seat, dimension=dimension.name, reason=reason)
    if isinstance(value, bool) or not isinstance(value, int | float):
        why = f"the score must be a number, is {shown(value)}"
    elif not (isfinite(value) and dimension.low <= value <= dimension.high):
        why = f"the score must be {dimension.low:g} to {dimension.high:g}, is {shown(value)}"
    elif dimension.integer and value != round(value):
        why = f"the score must be a whole number, is {shown(value)}"
    if why:
        return failed(seat, dimension, why, answer)
    return Scored(
        seat=seat,
        dimension=dimension.name,
        value=float(value),
        reason=reason,
        evidence=read_evidence(answer, numbers),
    )


def why_unreadable(answer: object, value: str) -> str:
    """Why an answer is no object with a reason and a field ``value``; empty where it is one."""
    if not isinstance(answer, dict):
        return f"must be an object with reason and {value}, is {shown(answer)}"
    reason = answer.get("reason")
    if not isinstance(reason, str) or is_copied(reason):
        return "has no reason"
    return "" if value in answer else f"has no {value}"


def read_evidence(answer: dict[str, Any], numbers: Container[int]) -> tuple[int, ...]:
    """The event numbers given as evidence; what is none of ``numbers`` is left out."""
    evidence = answer.get("evidence")
    return tuple(
        number
        for number in (evidence if isinstance(evidence, list) else ())
        if isinstance(number, int) and not isinstance(number, bool) and number in numbers
    )


def failed(seat: int, dimension: Dimension, why: str, answer: object) -> ScoreFailed:
    """A score that could not be read, with what stood in its place."""
    raw = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    if len(raw) > RAW_LIMIT:
        raw = raw[:RAW_LIMIT] + "…"
    return ScoreFailed(seat=seat, dimension=dimension.name, error=why, raw=raw)


def shown(value: object) -> str:
    """The beginning of a value, for a sentence about it."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"
