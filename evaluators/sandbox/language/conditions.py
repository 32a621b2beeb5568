"""What a talk must hold to have got somewhere, by the kind of its task (STSS, section 3.2).

Each condition is asked of the conversation, and again of what the target tells afterwards.
"""

from typing import Final, Literal, NamedTuple

from actors.sandbox.catalog_items import Case, Goal, TaskKind

Part = Literal["conversation", "summary"]
PARTS: Final[tuple[Part, ...]] = ("conversation", "summary")
Variant = Literal["paper", "published"]
"""``published``: as its code has it, the summaries of appointments are asked what those of public
activities are."""
Edition = Literal[1, 2]
"""1: invitations to online activities and what the two agree on needed the hour alone, where the
published prompts ask for date and time. What was judged by it stays."""
NEWEST: Final[Edition] = 2
What = Literal["asked", "date", "time", "place"]
"""``asked``: somebody is invited or asked for something; ``date``: the day and the hour are named;
``time``: the hour is; ``place``."""
NOWHERE: Final = "N/A"
"""What is put where a task names no place or time, as published."""


class _Kind(NamedTuple):
    name: str
    what: What
    agreed: bool = False
    """The two settle it, for the task leaves it open."""
    goal: int = 0
    """Which of the task's goals it is about."""


_KINDS: Final[dict[TaskKind, tuple[_Kind, ...]]] = {
    "public": (_Kind("invited", "asked"), _Kind("time", "date"), _Kind("place", "place")),
    "appointment": (
        _Kind("opened", "asked"),
        _Kind("time", "time", agreed=True),
        _Kind("place", "place", agreed=True),
    ),
    "companions": (
        _Kind("invited", "asked"),
        _Kind("time", "time", agreed=True),
        _Kind("place", "place"),
    ),
    "online": (_Kind("invited", "asked"), _Kind("time", "date")),
    "help": (
        _Kind("request_1", "asked"),
        _Kind("place_1", "place"),
        _Kind("request_2", "asked", goal=1),
        _Kind("place_2", "place", goal=1),
    ),
}
_HOURLY: Final = ("online", "time")
NAMES: Final = tuple(dict.fromkeys(kind.name for kinds in _KINDS.values() for kind in kinds))
"""All conditions there are."""


class Condition(NamedTuple):
    """One question to be answered with yes or no."""

    part: Part
    name: str
    what: What
    agreed: bool
    goal: Goal
    text: str
    """What must be so, as a sentence."""

    @property
    def dimension(self) -> str:
        """How scores call it."""
        return dimension_name(self.part, self.name)


def dimension_name(part: Part, name: str) -> str:
    """How scores call a condition of a part."""
    return f"{part}_{name}"


def conditions_of(
    case: Case, part: Part, variant: Variant = "paper", edition: Edition = NEWEST
) -> tuple[Condition, ...]:
    """What is asked of one part of a case. Of a task of help with one goal only that is asked."""
    kind = case.task.kind
    if variant == "published" and kind == "appointment" and part == "summary":
        kind = "public"
    return tuple(
        Condition(
            part, one.name, one.what, one.agreed, goal, _text(case, part, kind, one, goal, edition)
        )
        for one in (_then(given, kind, edition) for given in _KINDS[kind])
        if one.goal < len(case.task.goals)
        for goal in (case.task.goals[one.goal],)
    )


def _then(one: _Kind, kind: TaskKind, edition: Edition) -> _Kind:
    return one._replace(what="time") if edition == 1 and (kind, one.name) == _HOURLY else one


def _text(case: Case, part: Part, kind: TaskKind, one: _Kind, goal: Goal, edition: Edition) -> str:
    who, whom = case.performer.inhabitant.id, case.target.inhabitant.id
    thing = goal.keyword
    if one.what == "asked":
        asked = {
            "public": f"{who} invites {whom} to it ({thing}).",
            "appointment": f"{who} asks {whom} to meet, and says what for ({thing}).",
            "companions": f"{who} invites {whom} to come along ({thing}).",
            "online": f"{who} invites {whom} to take part online ({thing}).",
            "help": f"{who} asks {whom} for this: {thing}.",
        }[kind]
        return f"It tells that {asked}" if part == "summary" else asked
    if one.agreed:
        exact = "exact date and time" if edition > 1 else "time"
        on = f"{exact}, to the hour at least" if one.what == "time" else "place"
        if part == "summary":
            return f"It names the {on}, on which the two agreed."
        article = "an" if edition > 1 and one.what == "time" else "a"
        return f"{who} and {whom} agree on {article} {on}."
    names = "It names" if part == "summary" else f"{who} names"
    if one.what == "place":
        of = f"where this is to be done ({thing})" if kind == "help" else "the place"
        return f"{names} {of}: {goal.place or NOWHERE}."
    when = goal.start or NOWHERE
    of = "the time, to the hour at least"
    if one.what == "date":
        of = "the exact date and time" if edition > 1 else "the day and the time of day"
    return f"{names} {of}: {when}."
