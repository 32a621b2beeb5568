"""What a performer has been set to do, read from its words as anybody would read them.

Nothing here knows how the task is scored: keywords, windows and numbers are no part of the words.
"""

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from actors.sandbox.rehearsal.language.grammar import first_person, plain_verb
from actors.sandbox.rehearsal.language.times import times_in

AimKind = Literal["gathering", "company", "meeting", "help"]
_PEOPLE: Final = (
    r"(?:partners?|friends?|people|persons?|company|audience|players?|neighbou?rs?|others|"
    r"companions?|somebody|someone|viewers?|listeners?|guests?|everybody|everyone|residents?)"
)
_HOLD: Final = re.compile(
    r"\b(?:hold|host|throw|give|organi[sz]e|have|put on|run|stage|arrange)\s+(?P<what>.+)",
    re.IGNORECASE,
)
_COMPANY: Final = re.compile(
    rf"\b(?:find|invite|get|gather|seek|look for)\s+(?:\w+\s+){{0,3}}?{_PEOPLE}\s+"
    r"(?P<purpose>(?:to|for|in)\s+.+)",
    re.IGNORECASE,
)
_MEET: Final = re.compile(
    r"\b(?i:meet|see|talk to|speak to|sit down with|have an appointment with|make an appointment"
    r" with)"
    r"\s+(?:with\s+|up with\s+)?(?:(?:Prof|Dr|Mrs?|Ms)\.?\s+)?(?P<who>[A-Z]\S+(?:\s+[A-Z]\S+)*)\s+"
    r"(?P<purpose>(?:to|for|about|over)\s+.+)"
)
_HELP: Final = tuple(
    re.compile(
        r"\bto (?P<first>(?!have\b|ask\b|get (?:some|any))\w+ .+?) (?:at|from|in) (?P<here>.+?),?"
        rf" {then} (?P<second>\w+ .+?) (?:to|at|in|into) (?P<there>.+?)\s*[.]*$",
        re.IGNORECASE,
    )
    for then in ("and then", "and")
)
_HELPS: Final = (
    r"{name} (?P<first>\w+s\b.+?) (?:at|from|in) (?P<here>.+?),? and then (?P<second>\w+s\b.+?)"
    r" (?:to|at|in|into) (?P<there>.+?)\s*[.]*$"
)
_WHY: Final = re.compile(
    r"^(?P<why>.+?)(?:,? so\b|,? and (?:so )?(?:needs?|wants?)\b|, (?:and )?(?:you|he|she|they)"
    r" wants?\b"
    r"|,? (?:and )?wants?\b)",
    re.IGNORECASE,
)
_ELSE: Final = re.compile(
    r"\b(?:(?:someone|somebody|anyone|anybody) else|\(?other than|(?:needs?|wants?) (?:someone"
    r"|somebody))\b",
    re.IGNORECASE,
)
"""Only who needs help wants another to do something in their stead."""
_SOME_TIME: Final = re.compile(r"\s+at (?:some|any) (?:time|point)\b", re.IGNORECASE)
_ONLINE: Final = re.compile(
    r"\bonline\b|\bstream|\bvideo call\b|\bover the internet\b", re.IGNORECASE
)


class AimStep(NamedTuple):
    """One of the things to be done, one after the other."""

    act: str
    """``buy medicine``."""
    place: str
    """Where, in words; empty: not said."""


class PerformerAim(NamedTuple):
    """What is wanted. ``gathering``: that people come; ``company``: that some join in something,
    wherever they are where it is ``online``; ``meeting``: to meet one; ``help``: that somebody
    does something for one."""

    kind: AimKind
    what: str = ""
    """``a wine party``; of company and a meeting what for: ``to have coffee``, ``for help``."""
    place: str = ""
    """In words; empty: not set."""
    day: int | None = None
    """The date's ordinal."""
    minute: int | None = None
    """After midnight."""
    online: bool = False
    target: str = ""
    """Whom a meeting is to be with."""
    steps: tuple[AimStep, ...] = ()
    why: str = ""
    """Why help is needed, in the first person."""


@lru_cache(maxsize=1024)
def aim_of(
    goal: str, brief: str, criteria: str, seat: int, names: tuple[str, ...], today: int
) -> PerformerAim | None:
    """The aim that a goal, given in three wordings, sets to the one in ``seat``. None: its words
    cannot be understood."""
    found = times_in(goal, today)
    day, minute = found.when
    if day is None or minute is None:
        also = times_in(brief, today).when
        day = also.day if day is None else day
        minute = also.minute if minute is None else minute
    bare, name = _bare(goal, today), names[seat]
    if _ELSE.search(f"{goal} {criteria}"):
        return _help(goal, brief, criteria, name, day, minute, today)
    online = bool(_ONLINE.search(goal))
    company = _COMPANY.search(bare)
    if company:
        what, place = _placed(re.sub(r"\s+with(?=\s+(?:at|in)\b|$)", "", company["purpose"]))
        return PerformerAim("company", what, "" if online else place, day, minute, online=online)
    meet = _MEET.search(bare)
    target = next((one for one in names if one != name and meet and one in meet["who"]), "")
    if meet and target:
        what, place = _placed(meet["purpose"])
        return PerformerAim("meeting", what, place, day, minute, target=target)
    if online:
        together = re.search(r"\b(?:gather|bring|get|meet)\s+(?P<what>.+)", bare, re.IGNORECASE)
        if together:
            what = re.sub(r"\s+together\b", "", together["what"])
            return PerformerAim("gathering", what, "", day, minute, online=True)
    hold = _HOLD.search(bare)
    if hold:
        what, place = _placed(hold["what"])
        return PerformerAim("gathering", what, place, day, minute, online=online)
    return None


def _help(
    goal: str, brief: str, criteria: str, name: str, day: int | None, minute: int | None, today: int
) -> PerformerAim | None:
    why = next((found["why"] for text in (goal, brief) if (found := _WHY.search(text))), "")
    for text in (criteria, goal, brief):
        bare = _bare(text, today)
        for pattern in (*_HELP, re.compile(_HELPS.replace("{name}", re.escape(name)))):
            found = pattern.search(bare)
            if found:
                steps = (
                    AimStep(_wish(found["first"]), found["here"]),
                    AimStep(_wish(found["second"]), found["there"]),
                )
                said = first_person(why, name) if why else ""
                return PerformerAim("help", "", "", day, minute, steps=steps, why=said)
    return None


def _wish(act: str) -> str:
    """``buys oil`` becomes ``buy oil``."""
    verb, space, rest = act.partition(" ")
    return f"{plain_verb(verb)}{space}{rest}"


def _bare(text: str, today: int) -> str:
    """A text without its times."""
    for start, end in reversed(times_in(text, today).spans):
        text = f"{text[:start]} {text[end:]}"
    return " ".join(_SOME_TIME.sub("", text).split()).rstrip(" .,;")


def _placed(text: str) -> tuple[str, str]:
    """What, and the place it is at."""
    what, at, place = text.rpartition(" at ")
    if not at:
        what, at, place = text.rpartition(" in the ")
    return (what.strip(" ,"), place.strip(" ,.")) if at else (text.strip(" ,."), "")
