"""Whether somebody says yes."""

from typing import Final

from actors.sandbox.rehearsal.engagements import Engagement, moment_of
from actors.sandbox.rehearsal.language.times import DAY
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.rehearsal.records import RememberedTalk

_APART: Final = 90
"""Minutes within which nobody is in two places."""
_LIKED: Final = {"gathering": 0.0, "meeting": 0.08, "help": -0.08, "company": -0.02}
"""How much readier one is for things of a kind."""


def open_questions(talk: RememberedTalk, one: Engagement, life: Life) -> str:
    """What one asks before one answers: ``when``, ``where``, ``when_where``; empty: nothing."""
    if one.accepted or one.kind == "help" or talk.asked:
        return ""
    open_ = "when" if one.when.minute is None else ""
    if not one.where and not one.online:
        open_ += "_where" if open_ else "where"
    keen = life.lots.hit(0.1 + 0.55 * life.traits.curious, "curious", one.number)
    return open_ if keen else ""


def refusal(life: Life, one: Engagement) -> str:
    """Why one says no: ``promised``, ``asleep``, ``busy``, ``wish``; empty: one says yes."""
    traits, lots, routine = life.traits, life.lots, life.routine
    at = moment_of(one, lots) if one.when.minute is not None else None
    if one.accepted:
        return ""
    if at is not None:
        minute = at % DAY
        if any(_clash(life, other, at) for other in life.engagements if other is not one):
            return "promised"
        if not routine.habits.wake <= minute <= routine.habits.bed - 30:
            return "asleep"
        starts, ends = routine.hours
        at_work = starts - 10 < minute < ends - 15 and not routine.works_at_home
        if at_work and not lots.hit(0.3 + 0.5 * traits.lively, "leave", one.number):
            return "busy"
    likes = 0.21 + 0.54 * traits.agreeable + _LIKED[one.kind]
    likes += 0.15 * (traits.lively - 0.5) if one.kind == "gathering" else 0.0
    return "" if lots.hit(likes, "agree", one.number, one.what) else "wish"


def _clash(life: Life, other: Engagement, at: int) -> bool:
    when = moment_of(other, life.lots) if other.accepted and not other.own else None
    return when is not None and abs(when - at) < _APART
