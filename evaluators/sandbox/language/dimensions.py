"""What talks are scored in: conditions that are met or not, and the rates that follow from them."""

from collections.abc import Mapping
from typing import Final

from evaluators.sandbox.language.conditions import (
    NAMES,
    PARTS,
    Edition,
    Part,
    Variant,
    dimension_name,
)
from evaluators.sandbox.language.success_rates import share, success
from events.evaluation import Dimension, JudgeSpec

PAPER: Final = "sandbox-talk"
PUBLISHED: Final = "sandbox-talk-published"
VARIANTS: Final[Mapping[str, Variant]] = {PAPER: "paper", PUBLISHED: "published"}
"""By a rubric's name what it asks."""

_WHAT: Final[Mapping[str, str]] = {
    "invited": "Somebody was invited.",
    "opened": "What the meeting is for was brought up.",
    "time": "Date and time were named; where the task leaves them open, they were agreed on, to "
    "the hour at least.",
    "place": "The place was named; where the task leaves it open, it was agreed on.",
    "request_1": "The first thing was asked for.",
    "place_1": "Where the first thing is to be done was said.",
    "request_2": "The second thing was asked for.",
    "place_2": "Where the second thing is to be done was said.",
}
_OF: Final[Mapping[Part, str]] = {
    "conversation": "In the conversation: ",
    "summary": "In what the target told of it: ",
}
_FIRST_TIME: Final = (
    "The time was named, to the hour; in public activities the day, too; where the task leaves it "
    "open, it was agreed on."
)


def _conditions(what: Mapping[str, str]) -> tuple[Dimension, ...]:
    return tuple(
        Dimension(
            name=dimension_name(part, name),
            low=0,
            high=1,
            integer=True,
            description=f"{_OF[part]}{what[name]}",
        )
        for part in PARTS
        for name in NAMES
    )


CONDITIONS: Final = _conditions(_WHAT)
"""1: met, 0: not. Of a task only those of its kind are asked."""
FIRST: Final = _conditions({**_WHAT, "time": _FIRST_TIME})
_FIRST_PROMPT: Final = "sandbox-talk-v1"


def sr(part: Part) -> str:
    """The name of a part's success rate."""
    return f"{part}_sr"


def gcsr(part: Part) -> str:
    """The name of a part's goal condition success rate."""
    return f"{part}_gcsr"


RATES: Final = tuple(
    dimension
    for part in PARTS
    for dimension in (
        Dimension(
            name=sr(part),
            low=0,
            high=1,
            integer=True,
            description=f"Whether all conditions of the {part} are met; worked out.",
        ),
        Dimension(
            name=gcsr(part),
            low=0,
            high=1,
            description=f"The share of the conditions of the {part} that are met; worked out.",
        ),
    )
)
DIMENSIONS: Final = (*CONDITIONS, *RATES)
CONDITION_NAMES: Final = frozenset(dimension.name for dimension in CONDITIONS)


def work_out(dimension: Dimension, values: Mapping[str, float]) -> float | None:
    """A rate, of the conditions that have a value; None: none has."""
    for part in PARTS:
        met = [values[name] for one in NAMES if (name := dimension_name(part, one)) in values]
        if met and dimension.name in (sr(part), gcsr(part)):
            return success(met) if dimension.name == sr(part) else share(met)
    return None


def edition_of(spec: JudgeSpec) -> Edition:
    """What a judge was made to ask: its prompt tells, or else its dimensions."""
    if spec.prompt_version:
        return 1 if spec.prompt_version.partition("@")[0] == _FIRST_PROMPT else 2
    return 1 if any(one in spec.dimensions for one in FIRST if one not in CONDITIONS) else 2
