"""The section ``[people]`` of a plan file: rules for seats that wait for people."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from actors.runs.plan.mind_entries import mind_specs
from events.episode import PeopleRules

if TYPE_CHECKING:
    from actors.runs.plan.plan_file import PlanFile

LONGEST_S: Final = 7 * 86_400.0
"""The most that can be given for a turn, in seconds: a week."""
Seconds = Annotated[float, msgspec.Meta(ge=0, le=LONGEST_S)]


class PeopleSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long people may take, and what follows."""

    deadline_s: Seconds = 0.0
    """Seconds for a turn; 0: as long as it takes."""
    nudge_s: Seconds = 0.0
    """After so many they are reminded; 0: not at all."""
    late: Literal["nothing", "takeover", "end"] = "nothing"
    """What follows where the deadline has passed."""
    substitute: str = ""
    """The name of the plan's mind that takes a seat which a person leaves or is late in; empty: the
    mind that sat there before."""


def people_rules(plan: "PlanFile") -> PeopleRules:
    """The section as it is recorded with a run and with each of its episodes."""
    section = plan.people
    minds = {mind.name: mind for mind in mind_specs(plan.minds)}
    return PeopleRules(
        deadline_s=section.deadline_s,
        nudge_s=section.nudge_s,
        late=section.late,
        substitute=minds.get(section.substitute),
    )


def people_problems(plan: "PlanFile") -> Iterator[tuple[str, str]]:
    """What is wrong with the section, beyond what its types say."""
    section = plan.people
    if section.late != "nothing" and not section.deadline_s:
        yield (
            "people.deadline_s",
            f"is needed with late = {section.late!r}: after how many seconds?",
        )
    if section.deadline_s and section.nudge_s >= section.deadline_s:
        yield "people.nudge_s", "comes before the deadline, so it is less than deadline_s"
    if section.substitute:
        mind = plan.minds.get(section.substitute)
        if mind is None:
            known = ", ".join(plan.minds)
            why = f"there is no mind {section.substitute!r}; the plan has {known}"
            yield "people.substitute", why
        elif mind.kind in ("person", "remote"):
            why = f"is to answer at once, and {section.substitute!r} is of kind {mind.kind}"
            yield "people.substitute", why
    elif section.late == "takeover" and any(one.kind == "person" for one in plan.minds.values()):
        yield "people.substitute", "is needed: nobody sits in a person's seat before they come"
