"""What a rehearsal mind writes down: its day, what it plans for its task, and what it was told."""

from collections.abc import Sequence
from typing import Final

from actors.sandbox.rehearsal.language.times import DAY, clock
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.setup import WhatToDo
from events.thoughts import AnyThought, DayPlanned, Decided, MemoryAdded, TaskPlanned

_MOST_NAMED: Final = 25
"""People whom a plan names."""


class ThoughtWriter:
    """What was written down already, read from the journal as it grows."""

    __slots__ = ("_days", "_memories", "_read", "_task")

    def __init__(self) -> None:
        self._read = 0
        self._days: set[int] = set()
        self._memories = 0
        self._task = False

    def thoughts(
        self, life: Life, question: WhatToDo, decisions: Sequence[Decided]
    ) -> tuple[AnyThought, ...]:
        """What is new since the last decision that was written down."""
        for decided in decisions[self._read :]:
            for thought in decided.thoughts:
                match thought:
                    case DayPlanned(day=day):
                        self._days.add(day)
                    case MemoryAdded():
                        self._memories += 1
                    case TaskPlanned():
                        self._task = True
        self._read = len(decisions)
        moment = life.moment(question.at)
        found: list[AnyThought] = []
        if not self._task and life.organized:
            found.append(_task(life, moment))
        number = moment // DAY - life.who.start // DAY
        if number not in self._days:
            found.append(_day(life, moment, number))
        for place, note in enumerate(life.notes[self._memories :], self._memories):
            found.append(
                MemoryAdded(
                    id=place,
                    kind="talk",
                    text=note.text,
                    at=float((note.moment - life.who.start) * 60),
                    importance=note.importance,
                    subject=note.subject,
                )
            )
        return tuple(found)


def _day(life: Life, moment: int, number: int) -> DayPlanned:
    day = life.day(moment)
    plan = [f"wake up at {clock(day.wake)}"]
    for block in day.blocks:
        if (
            block.minutes >= 30
            and block.text not in " ".join(plan)
            and len(plan) < 7
            and block.start > day.wake
        ):
            plan.append(f"{block.text} at {clock(block.start)}")
    for one in life.engagements:
        if one.accepted and one.when.day == moment // DAY and one.when.minute is not None:
            plan.append(f"{one.name} at {clock(one.when.minute)}")
    return DayPlanned(day=number, wake=day.wake % DAY, plan=tuple(plan), schedule=day.blocks)


def _task(life: Life, moment: int) -> TaskPlanned:
    own, today = life.own, moment // DAY
    assert own is not None
    plan = own.in_words(today)
    others = [name for seat, name in enumerate(life.who.names) if seat != life.who.seat]
    target = own.who
    named = ", ".join(others[:_MOST_NAMED]) + ", …" * (len(others) > _MOST_NAMED)
    first = f"speak to {target}" if target else f"speak to everybody: {named}"
    return TaskPlanned(
        plan=(
            f"{life.who.goal}. I begin today and {first}. To each I say what it is, where and when"
            f" ({plan}), and I ask for an answer. I note who has said yes, and ask them to tell "
            f"others."
        ),
        reminder=f"Look for people wherever they are to be found, and tell them of {plan}.",
        checklist=("say what it is", "say when", "say where", "get an answer"),
    )
