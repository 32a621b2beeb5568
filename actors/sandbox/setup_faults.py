"""Whether an episode can be played with a setup."""

from datetime import datetime

from actors.sandbox.clock import in_calendar
from actors.sandbox.map.faults import odd_name
from actors.sandbox.map.grid import grid_of, town_digest
from actors.sandbox.prompt_names import TEMPLATES
from actors.sandbox.setup import Case, Town
from events.untrusted.safe_text import shortened


def town_fault(setup: Town, seats: int) -> str | None:
    """What is wrong with a town, as a sentence; None: nothing."""
    people = len(setup.inhabitants)
    if people != seats:
        return f"{seats} minds were given for {people} inhabitants; one each is needed"
    names = [one.id for one in setup.inhabitants]
    if len(set(names)) < people:
        twice = next(name for name in names if names.count(name) > 1)
        return f"{shortened(twice)!r} lives there twice; each inhabitant has a name of their own"
    for name in names:
        if odd := odd_name(name):
            return f"an inhabitant is called {shortened(name)!r}, which {odd}"
    settings = setup.settings
    if fault := _prompt_fault(settings.prompt):
        return fault
    if fault := _start_fault(settings.start, settings.steps * settings.step_s):
        return fault
    if setup.map.digest and setup.map.digest != town_digest(setup.map):
        return f"the map {shortened(setup.map.id)!r} is not the one that its fingerprint is of"
    try:
        grid_of(setup.map)
    except ValueError as error:
        return f"the map {shortened(setup.map.id)!r} cannot be lived in: {error}"
    for who in setup.inhabitants:
        if not grid_of(setup.map).standing(who.home):
            return (
                f"{shortened(who.id)!r} lives at {shortened(who.home)!r}, where nobody can stand"
                " or which the map does not have"
            )
    return None


def case_fault(setup: Case, seats: int) -> str | None:
    """What is wrong with a case, as a sentence; None: nothing."""
    if seats != 2:
        return f"two talk in a case, not {seats}"
    if setup.rounds < 1:
        return "a case needs at least one round"
    if setup.performer.inhabitant.id == setup.target.inhabitant.id:
        return "a case needs two people, and both are the same"
    for who in (setup.performer.inhabitant, setup.target.inhabitant):
        if odd := odd_name(who.id):
            return f"somebody is called {shortened(who.id)!r}, which {odd}"
    return _prompt_fault(setup.prompt) or _start_fault(setup.at, 0)


def _prompt_fault(prompt: str) -> str | None:
    if prompt in TEMPLATES:
        return None
    known = ", ".join(TEMPLATES)
    return f"there is no prompt {shortened(prompt)!r} to ask by; there are {known}"


def _start_fault(start: str, seconds: int) -> str | None:
    try:
        begins = datetime.fromisoformat(start)
    except ValueError:
        begins = None
    if begins is None or begins.tzinfo is not None:
        return f"{shortened(start)!r} is no date and time such as 2023-02-13 00:00:00"
    if not in_calendar(begins, seconds):
        return f"what begins at {shortened(start)!r} goes beyond the year 9999, the last there is"
    return None
