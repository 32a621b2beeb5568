"""Keeping what one has promised: where one is expected, and favours."""

from typing import Final

from actors.sandbox.rehearsal.engagements import Engagement, moment_of
from actors.sandbox.rehearsal.known_places import wholes
from actors.sandbox.rehearsal.language.times import DAY
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.setup import Act

_STAY: Final = 110
"""Minutes for which one is somewhere where one is expected."""
_WAY: Final = 35
"""Minutes that one reckons with to get to another place."""
_PIECE: Final = 30
"""Minutes of one thing done there."""


def next_bond(life: Life, moment: int) -> int:
    """The moment at which one has to set out next."""
    return min(
        (
            when - _lead(life, one)
            for one in life.engagements
            if _remembered(life, one)
            and (when := moment_of(one, life.lots)) is not None
            and when - _lead(life, one) > moment
        ),
        default=moment + DAY,
    )


def _lead(life: Life, one: Engagement) -> int:
    """Minutes before it that one sets out."""
    if one.online:
        return 0
    address = _address(life, one)
    return 5 if not address or wholes(address)[1] == life.arena else 5 + _WAY


def _remembered(life: Life, one: Engagement) -> bool:
    """Whether one means to be there, and has not forgotten."""
    if not one.accepted or one.kind == "help":
        return False
    if one.own:
        return life.organized or life.lots.hit(0.5 + 0.45 * life.traits.reliable, "own", one.number)
    open_ = one.when.minute is None
    keeps = 0.45 + 0.55 * life.traits.reliable - (0.35 if open_ else 0.0)
    return life.lots.hit(keeps, "keeps", one.number)


def _address(life: Life, one: Engagement) -> str:
    """Where one takes it to be; empty: one does not know."""
    lots, places = life.lots, life.places
    if one.online:
        pool = places.at_home("computer", "desk", "sofa", "table", "armchair", "chair", "bed")
        return pool[0] if pool else life.who.me.home
    if one.where:
        named = places.named(one.where)
        if named:
            objects = places.inside(named, lots.number("seat", one.number))
            return objects if objects not in life.avoid else named
    # Who was not told where goes where the other is to be found.
    others = sorted(one.coming) if one.own else (one.host,)
    return next(filter(None, (_last_seen(life, seat) for seat in others)), "")


def _last_seen(life: Life, seat: int) -> str:
    """The arena in which somebody was seen last, if one can go there; empty: none."""
    seen = life.seen.get(seat)
    arena = wholes(seen.address)[1] if seen is not None else ""
    return arena if life.places.knows(arena) else ""


def bound(life: Life, moment: int) -> Act | None:
    """What one does because one is expected, now."""
    due = [
        (when, one.number, one)
        for one in life.engagements
        if _remembered(life, one)
        and (when := moment_of(one, life.lots)) is not None
        and when - _lead(life, one) <= moment < when + _STAY
    ]
    if not due:
        return None
    start, _, one = min(due)
    address = _address(life, one)
    if not address:
        return None
    if moment < start:
        early = f"being early for {one.name}"
        return Act(text=early, address=address, emoji="⌚", minutes=start - moment)
    part, past = divmod(moment - start, _PIECE)
    deed = one.deed(part + life.who.seat if part else 0)
    minutes = max(5, min(_PIECE - past, start + _STAY - moment))
    return Act(text=deed.text, address=address, emoji=deed.emoji, minutes=minutes)


def helping(life: Life, moment: int) -> Act | None:
    """A step of what one has promised to do for somebody."""
    for one in life.engagements:
        if one.kind != "help" or one.own or not one.accepted or one.steps_done >= len(one.steps):
            continue
        when = moment_of(one, life.lots)
        if when is None or moment < when or moment > when + 720:
            continue
        if not life.lots.hit(0.4 + 0.6 * life.traits.reliable, "keeps", one.number):
            continue
        if moment < one.busy_until or life.day(moment).wake > moment % DAY:
            continue
        address = _errand_place(life, one)
        inside = life.places.inside(address, life.lots.number("seat", one.number))
        if not address or inside in life.avoid or not life.places.knows(inside):
            continue
        deed = one.errand(one.steps_done)
        return Act(text=deed.text, address=inside, emoji=deed.emoji, minutes=10)
    return None


def _errand_place(life: Life, one: Engagement) -> str:
    """Where the next step of a favour is done; empty: one does not know."""
    place = one.steps[one.steps_done].place
    named = life.places.named(place) if place else ""
    if named:
        return named
    if one.steps_done:
        return _last_seen(life, one.host)
    shops = life.places.out("store", "shop", "market", "pharmacy", "counter")
    return life.lots.one(shops, "shop", one.number) if shops else ""
