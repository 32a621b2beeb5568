"""What models answer a generative mind, as structs. They are read by the one path of all answers
(``actors.models.answers.structured``); what the types cannot say is checked by whoever asks."""

from math import isfinite
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from actors.models.answers.structured import Fields
from actors.models.response_formats.schemas import SAID, text_schema

Line = Annotated[
    str, Meta(min_length=1, max_length=300, extra_json_schema=text_schema(200, without="@"))
]
"""Half a sentence, or a short one."""
Paragraph = Annotated[
    str, Meta(min_length=1, max_length=2_000, extra_json_schema=text_schema(SAID))
]
"""Some sentences."""
Time = Annotated[
    str,
    Meta(max_length=20, extra_json_schema={"pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}),
]
"""Of a day, as ``07:30``."""
Minutes = Annotated[int, Meta(ge=1, le=1440, extra_json_schema={"enum": [5, 8, 10, 12, 15]})]
Importance = Annotated[int, Meta(ge=1, le=10)]
Numbers = Annotated[tuple[int, ...], Meta(extra_json_schema={"minItems": 1, "maxItems": 5})]
"""Of statements."""

_RANGES: Final = {"importance": (1, 10), "ratings": (1, 10), "minutes": (1, 1440)}


def clamped(fields: Fields) -> Fields:
    """The fields of an answer, with numbers that are out of range at its end."""
    return {name: _clamped(value, name) for name, value in fields.items()}


def _clamped(value: object, name: str) -> object:
    match value:
        case dict():
            return clamped(value)
        case list():
            return [_clamped(one, name) for one in value]
        case bool():
            return value
        case int() | float() if name in _RANGES and isfinite(value):
            low, high = _RANGES[name]
            return min(high, max(low, round(value)))
    return value


class MindAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The root of them."""


class TextAnswer(MindAnswer, frozen=True, kw_only=True):
    """Some sentences."""

    text: Paragraph


class Short(MindAnswer, frozen=True, kw_only=True):
    """A few words."""

    text: Line


class ClockAnswer(MindAnswer, frozen=True, kw_only=True):
    """A time of day."""

    time: Time


class Broad(MindAnswer, frozen=True, kw_only=True):
    """A day in broad strokes."""

    plan: Annotated[
        tuple[Line, ...], Meta(min_length=1, max_length=16, extra_json_schema={"maxItems": 6})
    ]


class Hour(MindAnswer, frozen=True, kw_only=True):
    """What is begun at a time."""

    start: Time
    activity: Line


class DayAnswer(MindAnswer, frozen=True, kw_only=True):
    """A day: when one wakes, the day in broad strokes, and what is begun when."""

    wake: Time
    plan: Annotated[
        tuple[Line, ...], Meta(min_length=1, max_length=16, extra_json_schema={"maxItems": 6})
    ]
    hours: Annotated[
        tuple[Hour, ...], Meta(min_length=1, max_length=48, extra_json_schema={"maxItems": 16})
    ]


class StepAnswer(MindAnswer, frozen=True, kw_only=True):
    """An action of a block."""

    text: Line
    minutes: Minutes


class Steps(MindAnswer, frozen=True, kw_only=True):
    """A block as actions."""

    actions: Annotated[
        tuple[StepAnswer, ...],
        Meta(min_length=1, max_length=60, extra_json_schema={"maxItems": 12}),
    ]


class Triple(MindAnswer, frozen=True, kw_only=True):
    """A sentence in three parts."""

    subject: Line
    verb: Line
    object: Annotated[str, Meta(max_length=300)]


class Rating(MindAnswer, frozen=True, kw_only=True):
    """How much each of some memories matters, in their order."""

    ratings: Annotated[tuple[Importance, ...], Meta(min_length=1)]


class Reaction(MindAnswer, frozen=True, kw_only=True):
    """Whom to talk to; empty: nobody."""

    why: Annotated[str, Meta(max_length=500, extra_json_schema=text_schema(200))]
    talk_to: Annotated[str, Meta(max_length=200)]


class Waiting(MindAnswer, frozen=True, kw_only=True):
    """Whether to wait until somebody is done."""

    wait: bool


class Utterance(MindAnswer, frozen=True, kw_only=True):
    """What is said, and whether it is the last word."""

    ends: bool
    text: Paragraph


class LastUtterance(MindAnswer, frozen=True, kw_only=True):
    """The same, with what the talk was about, where it ends."""

    ends: bool
    about: Annotated[str, Meta(max_length=200)]
    text: Paragraph


class After(MindAnswer, frozen=True, kw_only=True):
    """What a talk means for one's plans, what is worth keeping of it, and how much it matters."""

    importance: Importance
    note: Paragraph
    memo: Paragraph


class Questions(MindAnswer, frozen=True, kw_only=True):
    """What one asks oneself."""

    questions: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=3)]


class Insight(MindAnswer, frozen=True, kw_only=True):
    """What follows from some statements, by their numbers."""

    text: Line
    because: Numbers


class Insights(MindAnswer, frozen=True, kw_only=True):
    """What follows for one question."""

    insights: Annotated[tuple[Insight, ...], Meta(min_length=1, max_length=5)]


class RatedInsight(MindAnswer, frozen=True, kw_only=True):
    """The same, with the number of its question and how much it matters."""

    question: int
    text: Line
    because: Numbers
    importance: Importance


class RatedInsights(MindAnswer, frozen=True, kw_only=True):
    """What follows for several questions."""

    insights: Annotated[
        tuple[RatedInsight, ...],
        Meta(min_length=1, max_length=15, extra_json_schema={"maxItems": 6}),
    ]


class Checklist(MindAnswer, frozen=True, kw_only=True):
    """What is to be got done."""

    items: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=4)]
