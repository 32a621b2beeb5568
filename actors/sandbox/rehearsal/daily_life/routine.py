"""How somebody spends a day when nothing else is called for."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from actors.sandbox.catalog_items import Inhabitant
from actors.sandbox.rehearsal.chance import Lots
from actors.sandbox.rehearsal.daily_life.habits import (
    Habits,
    WorkingHours,
    duties_of,
    habits_of,
    working_hours,
)
from actors.sandbox.rehearsal.daily_life.pastimes import (
    Occupation,
    PastimeDeed,
    occupation_of,
    pastimes,
)
from actors.sandbox.rehearsal.daily_life.pursuits import pursuits_of
from actors.sandbox.rehearsal.language.times import DAY
from actors.sandbox.rehearsal.places.known_places import Places, for_guests
from actors.sandbox.rehearsal.places.sectors import arenas_of, called, parts
from actors.sandbox.rehearsal.traits import Traits
from events.thoughts import Block

SLEEPING: Final = "sleeping"
_MORNING: Final = ("out.park", "out.coffee", "out.errand", "out.water", "out.street")
_DAYTIME: Final = ("out.park", "out.errand", "out.reading", "out.coffee", "out.water", "out.errand")
_EVENING: Final = (
    "out.evening",
    "out.park",
    "out.evening",
    "out.water",
    "out.coffee",
    "out.evening",
)

_HOURS_AT_HOME: Final = (
    ("home.chores", "home.garden", "home.evening", "home.dishes"),
    ("home.evening", "home.evening", "home.chores"),
)


class DayRoutine(NamedTuple):
    """A day as it is planned."""

    wake: int
    """Minutes after midnight."""
    blocks: tuple[Block, ...]
    """From midnight to midnight, without holes."""


class Routine:
    """One character's ways."""

    __slots__ = (
        "_duties",
        "_lots",
        "_me",
        "habits",
        "hours",
        "occupation",
        "traits",
        "works_at_home",
    )

    def __init__(self, me: Inhabitant, traits: Traits, lots: Lots) -> None:
        self._me, self.traits, self._lots = me, traits, lots
        self.habits: Habits = habits_of(me.lifestyle)
        self.occupation: Occupation = occupation_of(me.occupation, f"{me.learned} {me.currently}")
        fixed = working_hours(me.daily)
        job = self.occupation
        self._duties = duties_of(me.daily, fixed or WorkingHours(job.start, job.end))
        start, end = fixed or (job.start, job.end)
        start = max(start, self.habits.wake + 45)
        self.hours = (start, max(end, start + 180))
        self.works_at_home = not (fixed or me.workplace or job.where)

    def day(self, day: int, places: Places) -> DayRoutine:
        """How day ``day`` is spent, 0 the first, as far as it is known where."""
        lots = self._lots
        late = lots.hit((1 - self.traits.reliable) * 0.35, "late", day)
        wake = self.habits.wake + lots.among(-10, 15, "wake", day)
        wake += lots.among(25, 70, "late", day) if late else 0
        blocks = list(_joined(self._whole(day, wake, places)))
        return DayRoutine(wake, tuple(blocks))

    # ------------------------------------------------------------ the day, piece by piece

    def _whole(self, day: int, wake: int, places: Places) -> Iterator[Block]:
        lots, habits = self._lots, self.habits
        bed = min(habits.bed + lots.among(-15, 15, "bed", day), DAY + habits.wake - 240)
        at = 0
        if habits.bed > DAY:
            until = min(habits.bed - DAY + lots.among(-15, 15, "bed", day - 1), wake - 180)
            while at < until:
                piece = self._home(
                    "home.evening", at, min(lots.among(25, 55, day, at), until - at), places
                )
                yield piece
                at += piece.minutes
        yield self._asleep(at, wake - at, places)
        at = wake
        for kind, low, high in (("home.wash", 10, 20), ("home.breakfast", 20, 35)):
            piece = self._home(kind, at, lots.among(low, high, kind, day), places)
            yield piece
            at += piece.minutes
        yield from self._awake(day, at, min(bed - 25, DAY), places)
        if bed - 25 < DAY:
            yield self._home("home.bedtime", bed - 25, min(25, DAY - bed + 25), places)
        if bed < DAY:
            yield self._asleep(bed, DAY - bed, places)

    def _awake(self, day: int, at: int, until: int, places: Places) -> Iterator[Block]:
        lots, habits = self._lots, self.habits
        starts, ends = self.hours
        lunch = habits.lunch + lots.among(-25, 35, "lunch", day)
        dinner = habits.dinner + lots.among(-15, 25, "dinner", day)
        lunched = dined = False
        been: set[str] = set()
        bound = not self.works_at_home
        breaks = {
            lots.among(starts // 60 + 1, max(starts // 60 + 1, ends // 60 - 1), "break", day, n)
            for n in (0, 1)
        }
        while at < until:
            working = starts <= at < ends
            marks = [mark for mark in (lunch, dinner, starts, ends, until) if mark > at + 4]
            room = min(marks, default=until) - at
            if not lunched and at >= lunch:
                lunched = True
                pieces = self._meal("lunch", day, at, bound and working, places)
            elif not dined and at >= dinner:
                dined = True
                pieces = self._meal("dinner", day, at, bound and working, places)
            elif working and not (
                not bound
                and at // 60 in breaks
                and room >= 45
                and lots.hit(0.35 + 0.5 * self.traits.lively, "break", day, at)
            ):
                pieces = [
                    self._work(day, at, min(room, lots.among(30, 60, "work", day, at)), places)
                ]
            elif room >= 45 and lots.hit(0.2 + 0.65 * self.traits.lively, "out", day, at):
                pieces = self._outing(day, at, room, places, been)
                breaks.discard(at // 60)
            else:
                kinds = _HOURS_AT_HOME[at >= 1020]
                kind = lots.one(kinds, "home", day, at)
                if not places.at_home(*pastimes()[kind].where):
                    kind = "home.evening"
                pieces = [
                    self._home(kind, at, min(room, lots.among(25, 60, "stay", day, at)), places)
                ]
            for piece in pieces:
                minutes = min(piece.minutes, until - piece.start)
                if minutes > 0:
                    yield _for(piece, minutes)
                at = piece.start + piece.minutes

    def _meal(self, meal: str, day: int, at: int, at_work: bool, places: Places) -> list[Block]:
        minutes = self._lots.among(30, 50, meal, day)
        out = f"out.{meal}"
        if at_work and self.occupation.name in ("cafe", "bar", "shop", "pharmacy"):
            deed = PastimeDeed("having a bite behind the counter", "🥪")
            return [_block(at, 20, deed, self._desk(places, day, at))]
        wish = 0.15 + 0.5 * self.traits.lively + (0.2 if at_work else 0)
        if places.out(*pastimes()[out].where) and self._lots.hit(wish, out, day):
            return [self._out(out, day, at, minutes, places)]
        return [self._home(f"home.{meal}", at, minutes, places)]

    def _work(self, day: int, at: int, minutes: int, places: Places) -> Block:
        duty = self._duty(day, at, places)
        if duty is not None:
            return _block(at, minutes, *duty)
        pursuits = pursuits_of(self._me.currently)
        job, lots = self.occupation, self._lots
        if pursuits and lots.hit(0.5 if self.works_at_home else 0.15, "pursuit", day, at):
            deed = PastimeDeed(lots.one(pursuits, "pursuit", day, at), job.do[0].emoji)
        else:
            deed = job.do[(lots.number("work", day) + at // 40) % len(job.do)]
        return _block(at, minutes, deed, self._desk(places, day, at))

    def _duty(self, day: int, at: int, places: Places) -> tuple[PastimeDeed, str] | None:
        """What each day must hold, at its hour: of it and of other work at it in turns."""
        for duty in self._duties:
            if not duty.start <= at < duty.end:
                continue
            named = places.named(duty.place) if duty.place else ""
            elsewhere = named and not self.workplace(places).startswith(named)
            if elsewhere or self._lots.hit(0.55, "duty", day, at):
                deed = PastimeDeed(duty.text, self.occupation.do[0].emoji)
                if elsewhere:
                    return deed, places.inside(named, self._lots.number("duty", duty.text, day))
                return deed, self._desk(places, day, at)
        return None

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
        for words in (job.at[:1], job.where):
            found = places.out(*words) if job.where else ()
            if found:
                return ":".join(parts(found[0])[:3])
        return ""

    def _outing(self, day: int, at: int, room: int, places: Places, been: set[str]) -> list[Block]:
        """A while at a place of a kind to which one has not ``been`` yet."""
        lots = self._lots
        kinds = _MORNING if at < 660 else _DAYTIME if at < 1020 else _EVENING
        for turn in range(3):
            kind = lots.one(kinds, "outing", day, at, turn)
            if kind not in been and places.out(*pastimes()[kind].where):
                break
        else:
            return [self._home("home.evening", at, min(room, 45), places)]
        been.add(kind)
        stay = min(room, lots.among(45, 100, "stay", day, at))
        first = self._out(kind, day, at, stay if stay < 50 else stay // 2, places)
        if first.minutes == stay:
            return [first]
        return [
            first,
            self._out(kind, day, first.start + first.minutes, stay - first.minutes, places, first),
        ]

    def _out(
        self, kind: str, day: int, at: int, minutes: int, places: Places, after: Block | None = None
    ) -> Block:
        pastime, lots = pastimes()[kind], self._lots
        objects = places.out(*pastime.where)
        if after is not None:
            arena = ":".join(parts(after.address)[:3])
        else:
            arena = lots.one(arenas_of(objects), "where", kind, day)
        objects = _for_guests_in(objects, arena)
        deeds = [deed for deed in pastime.do if after is None or deed.text != after.text]
        deed = lots.one(deeds, "do", kind, day, at)
        return _block(at, minutes, deed, lots.one(objects, "seat", kind, day, at))

    def _home(self, kind: str, at: int, minutes: int, places: Places) -> Block:
        pastime, lots = pastimes()[kind], self._lots
        deed = lots.one(pastime.do, kind, minutes, at)
        for word in pastime.where:
            objects = places.at_home(word)
            if objects:
                return _block(at, minutes, deed, objects[0])
        return _block(at, minutes, deed, self._me.home)

    def _asleep(self, at: int, minutes: int, places: Places) -> Block:
        beds = places.at_home("bed")
        beds = tuple(one for one in beds if one.startswith(self._me.home)) or beds
        return _block(at, minutes, PastimeDeed(SLEEPING, "😴"), beds[0] if beds else self._me.home)


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


def _block(at: int, minutes: int, deed: PastimeDeed, address: str) -> Block:
    return Block(
        start=at, minutes=max(1, minutes), text=deed.text, address=address, emoji=deed.emoji
    )


def _for(block: Block, minutes: int) -> Block:
    if block.minutes == minutes:
        return block
    return Block(
        start=block.start,
        minutes=minutes,
        text=block.text,
        address=block.address,
        emoji=block.emoji,
    )


def _joined(blocks: Iterator[Block]) -> Iterator[Block]:
    """Pieces of the same thing at the same place are one, up to an hour."""
    last: Block | None = None
    for block in blocks:
        if (
            last
            and last.text == block.text
            and last.address == block.address
            and last.minutes + block.minutes <= 60
        ):
            last = _for(last, last.minutes + block.minutes)
            continue
        if last:
            yield last
        last = block
    if last:
        yield last
