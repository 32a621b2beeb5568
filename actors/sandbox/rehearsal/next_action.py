"""What somebody does next: what they are bound to, what their aim wants of them, or their day."""

from typing import Final

from actors.sandbox.conversation.partner_address import is_place
from actors.sandbox.rehearsal.commitments import bound, helping, next_bond
from actors.sandbox.rehearsal.daily_life.routine import SLEEPING
from actors.sandbox.rehearsal.engagements import moment_of
from actors.sandbox.rehearsal.known_places import wholes
from actors.sandbox.rehearsal.language.times import DAY
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.rehearsal.proposals import over, to_be_asked
from actors.sandbox.setup import Act, CarryOn, TalkTo, WhatToDo

_AT_LEAST: Final = 15
"""Minutes of anything, the way to it among them."""
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
    own, sociable = life.own, life.traits.sociable
    reminded = own is not None and (life.organized or own.kind == "meeting")
    if own and reminded and to_be_asked(life, own, seat) and not over(own, moment):
        return 0.97 if life.organized else 0.75
    today = life.talks[moment // DAY]
    news = any(
        one.shared and seat not in one.told and (moment_of(one, life.lots) or moment + 1) > moment
        for one in life.engagements
    )
    wish = 0.12 + 0.42 * sociable + (0.3 * sociable if news else 0.0)
    return wish / (1 + 0.3 * today) * (1.0 if came else 0.45)


def _act(life: Life, moment: int) -> Act:
    for find in (bound, helping, seeking):
        act = find(life, moment)
        if act is not None:
            return act
    return _routine(life, moment)


def _routine(life: Life, moment: int) -> Act:
    """What one's day says."""
    until = next_bond(life, moment)
    day, minute = life.day(moment), moment % DAY
    ahead = (one for one in day.blocks if one.start + one.minutes > minute + 4)
    block = next(ahead, day.blocks[-1])
    left = block.start + block.minutes - minute
    if block.text == SLEEPING:
        if block is day.blocks[-1] or left <= 0:
            # Nobody wakes at midnight: the next day says when they do.
            left = DAY - minute
        return Act(text=SLEEPING, address=block.address, emoji=block.emoji, minutes=max(1, left))
    address = block.address if block.address not in life.avoid else life.who.me.home
    minutes = max(5, min(max(left, _AT_LEAST), _LONGEST, until - moment))
    return Act(text=block.text, address=address, emoji=block.emoji[:20], minutes=minutes)


def seeking(life: Life, moment: int) -> Act | None:
    """Where a performer with a plan goes to find those who are to be asked."""
    own = life.own
    if own is None or not life.organized or own.when.day is None:
        return None
    minute, day = moment % DAY, life.day(moment)
    if over(own, moment + 60) or not max(day.wake + 45, 480) <= minute < 1290:
        return None
    seats = (seat for seat in range(len(life.who.names)) if seat != life.who.seat)
    left = [seat for seat in seats if to_be_asked(life, own, seat)]
    if not left:
        return None
    slot = moment // 40
    if not life.lots.hit(0.75, "seek", slot):
        return None
    arena = _where_to(life, left, moment, slot)
    if not arena:
        return None
    address = life.places.inside(arena, life.lots.number("spot", slot))
    if address in life.avoid or not life.places.knows(address):
        return None
    return Act(
        text=f"looking for {own.who or 'somebody'} because of {own.name}",
        address=address,
        emoji="🔎",
        minutes=life.lots.among(20, 35, "seek", slot),
    )


def _where_to(life: Life, left: list[int], moment: int, slot: int) -> str:
    lately: dict[str, int] = {}
    for seat in left:
        seen = life.seen.get(seat)
        if seen is None or not is_place(seen.address) or moment - seen.moment > 240:
            continue
        arena = wholes(seen.address)[1]
        if life.places.knows(arena):
            lately[arena] = lately.get(arena, 0) + 1
    if lately and life.lots.hit(0.5, "again", slot):
        return max(sorted(lately), key=lambda arena: lately[arena])
    public = life.places.public()
    if not public:
        return ""
    return public[(life.lots.number("round") + slot) % len(public)]
