"""The rules of towns and cases: what a setup must be, what is an answer, what follows from what.
Everything here is pure."""

from typing import Any

from actors.episodes.environment import Ask, End, Happening
from actors.sandbox.conversation import case_rules
from actors.sandbox.conversation.case_rules import CaseWorld
from actors.sandbox.setup import (
    Act,
    CarryOn,
    Case,
    Happened,
    Recap,
    Say,
    TalkTo,
    Town,
    WhatToDo,
    WhatToSay,
)
from actors.sandbox.town import town_rules
from actors.sandbox.world import World
from events.base import replace
from events.environments import Action


def initial(setup: Town | Case) -> World | CaseWorld:
    """Before the first step, or the first word."""
    if isinstance(setup, Case):
        return case_rules.initial(setup)
    return town_rules.initial(setup)


def evolve(world: World | CaseWorld, event: Happening) -> World | CaseWorld:
    """The state after one more event."""
    if isinstance(world, CaseWorld):
        return case_rules.evolve(world, event)
    return town_rules.evolve(world, event)


def next_step(world: World | CaseWorld) -> Ask | End | Happened:
    """What follows."""
    if isinstance(world, CaseWorld):
        return case_rules.next_step(world)
    return town_rules.next_step(world)


def action_fault(question: Any, action: Action) -> str | None:
    """Why an action is no answer to a question, as half a sentence."""
    if isinstance(question, WhatToDo):
        return _deed_fault(question, action)
    if isinstance(question, WhatToSay):
        if not isinstance(action, Say):
            return "something is to be said"
        return None if action.text.strip() or action.ends else "nothing is said"
    if not isinstance(action, Recap):
        return "it is to be told what came of the talk"
    return None if action.text.strip() else "nothing is told"


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


def canonical(question: Any, action: Action) -> Action:
    """An accepted action as it is recorded: on one line each, and to whom it was said."""
    match action:
        case Act(text=text, address=address):
            return replace(action, text=_line(text), address=_line(address))  # type: ignore[no-any-return]
        case Say(text=text, about=about):
            return replace(action, text=text.strip(), about=_about(about), to=question.to)  # type: ignore[no-any-return]
    return action


def _line(text: str) -> str:
    return " ".join(text.split())


def _about(text: str) -> str:
    return _line(text.replace("@", " ")).rstrip(".")
