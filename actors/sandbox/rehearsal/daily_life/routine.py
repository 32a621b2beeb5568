"""How somebody spends a day when nothing else is called for."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from actors.sandbox.catalog_items import Inhabitant
from actors.sandbox.rehearsal.chance import Lots
from actors.sandbox.rehearsal.daily_life.pastimes import (
    PastimeDeed,
    deed,
    occupation_of,
    pastimes,
)
from actors.sandbox.rehearsal.known_places import Places, called, for_guests, wholes
from actors.sandbox.rehearsal.language.intents import cues_in
from actors.sandbox.rehearsal.language.times import DAY, times_in
from actors.sandbox.rehearsal.traits import Traits
from events.thoughts import Block

SLEEPING: Final = "sleeping"
_OUTINGS: Final = (
    (660, ("out.park", "out.coffee", "out.errand", "out.water", "out.street")),
    (1020, ("out.park", "out.errand", "out.reading", "out.coffee", "out.water")),
    (DAY, ("out.evening", "out.evening", "out.park", "out.water", "out.coffee")),
)
"""Until when one goes where."""
_AT_HOME: Final = (
    (1020, ("home.chores", "home.garden", "home.evening", "home.dishes")),
    (DAY, ("home.evening", "home.evening", "home.chores")),
)


class DayRoutine(NamedTuple):
    """A day as it is planned."""

    wake: int
    """Minutes after midnight."""
    blocks: tuple[Block, ...]
    """From midnight to midnight, without holes."""


class Routine:
    """One character's ways."""

    __slots__ = ("_lots", "_me", "habits", "hours", "occupation", "traits", "works_at_home")

    def __init__(self, me: Inhabitant, traits: Traits, lots: Lots) -> None:
        self._me, self.traits, self._lots = me, traits, lots
        self.habits = habits_of(me.lifestyle)
        self.occupation = occupation_of(me.occupation, f"{me.learned} {me.currently}")
        fixed = working_hours(me.daily)
        start, end = fixed or (60 * hour for hour in self.occupation.hours)
        start = max(start, self.habits.wake + 45)
        self.hours = WorkingHours(start, max(end, start + 180))
        self.works_at_home = not (fixed or me.workplace or self.occupation.where)

    def day(self, day: int, places: Places) -> DayRoutine:
        """How day ``day`` is spent, 0 the first, as far as it is known where."""
        lots = self._lots
        wake = self.habits.wake + lots.among(-10, 15, "wake", day)
        if lots.hit((1 - self.traits.reliable) * 0.35, "late", day):
            wake += lots.among(25, 70, "late", day)
        blocks, at = [], 0
        for minutes, one, address in self._pieces(day, wake, places):
            minutes = min(minutes, DAY - at)
            if minutes > 0:
                block = Block(
                    start=at, minutes=minutes, text=one.text, address=address, emoji=one.emoji
                )
                blocks.append(block)
                at += minutes
        return DayRoutine(wake, tuple(blocks))

    # ------------------------------------------------------------ the day, piece by piece

    def _pieces(
        self, day: int, wake: int, places: Places
    ) -> Iterator[tuple[int, PastimeDeed, str]]:
        """Minutes, what is done, and where, one after the other, to midnight or beyond."""
        lots, habits = self._lots, self.habits
        at = 0
        if habits.bed > DAY:
            at = max(0, min(habits.bed - DAY + lots.among(-15, 15, "bed", day - 1), wake - 180))
            yield at, *self._at_home("home.evening", 0, places)
        yield wake - at, *self._asleep(places)
        at = wake
        for kind, low, high in (("home.wash", 10, 20), ("home.breakfast", 20, 35)):
            minutes = lots.among(low, high, kind, day)
            yield minutes, *self._at_home(kind, day, places)
            at += minutes
        bed = min(habits.bed + lots.among(-15, 15, "bed", day), DAY + habits.wake - 240)
        meals = {
            "lunch": habits.lunch + lots.among(-25, 35, "lunch", day),
            "dinner": habits.dinner + lots.among(-15, 25, "dinner", day),
        }
        marks = sorted((*meals.values(), *self.hours, bed - 25, 2 * DAY))
        while at < min(bed - 25, DAY):
            room = marks[bisect_right(marks, at)]
            due = next((meal for meal, when in meals.items() if when <= at), "") if meals else ""
            kind = self._kind(day, at, room - at, due, places)
            meals.pop(due, None)
            low, high = (30, 50) if due else (45, 90) if kind.startswith("out.") else (30, 60)
            minutes = lots.among(low, high, kind, day, at)
            minutes = minutes if due else min(minutes, room - at)
            yield minutes, *self._doing(kind, day, at, places)
            at += minutes
        yield max(0, bed - at), *self._at_home("home.bedtime", day, places)
        yield DAY, *self._asleep(places)

    def _kind(self, day: int, at: int, room: int, due: str, places: Places) -> str:
        """Of which kind is what one does next; ``due``: a meal."""
        lots, lively = self._lots, self.traits.lively
        working = self.hours.start <= at < self.hours.end
        if due:
            out = lots.hit(0.15 + 0.5 * lively + 0.2 * working, due, day)
            kind = f"out.{due}" if out else f"home.{due}"
        elif working and not (self.works_at_home and lots.hit(0.3 * lively, "break", day, at)):
            return "work"
        elif room >= 45 and lots.hit(0.2 + 0.65 * lively, "out", day, at):
            kind = lots.one(_at_hour(_OUTINGS, at), "outing", day, at)
        else:
            kind = lots.one(_at_hour(_AT_HOME, at), "home", day, at)
        find = places.out if kind.startswith("out.") else places.at_home
        return kind if find(*pastimes()[kind].where) else f"home.{due or 'evening'}"

    def _doing(self, kind: str, day: int, at: int, places: Places) -> tuple[PastimeDeed, str]:
        lots = self._lots
        if kind == "work":
            job = self.occupation
            does = job.do[(lots.number("work", day) + at // 40) % len(job.do)]
            return deed(does), self._desk(places, day, at)
        if kind.startswith("home."):
            return self._at_home(kind, at, places)
        pastime = pastimes()[kind]
        objects = places.out(*pastime.where)
        arena = lots.one(sorted({wholes(one)[1] for one in objects}), "where", kind, day)
        seat = lots.one(_for_guests_in(objects, arena), "seat", kind, day, at)
        return deed(lots.one(pastime.do, "do", kind, day, at)), seat

    def _at_home(self, kind: str, lot: int, places: Places) -> tuple[PastimeDeed, str]:
        pastime = pastimes()[kind]
        found = (objects[0] for word in pastime.where if (objects := places.at_home(word)))
        return deed(self._lots.one(pastime.do, kind, lot)), next(found, self._me.home)

    def _asleep(self, places: Places) -> tuple[PastimeDeed, str]:
        beds = places.at_home("bed") or (self._me.home,)
        own = (one for one in beds if one.startswith(self._me.home))
        return PastimeDeed(SLEEPING, "😴"), next(own, beds[0])

    def _desk(self, places: Places, day: int, at: int) -> str:
        """Where one works at this hour."""
        job = self.occupation
        arena = self.workplace(places)
        if not arena:
            objects = places.at_home(*job.at) or places.at_home("")
            return objects[0] if objects else self._me.home
        pool, own = _desks(tuple(places.objects(arena)), job.at)
        if not pool:
            return arena
        return self._lots.one(pool, "desk", day, 0 if own else at // 120)

    def workplace(self, places: Places) -> str:
        """The arena one works in; empty: at home."""
        me, job = self._me, self.occupation
        if me.workplace and places.knows(me.workplace):
            return places.inside_arena(me.workplace, job.at)
        if self.works_at_home:
            return ""
        named = places.named(me.daily) or (places.named(me.learned) if job.where else "")
        if named and not named.startswith(places.home_sector):
            return places.inside_arena(named, job.at)
        found = (places.out(*job.at[:1]) or places.out(*job.where)) if job.where else ()
        return wholes(found[0])[1] if found else ""


def _at_hour(kinds: tuple[tuple[int, tuple[str, ...]], ...], at: int) -> tuple[str, ...]:
    return next(some for until, some in kinds if at < until)


@lru_cache(maxsize=4096)
def _for_guests_in(objects: tuple[str, ...], arena: str) -> tuple[str, ...]:
    """Those of an arena that are for guests, or all of it."""
    inside = tuple([one for one in objects if one.startswith(arena)])
    return tuple([one for one in inside if for_guests(one)]) or inside


@lru_cache(maxsize=4096)
def _desks(inside: tuple[str, ...], words: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """Of the objects of an arena those to work at, and whether they are behind something: there one
    stays all day."""
    fit = tuple([one for one in inside if called(one, words)])
    behind = tuple([one for one in fit if "behind" in one])
    return behind or fit or tuple([one for one in inside if for_guests(one)]), bool(behind)


_CLAUSE: Final = re.compile(r"[,;.](?=\s|$)|\band\b|\bthen\b")


class Habits(NamedTuple):
    """Minutes after midnight."""

    wake: int
    bed: int
    """Past 1,440 where they go to bed after midnight."""
    lunch: int
    dinner: int


class WorkingHours(NamedTuple):
    """Minutes after midnight."""

    start: int
    end: int


@lru_cache(maxsize=4096)
def habits_of(lifestyle: str) -> Habits:
    """What a text says of somebody's days, and what is usual where it says nothing."""
    found = {"wake": 420, "bed": 1380, "lunch": 750, "dinner": 1110}
    for clause in _CLAUSE.split(lifestyle):
        minutes = times_in(clause, 1).minutes
        if minutes:
            found.update(dict.fromkeys(cues_in(clause, "hours"), minutes[0]))
    wake, bed = found["wake"], found["bed"]
    bed += DAY if bed < 360 else 0
    return Habits(wake, max(bed, wake + 600), max(found["lunch"], wake + 90), found["dinner"])


@lru_cache(maxsize=4096)
def working_hours(daily: str) -> WorkingHours | None:
    """From the first to the last hour that a text names for what each day must hold; None: it names
    none."""
    minutes = times_in(daily, 1).minutes
    if not minutes:
        return None
    start = minutes[0]
    later = [minute for minute in minutes[1:] if minute > start]
    end = (later[-1] if len(later) > 1 else later[0]) if later else start + 420
    return WorkingHours(start, min(end, 1380))
