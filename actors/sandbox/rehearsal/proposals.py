"""What somebody puts to others, and in which words."""

import re
from typing import Protocol

from actors.sandbox.rehearsal.engagements import Engagement
from actors.sandbox.rehearsal.language.aims import AimStep
from actors.sandbox.rehearsal.language.grammar import capital, without_article
from actors.sandbox.rehearsal.language.times import DAY, clock, said_day
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.rehearsal.records import RememberedTalk


class LineFinder(Protocol):
    """Finds a line of the speaker's, filled in."""

    def __call__(self, act: str, mood: str = "", **slots: str) -> str:
        """The line for what is done."""
        ...


def put(life: Life, one: Engagement, moment: int, of: tuple[int, ...], line: LineFinder) -> str:
    """How an engagement is put to somebody: all that is known of it, where one has a plan."""
    if one.kind == "help":
        return _request(life, one, moment, of, line)
    vague = one is life.own and not life.organized
    tell_when = not vague or life.lots.hit(0.52, "when", *of[:2])
    tell_where = not vague or life.lots.hit(0.66, "where", *of[:2])
    on = on_when(one, moment) if tell_when else ""
    at = f" at {spoken(one.where)}" if one.where and tell_where and not one.online else ""
    if one.online and tell_where and "online" not in one.what:
        at = " online"
    what = one.what if one.kind != "gathering" else _with_article(one.what, one is not life.own)
    slots = {"what": what, "on": on, "at": at}
    if one is not life.own:
        act = "pass_on" if one.kind == "gathering" else "pass_on_join"
        return line(act, host=one.host_name, **slots)
    bare = not on and not at
    act = {"gathering": "host", "company": "join", "meeting": "meet"}[one.kind]
    return line(f"{act}_vague" if bare else act, **slots)


def _request(
    life: Life, one: Engagement, moment: int, of: tuple[int, ...], line: LineFinder
) -> str:
    assert life.who.aim is not None
    first, second = life.who.aim.steps
    why = f"{capital(one.why)}. " if one.why and life.organized else ""
    if not life.organized and life.lots.hit(0.5, "vague", *of[:2]):
        at = f" at {_spoken(first)}" if life.lots.hit(0.5, "where", *of[:2]) else ""
        return line("help_vague", "any", why=why, first=first.act, at_first=at)
    act = re.sub(r"^send\b", "bring", second.act)
    act = act if re.search(r"\bto me\b", act) else f"{act} to me"
    return line(
        "help", "any", why=why, first=first.act, at_first=f" at {_spoken(first)}",
        second=act, at_second=f" at {_spoken(second)}", on=on_when(one, moment),
    )  # fmt: skip


def on_when(one: Engagement, moment: int) -> str:
    """When, as far as it is known: `` tomorrow, 14 February, at 7pm``."""
    today = moment // DAY
    day = said_day(one.when.day, today) if one.when.day is not None else ""
    if one.when.minute is None:
        return f" {day}".rstrip(",") if day else ""
    return f" {day} at {clock(one.when.minute)}" if day else f" at {clock(one.when.minute)}"


def wanted(life: Life, talk: RememberedTalk) -> bool:
    """Whether one asks the partner where somebody is whom one has to meet."""
    one = life.own
    return (
        one is not None
        and life.organized
        and one.kind == "meeting"
        and "look" not in talk.told
        and not one.coming
        and life.who.names[talk.partner] != one.what_for
        and not life.wanted
    )


def errand_for(life: Life, talk: RememberedTalk, moment: int) -> Engagement | None:
    """What one would put to the partner now; None: nothing."""
    partner, mine = talk.partner, life.own
    if mine is not None and partner not in life.asked and _puts(life, mine, partner, moment):
        return mine
    for one in life.engagements:
        if not one.shared or partner in one.told:
            continue
        if one.when.day is not None and one.when.day * DAY + (one.when.minute or 1439) <= moment:
            continue
        if life.lots.hit(0.15 + 0.5 * life.traits.sociable, "tell", one.number, partner):
            return one
    return None


def _puts(life: Life, mine: Engagement, partner: int, moment: int) -> bool:
    """Whether a performer puts the aim to somebody."""
    if mine.when.day is not None and mine.when.day * DAY + (mine.when.minute or 1320) < moment:
        return False
    if mine.kind == "meeting" and life.who.names[partner] != mine.what_for:
        return False
    if mine.kind == "help" and mine.coming:
        return False
    return life.organized or life.lots.hit(_mentions(life, mine), "mention", partner)


def _mentions(life: Life, mine: Engagement) -> float:
    """How likely a performer without a plan comes to speak of the aim at all. Who is to be met
    oneself reminds one of it."""
    return 0.7 if mine.kind == "meeting" else 0.27 + 0.35 * life.traits.reliable


def _with_article(what: str, known: bool) -> str:
    return f"the {without_article(what)}" if known and not what[0].isupper() else what


def _spoken(step: AimStep) -> str:
    return spoken(step.place)


def spoken(place: str) -> str:
    """``College:library`` as one says it: ``the library of College``."""
    whole, colon, part = place.partition(":")
    return f"the {part} of {whole}" if colon else place
