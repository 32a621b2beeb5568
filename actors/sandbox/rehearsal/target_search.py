"""Where a performer with a plan goes to find those who are to be asked."""

from actors.sandbox.conversation.partner_address import is_place
from actors.sandbox.rehearsal.known_places import wholes
from actors.sandbox.rehearsal.language.times import DAY
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.rehearsal.proposals import over, to_be_asked
from actors.sandbox.setup import Act


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
