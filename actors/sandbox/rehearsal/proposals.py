"""What somebody puts to others, and in which words."""

from typing import Protocol

from actors.sandbox.rehearsal.engagements import Engagement
from actors.sandbox.rehearsal.language.times import DAY, clock, said_day
from actors.sandbox.rehearsal.life import Life


class LineFinder(Protocol):
    """Finds a line of the speaker's, filled in."""

    def __call__(self, act: str, mood: str = "", **slots: str) -> str:
        """The line for what is done."""
        ...


def put(life: Life, one: Engagement, moment: int, partner: int, line: LineFinder) -> str:
    """How an engagement is put to somebody: all that is known of it, where one has a plan."""
    all_told = one is not life.own or life.organized
    on = on_when(one, moment) if all_told or life.lots.hit(0.5, "when", partner) else ""
    at = at_where(one) if all_told or life.lots.hit(0.66, "where", partner) else ""
    if one is not life.own:
        return line(f"pass_on_{one.kind}", what=one.what, at=at, on=on, host=one.host_name)
    if one.kind != "help":
        return line(one.kind if on or at else f"{one.kind}_vague", what=one.what, at=at, on=on)
    first, second = one.steps
    slots = {"first": first.act, "at_first": at_place(first.place)}
    if not (all_told or life.lots.hit(0.5, "all", partner)):
        return line("help_vague", **slots)
    return line("help", second=second.act, at_second=at_place(second.place), on=on, **slots)


def on_when(one: Engagement, moment: int) -> str:
    """When, as far as it is known: `` tomorrow, 14 February, at 7pm``."""
    day, minute = one.when
    said = said_day(day, moment // DAY) if day is not None else ""
    at = f"at {clock(minute)}" if minute is not None else ""
    return f" {said} {at}".rstrip(" ,").replace("  ", " ")


def at_where(one: Engagement) -> str:
    """Where, as far as it is known and not said already: `` at the Old Inn``."""
    return "" if one.online else at_place(one.where)


def at_place(place: str) -> str:
    """``College:library`` as one says it: `` at the library of College``."""
    whole, colon, part = place.partition(":")
    said = f"the {part} of {whole}" if colon else place
    return f" at {said}" if said else ""


def errand_for(life: Life, partner: int, moment: int) -> Engagement | None:
    """What one would put to the partner now; None: nothing."""
    mine = life.own
    if mine is not None and partner not in life.asked and _puts(life, mine, partner, moment):
        return mine
    tells = 0.15 + 0.5 * life.traits.sociable
    news = (
        one
        for one in life.engagements
        if one.shared and partner not in one.told and not over(one, moment)
    )
    return next((one for one in news if life.lots.hit(tells, "tell", one.number, partner)), None)


def over(one: Engagement, moment: int) -> bool:
    """Whether it was before a moment; what has no hour is over late on its day."""
    day, minute = one.when
    return day is not None and day * DAY + (1320 if minute is None else minute) < moment


def to_be_asked(life: Life, one: Engagement, partner: int) -> bool:
    """Whether one's own aim is for somebody, and wants them still."""
    if one.kind == "meeting" and life.who.names[partner] != one.who:
        return False
    return partner not in life.asked and not (one.kind == "help" and one.coming)


def _puts(life: Life, mine: Engagement, partner: int, moment: int) -> bool:
    """Whether a performer puts the aim to somebody. One without a plan may not come to speak of
    it; whom one is to meet reminds one of it."""
    if over(mine, moment) or not to_be_asked(life, mine, partner):
        return False
    mentions = 0.7 if mine.kind == "meeting" else 0.27 + 0.35 * life.traits.reliable
    return life.organized or life.lots.hit(mentions, "mention", partner)
