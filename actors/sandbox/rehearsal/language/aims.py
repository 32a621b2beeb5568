"""What a performer has been set to do, read from its words as anybody would read them.

Nothing here knows how the task is scored: keywords, windows and numbers are no part of the words.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from actors.sandbox.rehearsal.language.grammar import plain_verb
from actors.sandbox.rehearsal.language.intents import around, cues_in
from actors.sandbox.rehearsal.language.interpretation import KINDS, AimStep, Proposal, placed
from actors.sandbox.rehearsal.language.times import When, times_in

_STEPS: Final = re.compile(
    r"^(?:to )?(?P<first>\w+ .+?) (?:at|from|in) (?P<here>.+?),? and(?: then)?"
    r" (?P<second>\w+ .+?) (?:to|at|into) (?P<there>.+)$"
)


@lru_cache(maxsize=1024)
def aim_of(
    goal: str, brief: str, criteria: str, seat: int, names: tuple[str, ...], today: int
) -> Proposal | None:
    """The aim that a goal, given in three wordings, sets to the one in ``seat``. None: its words
    cannot be understood. ``today``: the date's ordinal."""
    found, also = times_in(goal, today), times_in(brief, today).when
    day, minute = found.when
    when = When(also.day if day is None else day, also.minute if minute is None else minute)
    bare, cues = found.rest, cues_in(found.rest, "aim")
    if "help" in cues or "help" in cues_in(criteria, "aim"):
        rest = (times_in(text, today).rest for text in (criteria, goal, brief))
        steps = _steps(rest, names[seat])
        return Proposal("help", steps[0].act, when, steps=steps) if steps else None
    target = next((one for other, one in enumerate(names) if other != seat and one in bare), "")
    kind = next((one for one in KINDS if one in cues and (one != "meeting" or target)), None)
    if kind is None:
        return None
    _, rest_ = around(bare, cues[kind])
    what, where = placed(rest_.partition(target)[2] if kind == "meeting" else rest_)
    return Proposal(kind, what.removesuffix(" with"), when, where, names=target)


def _steps(texts: Iterable[str], name: str) -> tuple[AimStep, ...]:
    """The two things that others are to do, from the first text that says them with their
    places; the second names its thing as the first does."""
    for text in texts:
        cue = cues_in(text, "aim").get("help")
        if cue is None:
            continue
        found = _STEPS.match(around(text, cue)[1].removeprefix(f"{name} "))
        if found:
            (verb, thing), (then, other) = (
                (plain_verb(one), rest)
                for one, _, rest in (found["first"].partition(" "), found["second"].partition(" "))
            )
            other = thing if other in ("it", "them") else other
            return (
                AimStep(f"{verb} {thing}", found["here"]),
                AimStep(f"{then} {other}", placed(f" at {found['there']}")[1]),
            )
    return ()
