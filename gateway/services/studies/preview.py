"""What a study file means, before anything is stored."""

from events.base import Value
from gateway.services.studies.plan_file import ReadStudy


class ConditionMeant(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A kind of group."""

    name: str
    """Its name."""
    people: int
    """Participants of a group."""
    minds: tuple[str, ...]
    """Who has the other seats, by name."""
    tasks: tuple[str, ...]
    """What groups play, by id."""
    quota: int
    """Whole groups wanted; 0: any number."""
    share: float
    """How many groups, against other conditions."""


class StudyMeant(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A study as it would be."""

    name: str
    """As lists call it."""
    title: str
    """As participants see it."""
    environment: str
    """Where it is played."""
    catalog: str
    """Where its tasks are from."""
    participants: int
    """At most so many come in; 0: any number."""
    conditions: tuple[ConditionMeant, ...]
    """Who meets whom."""
    way: tuple[str, ...]
    """What participants go through, in order, in words."""
    deadline_s: float
    """Of a person's turn, in seconds; 0: any time."""
    late: str
    """What happens then, in words; empty: nothing ever does."""
    usd: float
    """What models may cost, in US dollars; 0: no limit."""


def meaning_of(read: ReadStudy) -> StudyMeant:
    """What a prepared study means."""
    one = read.study
    return StudyMeant(
        name=one.name,
        title=one.title,
        environment=one.environment,
        catalog=one.catalog,
        participants=one.participants,
        conditions=tuple(
            ConditionMeant(
                name=c.name,
                people=c.people,
                minds=tuple(mind.name for mind in c.minds),
                tasks=c.tasks,
                quota=c.quota,
                share=c.share,
            )
            for c in one.conditions
        ),
        way=_way(read),
        deadline_s=one.people.deadline_s,
        late=_late(read),
        usd=read.planned.plan.budget.usd,
    )


def _way(read: ReadStudy) -> tuple[str, ...]:
    one = read.study
    steps = ["consent"]
    steps += [f"screening ({len(one.screening)})"] * bool(one.screening)
    steps += [f"instructions ({len(one.instructions)})"] * bool(one.instructions)
    steps += [f"comprehension ({len(one.comprehension)})"] * bool(one.comprehension)
    steps += [f"the lobby (at most {one.lobby.limit_s:g} s)", "the episode"]
    steps += [f"the questionnaire ({len(one.questionnaire)})"] * bool(one.questionnaire)
    return tuple(steps)


def _late(read: ReadStudy) -> str:
    people = read.study.people
    if not people.deadline_s:
        return ""
    late = {"end": "the episode ends", "takeover": "a mind takes the seat"}
    return late.get(people.late, "it is passed over")
