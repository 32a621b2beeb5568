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
    "online": (_Kind("invited", "asked"), _Kind("time", "time")),
    "help": (
        _Kind("request_1", "asked"),
        _Kind("place_1", "place"),
        _Kind("request_2", "asked", goal=1),
        _Kind("place_2", "place", goal=1),
    ),
}
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


def conditions_of(case: Case, part: Part, variant: Variant = "paper") -> tuple[Condition, ...]:
    """What is asked of one part of a case. Of a task of help with one goal only that is asked."""
    kind = case.task.kind
    if variant == "published" and kind == "appointment" and part == "summary":
        kind = "public"
    return tuple(
        Condition(part, one.name, one.what, one.agreed, goal, _text(case, part, kind, one, goal))
        for one in _KINDS[kind]
        if one.goal < len(case.task.goals)
        for goal in (case.task.goals[one.goal],)
    )


def _text(case: Case, part: Part, kind: TaskKind, one: _Kind, goal: Goal) -> str:
    who, whom = case.performer.inhabitant.id, case.target.inhabitant.id
    told = part == "summary"
    if one.what == "asked":
        about = f"(“{goal.keyword}”)"
        sentence = {
            "public": f"{who} invites {whom} to what is to be held {about}.",
            "appointment": f"{who} asks {whom} to meet, and says what for {about}.",
            "companions": f"{who} invites {whom} to come along {about}.",
            "online": f"{who} invites {whom} to take part online {about}.",
            "help": f"{who} asks {whom} to do this: {goal.keyword}.",
        }[kind]
        return f"{whom} tells that {sentence}" if told else sentence
    if one.agreed:
        on = "a time, to the hour at least" if one.what == "time" else "a place"
        return f"{whom} tells {on}, that the two agreed on." if told else f"They agree on {on}."
    speaker = whom if told else who
    if one.what == "place":
        at = goal.place or NOWHERE
        doing = f"to do this ({goal.keyword})" if kind == "help" else "it is"
        return f"{speaker} says where {doing}: {at}."
    when = goal.start or NOWHERE
    return (
        f"{speaker} says the day and the time of day: {when}."
        if one.what == "date"
        else f"{speaker} says at what time it is, to the hour at least: {when}."
    )
