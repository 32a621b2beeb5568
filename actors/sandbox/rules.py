"""The rules that towns and cases have in common: what is an answer. Everything here is pure."""

from typing import Final, TypeVar

from actors.episodes.port.rules import Recording, Rules
from actors.sandbox.setup import (
    Act,
    CarryOn,
    Idle,
    Recap,
    Say,
    TalkTo,
    Told,
    WhatToDo,
    WhatToSay,
    WhatWasAgreed,
)
from events.base import replace
from events.environments import Action, Setup

S = TypeVar("S", bound=Setup)
W = TypeVar("W")

Asked = WhatToDo | WhatToSay | WhatWasAgreed
"""What somebody can be asked."""


class SandboxRules(Rules[S, W, Asked, Action]):
    """What is an answer, and what is recorded where there is none."""

    def action_fault(self, question: Asked, action: Action, seat: int, seats: int) -> str | None:
        if isinstance(question, WhatToDo):
            return _deed_fault(question, action)
        if isinstance(question, WhatToSay):
            if not isinstance(action, Say):
                return "something is to be said"
            return None if action.text.strip() or action.ends else "nothing is said"
        if not isinstance(action, Recap):
            return "it is to be told what came of the talk"
        return None if action.text.strip() else "nothing is told"

    def nothing(self, question: Asked) -> Idle:
        return Idle()


def _deed_fault(question: WhatToDo, action: Action) -> str | None:
    match action:
        case TalkTo(seat=seat):
            if seat in question.met or seat in question.near:
                return None
            return "nobody is there to be talked to, or somebody else is"
        case CarryOn():
            begins = question.why == "begins"
            return "nothing was begun yet that one could go on with" if begins else None
        case Act(text=text, address=address):
            if "@" in text or "@" in address:
                return "what is done, and where, hold no @"
            return None if text.strip() else "nothing is done"
    return "something is to be done"


class SandboxRecording(Recording[Asked, Action]):
    """On one line; said to whom."""

    def canonical(self, question: Asked, action: Action) -> Action:
        """An accepted action as it is recorded: on one line each, and to whom it was said."""
        recorded = action
        match action, question:
            case Act(text=text, address=address), _:
                recorded = replace(action, text=_line(text), address=_line(address))
            case Say(text=text, about=about), WhatToSay(to=to):
                recorded = replace(action, text=text.strip(), about=_about(about), to=to)
        return recorded

    def narration(self, text: str, seats: tuple[int, ...]) -> Told:
        """Noticed by those it is for, and nothing changes."""
        return Told(text=text, seats=seats)


RECORDING: Final = SandboxRecording()


def _line(text: str) -> str:
    return " ".join(text.split())


def _about(text: str) -> str:
    return _line(text.replace("@", " ")).rstrip(".")
