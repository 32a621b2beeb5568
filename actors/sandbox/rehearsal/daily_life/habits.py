"""When somebody sleeps, eats and works, read from how their life is described."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from actors.sandbox.rehearsal.language.intents import cues_in
from actors.sandbox.rehearsal.language.times import DAY, times_in

_CLAUSE: Final = re.compile(r"[,;.](?=\s|$)|\band\b|\bthen\b")


class Habits(NamedTuple):
    """Minutes after midnight."""

    wake: int
    bed: int
    """Past 1,440 where they go to bed after midnight."""
    lunch: int
    dinner: int


class WorkingHours(NamedTuple):
    """Minutes after midnight."""

    start: int
    end: int


@lru_cache(maxsize=4096)
def habits_of(lifestyle: str) -> Habits:
    """What a text says of somebody's days, and what is usual where it says nothing."""
    found = {"wake": 420, "bed": 1380, "lunch": 750, "dinner": 1110}
    for clause in _CLAUSE.split(lifestyle):
        minutes = times_in(clause, 1).minutes
        if minutes:
            found.update(dict.fromkeys(cues_in(clause, "hours"), minutes[0]))
    wake, bed = found["wake"], found["bed"]
    bed += DAY if bed < 360 else 0
    return Habits(wake, max(bed, wake + 600), max(found["lunch"], wake + 90), found["dinner"])


@lru_cache(maxsize=4096)
def working_hours(daily: str) -> WorkingHours | None:
    """From the first to the last hour that a text names for what each day must hold; None: it names
    none."""
    minutes = times_in(daily, 1).minutes
    if not minutes:
        return None
    start = minutes[0]
    later = [minute for minute in minutes[1:] if minute > start]
    end = (later[-1] if len(later) > 1 else later[0]) if later else start + 420
    return WorkingHours(start, min(end, 1380))
