"""A seat's town or case in the terms of a planning mind.

It uses only the seat's background and notices.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from actors.episodes.mind import Scene
from actors.episodes.planning_support import Aim, Experience, Met, Persona, Situation
from actors.episodes.port.planning import Planning
from actors.sandbox.catalog_items import Inhabitant
from actors.sandbox.conversation.partner_address import CONVERSING, SMALL_TALK, is_place
from actors.sandbox.setup import (
    Act,
    CarryOn,
    Recap,
    Say,
    TalkTo,
    WhatToDo,
    WhatToSay,
    WhatWasAgreed,
)
from actors.sandbox.views import (
    Did,
    Narrated,
    Notice,
    Perceived,
    Person,
    Resident,
    Said,
    Speaker,
    TalkBegun,
    TalkDone,
    TaskKnown,
)
from events.thoughts import Block


class _Life:
    """What both have in common."""

    known: Sequence[str] = ()

    def __init__(self, background: Resident | Speaker) -> None:
        self._names = background.names
        self._seat = background.seat
        self._start = datetime.fromisoformat(background.start)
        self.persona = _persona(background.me)
        self.aim = _aim(background.task)
        self.remembered: Sequence[str] = (background.memory,) if background.memory else ()

    def act(self, block: Block) -> Act:
        """To do something somewhere for a while."""
        return Act(text=block.text, address=block.address, emoji=block.emoji, minutes=block.minutes)

    def carry_on(self) -> CarryOn:
        return CarryOn()

    def talk_to(self, seat: int) -> TalkTo:
        return TalkTo(seat=seat)

    def say(self, text: str, ends: bool, about: str) -> Say:
        return Say(text=text, ends=ends, about=about)

    def recap(self, text: str) -> Recap:
        return Recap(text=text)

    def _said(self, seen: Sequence[Notice]) -> tuple[tuple[str, str], ...]:
        """The talk that is under way, or the one that was last: who, and what."""
        lines = []
        for notice in reversed(seen):
            if isinstance(notice, TalkBegun):
                break
            if isinstance(notice, Said):
                lines.append((self._names[notice.seat], notice.text))
        return tuple(reversed(lines))


class TownLife(_Life):
    """In a town, where there is a clock."""

    def __init__(self, background: Resident) -> None:
        super().__init__(background)
        self._step_s = background.step_s
        self._place = background.place
        self.known = background.known

    def lived(self, notices: Sequence[Notice]) -> Sequence[Experience]:
        """What it did, saw others do, and talked about; and which places it came to know."""
        return [one for notice in notices for one in self._experiences(notice)]

    def _experiences(self, notice: Notice) -> Iterator[Experience]:
        at = float(getattr(notice, "at", 0) * self._step_s)
        number, me = notice.number, self.persona.name
        match notice:
            # A talk is remembered for itself, once it is over.
            case Did(text=text, fault="") if not text.startswith(CONVERSING):
                yield Experience(number, at, "event", f"{me} is {text}", subject=me, own=True)
            case Did(text=text, fault=fault) if fault in _FAULTS:
                text = f"{me} wanted to go on with {text}, but {_FAULTS[fault]}"
                yield Experience(number, at, "event", text, subject=me, own=True)
            case Perceived(seen=seen, learned=learned):
                if learned:
                    yield Experience(number, at, "event", "", places=learned)
                for one in seen:
                    text = f"{one.name} is {one.text}"
                    yield Experience(number, at, "event", text, subject=one.name)
            case TalkDone(about=about):
                partner = self._partner(notice)
                text = f"{me} and {partner} talked about {about or SMALL_TALK}"
                yield Experience(number, at, "talk", text, subject=partner)
            case Narrated(text=text):
                yield Experience(number, at, "event", text)

    def situation(self, scene: Scene) -> Situation:
        """What a question is about, and what the seat knows of where it stands."""
        question: WhatToDo | WhatToSay = scene.question  # type: ignore[assignment]
        at = question.at
        doing = self._doing(scene.seen)
        told = Situation(
            asked="act",
            why="",
            at=float(at * self._step_s),
            now=self._start + timedelta(seconds=at * self._step_s),
            step_s=float(self._step_s),
            place=self._stands(question, doing),
            doing=doing.text if doing else "",
            since=float(doing.at * self._step_s) if doing else 0.0,
            until=float(doing.until * self._step_s) if doing else 0.0,
        )
        if isinstance(question, WhatToSay):
            return told._replace(
                asked="say",
                met=(self._met(question.to, scene.seen),),
                said=self._said(scene.seen),
                rounds_left=question.left,
            )
        met = question.met
        around = tuple(self._met(seat, scene.seen) for seat in (*met, *question.near))
        told = told._replace(why=question.why, met=around[: len(met)], around=around)
        if question.why == "parted":
            done = next((one for one in reversed(scene.seen) if isinstance(one, TalkDone)), None)
            if done is not None:
                partner = Met(self._other(done), self._partner(done), "")
                told = told._replace(met=(partner,), said=self._said(scene.seen))
        return told

    def _doing(self, seen: Sequence[Notice]) -> Did | None:
        return next((one for one in reversed(seen) if isinstance(one, Did)), None)

    def _stands(self, question: WhatToDo | WhatToSay, doing: Did | None) -> str:
        if isinstance(question, WhatToDo) and question.place:
            return question.place
        return doing.address if doing and is_place(doing.address) else self._place

    def _met(self, seat: int, seen: Sequence[Notice]) -> Met:
        """Somebody, and what the seat last saw them do."""
        for notice in reversed(seen):
            if isinstance(notice, Perceived):
                person: Person | None = next((p for p in notice.seen if p.seat == seat), None)
                if person is not None:
                    return Met(seat, person.name, person.text, person.address)
        return Met(seat, self._names[seat], "")

    def _other(self, done: TalkDone) -> int:
        one, other = done.seats
        return other if one == self._seat else one

    def _partner(self, done: TalkDone) -> str:
        return self._names[self._other(done)]


class CaseLife(_Life):
    """In a case: one talk, at one moment."""

    def __init__(self, background: Speaker) -> None:
        super().__init__(background)
        self._background = background
        schedule = f"For the rest of the day {self.persona.name} has planned: "
        self.remembered = (
            *self.remembered,
            *background.memories,
            *((schedule + "; ".join(background.schedule),) if background.schedule else ()),
        )

    def lived(self, notices: Sequence[Notice]) -> Sequence[Experience]:
        """Nothing: what is said stands in the talk."""
        return [
            Experience(notice.number, 0.0, "event", notice.text)
            for notice in notices
            if isinstance(notice, Narrated)
        ]

    def situation(self, scene: Scene) -> Situation:
        """The talk so far, or what came of it."""
        question, own = scene.question, self._background
        partner = 1 - own.seat
        return Situation(
            asked="recap" if isinstance(question, WhatWasAgreed) else "say",
            why="",
            at=0.0,
            now=self._start,
            place=own.place,
            doing=own.doing,
            met=(Met(partner, self._names[partner], own.partner_doing),),
            said=self._said(scene.seen),
            rounds_left=question.left if isinstance(question, WhatToSay) else 0,
        )


_FAULTS: Final = {
    "unknown_place": "did not know where",
    "unreachable": "could not get there",
}
"""Why somebody stays where they are, in words."""


def _persona(me: Inhabitant) -> Persona:
    return Persona(
        name=me.id,
        age=me.age,
        innate=me.innate,
        learned=me.learned,
        currently=me.currently,
        lifestyle=me.lifestyle,
        home=me.home,
        daily=me.daily,
    )


def _aim(task: TaskKnown | None) -> Aim | None:
    if task is None:
        return None
    return Aim(goal=task.goal, brief=task.brief, criteria=task.criteria)


class TownPlanning(Planning[Resident, Notice]):
    """A day's life in a town."""

    placement = "actors.sandbox.placement.placement:TownPlacement"

    def living(self, background: Resident) -> TownLife:
        """Days with plans, places and talks."""
        return TownLife(background)


class CasePlanning(Planning[Speaker, Notice]):
    def living(self, background: Speaker) -> CaseLife:
        """The talk, and what came to mind before."""
        return CaseLife(background)


TOWN: Final = TownPlanning()
CASE: Final = CasePlanning()
