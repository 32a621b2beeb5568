"""What a person at a keyboard is asked in a town, and what they type.

``do making tea at Mill Lane:kitchen for 20``, ``go on``, ``talk Ann``; in a talk what is said as it
is, ``bye`` or a line that ends with ``(bye)`` for the last word.
"""

import re
from typing import Final

from actors.episodes.port.people import PeoplePrompts
from actors.episodes.typed_answers import Wording
from actors.sandbox.answers import Deed, deed
from actors.sandbox.clock import clock_from
from actors.sandbox.rules import Asked
from actors.sandbox.setup import Recap, Say, WhatToDo, WhatToSay, WhatWasAgreed
from actors.sandbox.times_and_places import place, short
from actors.sandbox.views import Notice, Resident, Speaker
from events.environments import Action

_WHY: Final = {
    "begins": "Your day begins.",
    "day": "A new day begins.",
    "done": "What you did is done.",
    "met": "{met} in view.",
    "parted": "Your talk is over.",
}
_FOR: Final = re.compile(r"\s+for\s+(\d+)\s*(m|min|minutes?|h|hours?)?\s*$", re.IGNORECASE)
_AT: Final = re.compile(r"\s+(?:@|at)\s+", re.IGNORECASE)
_BYE: Final = re.compile(r"\s*[(\[]\s*bye\s*[)\]]\s*$", re.IGNORECASE)
_HINT: Final = (
    "do WHAT at PLACE for MINUTES, such as: do looking around at {place} for 20; "
    "no place: where you are; places: the places you know"
)


class SandboxPeople(PeoplePrompts[Asked, Action, Resident | Speaker, Notice]):
    """The time, the place, who is there."""

    def wording(self, question: Asked, background: Resident | Speaker) -> Wording:
        names = background.names
        if isinstance(question, WhatWasAgreed):
            return Wording(
                lead=f"What came of the talk with {names[question.to]}?",
                hint="what was agreed, with time and place, in your own words",
            )
        if isinstance(question, WhatToSay):
            left = "your last words" if question.left == 1 else f"{question.left} times at most"
            return Wording(
                lead=f"What do you say to {names[question.to]}?",
                hint=f"what you say, {left}; end with (bye) to end the talk",
            )
        assert isinstance(background, Resident), "others are not asked what they do"
        clock = clock_from(background.start, background.step_s)
        when = short(clock.moment(question.at), background.step_s)
        met = ", ".join(names[seat] for seat in question.met)
        why = _WHY[question.why].format(met=met)
        here = place(question.place or background.place)
        going_on = [] if question.why == "begins" else [("go on", "go on with what you do")]
        talks = [(f"talk {names[seat]}", f"talk to {names[seat]}") for seat in _there(question)]
        return Wording(
            lead=f"{when}, {here}. {why} What do you do?",
            options=(*going_on, *talks),
            hint=_HINT.format(place=place(background.known[-1])),
        )

    def typed(self, question: Asked, background: Resident | Speaker, text: str) -> Action:
        """What a line means. Raises ``ValueError`` with what is wrong."""
        line = text.strip()
        if isinstance(question, WhatWasAgreed):
            if not line:
                raise ValueError("say what came of the talk")
            return Recap(text=line[:4000])
        if isinstance(question, WhatToSay):
            return _said(line)
        return _deed(question, background, line)


def _said(line: str) -> Say:
    if line.casefold() in ("bye", "(bye)", "[bye]"):
        return Say(text="Bye.", ends=True)
    said = _BYE.sub("", line)
    if not said:
        raise ValueError("say something; (bye) ends the talk")
    return Say(text=said[:2000], ends=said != line)


def _deed(question: WhatToDo, background: Resident | Speaker, line: str) -> Action:
    word, _, rest = line.partition(" ")
    match word.casefold():
        case "places":
            assert isinstance(background, Resident), "others are not asked what they do"
            raise ValueError(f"you know, beside what you came to know since: {_listed(background)}")
        case "go" | "carry" if rest.strip().casefold() == "on":
            return deed(question, background, Deed(kind="go on"))
        case "talk":
            whom = rest.strip().removeprefix("to ").removeprefix("with ")
            return deed(question, background, Deed(kind="talk", with_whom=whom))
        case "do" if rest.strip():
            return deed(question, background, _parsed(rest.strip()))
    ways = "do …" if question.why == "begins" else "do …, go on"
    ways += ", talk NAME" if _there(question) else ""
    raise ValueError(f"begin with what you want: {ways}, or places")


def _parsed(line: str) -> Deed:
    """``making tea at Mill Lane:kitchen for 20``: the last ``at`` is where, unless what follows it
    says when."""
    minutes = 10.0
    if (lasts := _FOR.search(line)) is not None:
        unit = (lasts[2] or "m").casefold()
        minutes = float(lasts[1]) * (60 if unit.startswith("h") else 1)
        line = line[: lasts.start()]
    parts = list(_AT.finditer(line))
    if not parts or parts[-1].end() == len(line):
        return Deed(kind="do", what=line, minutes=minutes)
    last = parts[-1]
    return Deed(kind="do", what=line[: last.start()], place=line[last.end() :], minutes=minutes)


def _listed(background: Resident) -> str:
    """The places known, each sector's together; what is in them is left out."""
    sectors: dict[str, list[str]] = {}
    for address in background.known:
        _, *parts = address.split(":")
        if parts:
            rooms = sectors.setdefault(parts[0], [])
            rooms += parts[1:2] if parts[1:2] != rooms[-1:] else []
    told = (f"{name}: {', '.join(rooms)}" if rooms else name for name, rooms in sectors.items())
    return "; ".join(told) + "; and what is in them"


def _there(question: WhatToDo) -> tuple[int, ...]:
    return (*question.met, *question.near)
