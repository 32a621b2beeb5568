"""Whether somebody says yes."""

from typing import NamedTuple

from actors.sandbox.rehearsal.engagements import Engagement, moment_of
from actors.sandbox.rehearsal.language.times import DAY, clock
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.rehearsal.records import RememberedTalk

_STAY = 90
"""Minutes within which nobody is in two places."""


class GivenAnswer(NamedTuple):
    """``yes``; ``no`` and why; ``ask`` and what for; ``counter`` and another time."""

    says: str
    what: str = ""


def answer_to(life: Life, talk: RememberedTalk, one: Engagement) -> GivenAnswer:
    """What one answers to something that was put to one."""
    traits, lots = life.traits, life.lots
    if one.accepted:
        return GivenAnswer("yes")
    openly = "_".join(
        filter(
            None,
            (
                "when" if one.when.minute is None and one.kind != "help" else "",
                "where" if not one.where and not one.online and one.kind != "help" else "",
            ),
        )
    )
    keen = lots.hit(0.1 + 0.55 * traits.curious, "curious", one.number)
    if openly and not talk.asked and keen:
        return GivenAnswer("ask", openly)
    likes = 0.21 + 0.54 * traits.agreeable
    likes += 0.15 * (traits.lively - 0.5) if one.kind == "gathering" else 0.0
    likes += {"meeting": 0.08, "help": -0.08, "company": -0.02}.get(one.kind, 0.0)
    at = moment_of(one, lots) if one.when.minute is not None else None
    if at is not None:
        if any(
            other is not one and other.accepted and not other.own and _clash(life, other, at)
            for other in life.engagements
        ):
            return GivenAnswer("no", "promised")
        minute, habits = at % DAY, life.routine.habits
        if minute > habits.bed - 30 or minute < habits.wake:
            return GivenAnswer("no", "asleep")
        starts, ends = life.routine.hours
        if starts - 10 < minute < ends - 15 and not life.routine.works_at_home:
            free = ends + 30
            if one.kind == "meeting" and free < habits.bed - 90:
                return GivenAnswer("counter", clock(-(-free // 30) * 30))
            if not lots.hit(0.3 + 0.5 * traits.lively, "leave", one.number):
                return GivenAnswer("no", "busy")
    return (
        GivenAnswer("yes")
        if lots.hit(likes, "agree", one.number, one.what)
        else GivenAnswer("no", "wish")
    )


def _clash(life: Life, other: Engagement, at: int) -> bool:
    when = moment_of(other, life.lots)
    return when is not None and abs(when - at) < _STAY
