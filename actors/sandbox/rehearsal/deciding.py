"""What somebody does next: what they are bound to, what their aim wants of them, or their day."""

from typing import Final

from actors.sandbox.rehearsal.engagements import Engagement, moment_of
from actors.sandbox.rehearsal.hours import DAY
from actors.sandbox.rehearsal.life import GOING, Life
from actors.sandbox.rehearsal.places import parts
from actors.sandbox.rehearsal.routine import SLEEPING, Day
from actors.sandbox.setup import Act, CarryOn, TalkTo, WhatToDo
from events.thoughts import Block

_STAY: Final = 110
"""Minutes for which one is somewhere where one is expected."""
_PIECE: Final = 30
"""Minutes of one thing done there."""
_AT_LEAST: Final = 15
"""Minutes of what one has walked somewhere for."""
_LONGEST: Final = 60
"""Minutes of anything but sleep."""


def decide(life: Life, asked: WhatToDo) -> Act | CarryOn | TalkTo:
    """The answer to a question."""
    moment = life.moment(asked.at)
    partner = _partner(life, asked, moment)
    if partner is not None:
        return TalkTo(seat=partner)
    if asked.why in ("met", "day") and _goes_on(life, asked, moment):
        return CarryOn()
    return _act(life, moment)


def _goes_on(life: Life, asked: WhatToDo, moment: int) -> bool:
    """A new day interrupts nobody who sleeps until they wake, or is awake in it."""
    return asked.why == "met" or (life.day(moment).blocks[0].text == SLEEPING and life.asleep)


# ------------------------------------------------------------ talks


def _partner(life: Life, asked: WhatToDo, moment: int) -> int | None:
    """Whom one goes up to; None: nobody."""
    around = (*asked.met, *asked.near)
    if not around or asked.why == "begins":
        return None
    best, most = None, 0.0
    for seat in around:
        wish = _wish(life, seat, moment, came=seat in asked.met)
        if wish > most and life.lots.part("talk", asked.at, seat) < wish:
            best, most = seat, wish
    return best


def _wish(life: Life, seat: int, moment: int, came: bool) -> float:
    """How much one wants to talk to somebody: a probability."""
    own = life.own
    sociable = life.traits.sociable
    if own is not None and own.when.day is not None:
        over = own.when.day * DAY + (own.when.minute or 1320) < moment
        wanted = own.kind != "meeting" or life.who.names[seat] == own.what_for
        enough = own.kind == "help" and own.coming
        if life.organized and not over and wanted and not enough and seat not in life.asked:
            return 0.97
        if wanted and not over and own.kind == "meeting" and seat not in life.asked:
            return 0.75
        if life.organized and own.kind == "meeting" and not own.coming and not life.wanted:
            return 0.7
    today = sum(one // DAY == moment // DAY for one, _ in life.talks)
    news = any(
        one.shared and seat not in one.told and (moment_of(one, life.lots) or moment + 1) > moment
        for one in life.engagements
    )
    wish = 0.12 + 0.42 * sociable + (0.3 * sociable if news else 0.0)
    return wish / (1 + 0.3 * today) * (1.0 if came else 0.45)


# ------------------------------------------------------------ acts


def _act(life: Life, moment: int) -> Act:
    bound = _bound(life, moment)
    if bound is not None:
        return bound
    errand = _helping(life, moment)
    if errand is not None:
        return errand
    sought = _seeking(life, moment)
    if sought is not None:
        return sought
    return _routine(life, moment)


def _routine(life: Life, moment: int) -> Act:
    """What one's day says."""
    until = _next_bond(life, moment)
    day, minute = life.day(moment), moment % DAY
    block = _due(life, day, minute)
    left = block.start + block.minutes - minute
    if block.text == SLEEPING:
        if block is day.blocks[-1] or left <= 0:
            # Nobody wakes at midnight: the next day says when they do.
            left = DAY - minute
        return Act(text=SLEEPING, address=block.address, emoji=block.emoji, minutes=max(1, left))
    address = block.address if block.address not in life.avoid else life.who.me.home
    if _sector(address) != _sector(life.arena) and until - moment > 15:
        return _walking(address)
    minutes = min(max(left, _AT_LEAST), _LONGEST, until - moment)
    return Act(text=block.text, address=address, emoji=block.emoji[:20], minutes=max(5, minutes))


def _due(life: Life, day: Day, minute: int) -> Block:
    """What one's day says for now. Who has walked somewhere does there what they came for."""
    last = life.last
    if last is not None and last.text.startswith(GOING):
        for block in reversed(day.blocks):
            if block.start <= minute and block.address == last.address:
                if minute - block.start < 180:
                    return block
                break
    return next((one for one in day.blocks if one.start + one.minutes > minute + 4), day.blocks[-1])


def _walking(address: str) -> Act:
    return Act(text=f"{GOING}{_place(address)}", address=address, emoji="🚶", minutes=1)


def _sector(address: str) -> tuple[str, ...]:
    return parts(address)[:2]


def _next_bond(life: Life, moment: int) -> int:
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
    return 5 + (life.way(address) if address else 0)


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
        named = places.named(one.where if ":" not in one.where else one.where.replace(":", " "))
        if named:
            objects = places.inside(named, lots.number("seat", one.number))
            return objects if objects not in life.avoid else named
    # Who was not told where goes where the other is to be found.
    others = one.coming if one.own else (one.host,)
    for seat in sorted(others):
        arena = _last_seen(life, seat)
        if arena:
            return arena
    return ""


def _last_seen(life: Life, seat: int) -> str:
    """The arena in which somebody was seen last, if one can go there; empty: none."""
    seen = life.seen.get(seat)
    arena = ":".join(parts(seen.address)[:3]) if seen is not None else ""
    return arena if life.places.knows(arena) else ""


def _bound(life: Life, moment: int) -> Act | None:
    """What one does because one is expected, now."""
    best: Engagement | None = None
    start = 0
    for one in life.engagements:
        if not _remembered(life, one):
            continue
        when = moment_of(one, life.lots)
        if when is None or not when - _lead(life, one) <= moment < when + _STAY:
            continue
        if best is None or when < start:
            best, start = one, when
    if best is None:
        return None
    address = _address(life, best)
    if not address:
        return None
    arena = ":".join(parts(address)[:3])
    what = best.name if best.kind == "gathering" else best.deed(0).text
    if moment < start:
        if life.arena != arena:
            return _walking(address)
        return Act(
            text=f"being early{' for ' if best.kind == 'gathering' else ', before '}{what}",
            address=address,
            emoji="⌚",
            minutes=max(1, start - moment),
        )
    part = (moment - start) // _PIECE
    deed = best.deed(part if part else 0)
    left = start + _STAY - moment
    minutes = min(_PIECE - (moment - start) % _PIECE, left)
    return Act(text=deed.text, address=address, emoji=deed.emoji, minutes=max(5, minutes))


def _helping(life: Life, moment: int) -> Act | None:
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
        step = one.steps[one.steps_done]
        address = life.places.named(step.place.replace(":", " ")) if step.place else ""
        if not address:
            shops = life.places.out("store", "shop", "market", "pharmacy", "counter")
            if one.steps_done:
                address = _last_seen(life, one.host)
            elif shops:
                address = life.lots.one(shops, "shop", one.number)
        if not address:
            continue
        deed = one.errand(one.steps_done)
        inside = life.places.inside(address, life.lots.number("seat", one.number))
        if inside in life.avoid or not life.places.knows(inside):
            continue
        if _sector(inside) != _sector(life.arena):
            return _walking(inside)
        return Act(text=deed.text, address=inside, emoji=deed.emoji, minutes=10)
    return None


# ------------------------------------------------------------ seeking people out


def _seeking(life: Life, moment: int) -> Act | None:
    """Where a performer with a plan goes to find those who are to be asked."""
    own = life.own
    if own is None or not life.organized or own.when.day is None:
        return None
    latest = own.when.day * DAY + (own.when.minute or 1140) - 60
    minute, day = moment % DAY, life.day(moment)
    if moment > latest or not max(day.wake + 45, 480) <= minute < 1290:
        return None
    left = [
        seat
        for seat in range(len(life.who.names))
        if seat not in life.asked and seat != life.who.seat
    ]
    if own.kind == "meeting":
        left = [] if own.coming else [seat for seat in left if life.who.names[seat] == own.what_for]
    if not left or (own.kind == "help" and own.coming):
        return None
    slot = moment // 40
    if not life.lots.hit(0.75, "seek", slot):
        return None
    arena = _where_to(life, own, left, moment, slot)
    if not arena:
        return None
    address = life.places.inside(arena, life.lots.number("spot", slot))
    if address in life.avoid or not life.places.knows(address):
        return None
    return Act(
        text=_looking(own),
        address=address,
        emoji="🔎",
        minutes=life.lots.among(20, 35, "seek", slot),
    )


def _looking(own: Engagement) -> str:
    match own.kind:
        case "gathering":
            return f"looking for people to invite to {own.name}"
        case "company":
            return f"looking for company {own.what}"
        case "help":
            return "looking for somebody who can help"
        case _:
            return f"looking for {own.what_for}"


def _where_to(life: Life, own: Engagement, left: list[int], moment: int, slot: int) -> str:
    if own.kind == "meeting" and life.wanted and life.lots.hit(0.6, "hint", slot):
        return life.wanted
    lately: dict[str, int] = {}
    for seat in left:
        seen = life.seen.get(seat)
        if seen is None or "<" in seen.address or moment - seen.moment > 240:
            continue
        arena = ":".join(parts(seen.address)[:3])
        if life.places.knows(arena):
            lately[arena] = lately.get(arena, 0) + 1
    if lately and life.lots.hit(0.5, "again", slot):
        return max(sorted(lately), key=lambda arena: lately[arena])
    public = life.places.public()
    if not public:
        return ""
    return public[(life.lots.number("round") + slot) % len(public)]


def _place(address: str) -> str:
    """How one calls a place: a room by the house it is in, a street by its own name."""
    names = parts(address)
    if len(names) > 2 and names[2][:1].isupper() and "'" not in names[2]:
        return names[2]
    return names[1] if len(names) > 1 else address
