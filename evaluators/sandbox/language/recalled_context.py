"""What somebody had in mind at a moment: from the conclusions of a mind that thinks, or, where
there are none, from what the town's own stream tells of them.

Whatever came after the moment is left out.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from actors.minds.generative.schedule import DAY, clock
from actors.sandbox.conversation.partner_address import SMALL_TALK
from actors.sandbox.setup import ActionStarted, Noticed, TalkClosed
from events.thoughts import (
    AnyThought,
    Block,
    DayPlanned,
    Decided,
    MemoriesRetrieved,
    MemoryAdded,
    StatusRevised,
)

MOST: Final = 8
"""Memories that a case holds of each."""
_FADING: Final = 0.995
"""By so much a memory weighs less an hour."""


class Recalled(NamedTuple):
    """What one of two had in mind."""

    memories: tuple[str, ...] = ()
    """The best first."""
    schedule: tuple[str, ...] = ()
    """What is left of the day."""
    currently: str = ""
    """What they are about these days, where they revised it."""


class Moment(NamedTuple):
    """When it is that somebody is asked for what they have in mind."""

    turn: int
    """The last turn that was opened before."""
    seconds: float
    """Since the town's time began."""
    start: datetime
    """When that was."""
    partner: str
    """Whom they are about to talk to."""

    @property
    def now(self) -> datetime:
        """The date and time."""
        return self.start + timedelta(seconds=self.seconds)


def from_thoughts(decisions: Iterable[Decided], moment: Moment) -> Recalled:
    """Of an agent's conclusions those of the turns before the moment. Came to mind has what was
    looked up at that very moment; else what is about the partner, what matters and what is new."""
    before = [one for one in decisions if one.turn <= moment.turn]
    thoughts: list[AnyThought] = [thought for one in before for thought in one.thoughts]
    memories = {one.id: one for one in thoughts if isinstance(one, MemoryAdded)}
    looked_up = [
        memories[id_]
        for one in reversed(thoughts)
        if isinstance(one, MemoriesRetrieved) and one.at == moment.seconds
        for id_ in one.ids
        if id_ in memories
    ]
    others = sorted(
        (one for one in memories.values() if one.expires is None or one.expires > moment.seconds),
        key=lambda one: (-_weight(one, moment), one.id),
    )
    revised = [one.currently for one in thoughts if isinstance(one, StatusRevised)]
    return Recalled(
        memories=tuple(dict.fromkeys(one.text for one in (*looked_up, *others)))[:MOST],
        schedule=_rest_of_day(thoughts, moment),
        currently=revised[-1] if revised else "",
    )


class Stretch(NamedTuple):
    """Something that a town's stream tells."""

    at: int
    """The step."""
    fact: ActionStarted | Noticed | TalkClosed


def from_stream(
    told: Sequence[Stretch], seat: int, moment: Moment, names: Sequence[str], step_s: int
) -> Recalled:
    """Of what happened before the moment what the seat did, saw of others and talked about."""

    def begun(step: int) -> str:
        return f"{moment.start + timedelta(seconds=step * step_s):%H:%M}"

    found: list[tuple[bool, int, str]] = []
    doing: ActionStarted | None = None
    for place, (at, fact) in enumerate(told):
        match fact:
            case ActionStarted(seat=who) if who == seat:
                doing = fact
                found.append((False, place, f"At {begun(at)} I began: {fact.text}."))
            case Noticed(seat=who, seen=seen) if who == seat:
                for one in seen:
                    name = names[one.seat]
                    about = name == moment.partner
                    text = f"At {begun(at)} I saw {name}, who was {one.text}."
                    found.append((about, place, text))
            case TalkClosed(seats=seats, about=about_what) if seat in seats:
                other = names[seats[0] if seats[1] == seat else seats[1]]
                text = f"At {begun(at)} I talked with {other} about {about_what or SMALL_TALK}."
                found.append((other == moment.partner, place, text))
    found.sort(key=lambda one: (not one[0], -one[1]))
    until = doing.until if doing is not None else 0
    left = doing is not None and until * step_s > moment.seconds
    return Recalled(
        memories=tuple(dict.fromkeys(text for _, _, text in found))[:MOST],
        schedule=(f"until {begun(until)} {doing.text}",) if doing is not None and left else (),
    )


def _rest_of_day(thoughts: Iterable[AnyThought], moment: Moment) -> tuple[str, ...]:
    now = moment.now
    day = (now.date() - moment.start.date()).days
    plans = [one for one in thoughts if isinstance(one, DayPlanned) and one.day == day]
    minute = now.hour * 60 + now.minute
    blocks = plans[-1].schedule if plans else ()
    return tuple(_line(one) for one in blocks if one.start + one.minutes > minute)


def _line(block: Block) -> str:
    start, end = block.start, (block.start + block.minutes) % DAY
    place = f" ({block.address})" if block.address else ""
    return f"{clock(start)} to {clock(end)} {block.text}{place}"


def _weight(memory: MemoryAdded, moment: Moment) -> float:
    """How readily it comes to mind: 0 to 3."""
    hours = max(0.0, moment.seconds - memory.at) / 3600
    about = moment.partner == memory.subject or moment.partner in memory.text
    recent: float = _FADING**hours
    return about + recent + memory.importance / 10
