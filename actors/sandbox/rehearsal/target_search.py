"""Where a performer with a plan goes to find those who are to be asked."""

from actors.sandbox.conversation.partner_address import is_place
from actors.sandbox.rehearsal.engagements import Engagement
from actors.sandbox.rehearsal.language.times import DAY
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.rehearsal.places.sectors import parts
from actors.sandbox.setup import Act


def seeking(life: Life, moment: int) -> Act | None:
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
        if seen is None or not is_place(seen.address) or moment - seen.moment > 240:
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
