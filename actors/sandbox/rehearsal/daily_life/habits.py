"""When somebody sleeps, eats and works, read from how their life is described."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from actors.sandbox.rehearsal.language.grammar import doing, plain_verb
from actors.sandbox.rehearsal.language.times import DAY, times_in

_BED: Final = re.compile(
    r"(?:goes|go|gets?|turns?|falls?|is) (?:to (?:bed|sleep)|in|asleep|in bed)\b|\bbedtime\b"
    r"|\bsleeps at\b",
    re.IGNORECASE,
)
_WAKE: Final = re.compile(r"\b(?:a?wak\w*|gets? up|rises?|is up|up)\b", re.IGNORECASE)
_DINNER: Final = re.compile(r"\b(?:dinner|supper|evening meal)\b", re.IGNORECASE)
_LUNCH: Final = re.compile(r"\b(?:lunch|midday meal)\b", re.IGNORECASE)
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
    wake, bed, lunch, dinner = 420, 1380, 750, 1110
    for clause in _CLAUSE.split(lifestyle):
        minutes = times_in(clause, 1).minutes
        if not minutes:
            continue
        minute = minutes[0]
        if _BED.search(clause):
            bed = minute + DAY if minute < 360 else minute
        elif _WAKE.search(clause):
            wake = minute
        elif _DINNER.search(clause):
            dinner = minute
        elif _LUNCH.search(clause):
            lunch = minute
    return Habits(wake, max(bed, wake + 600), max(lunch, wake + 90), dinner)


class Duty(NamedTuple):
    """Something that each day must hold."""

    text: str
    """``seeing patients``."""
    start: int
    """Minutes after midnight."""
    end: int
    place: str
    """Words that may name where; empty: where one works."""


_VERB: Final = re.compile(
    r"^(?:[A-Z]\S+(?: [A-Z]\S+)* |then |she |he |they |also )*(?P<verb>[a-z]+s)\b(?P<rest>.*)$"
)
_NO_DUTY: Final = frozenset(
    [
        "goes",
        "opens",
        "closes",
        "returns",
        "likes",
        "stands",
        "spends",
        "is",
        "has",
        "works",
        "minds",
        "keeps",
        "gets",
        "comes",
        "does",
        "eats",
        "his",
        "hers",
        "its",
        "this",
        "takes",
        "begins",
        "starts",
        "stays",
        "sits",
    ]
)
_PART: Final = (
    (re.compile(r"\bin the morning\b"), 480, 690),
    (re.compile(r"\bin the afternoon\b"), 840, 1050),
    (re.compile(r"\b(?:at night|in the evening)\b"), 1140, 1290),
)


@lru_cache(maxsize=4096)
def duties_of(daily: str, hours: WorkingHours) -> tuple[Duty, ...]:
    """What a text says that each day must hold, each at the hours it says, else at ``hours``."""
    found, last = [], hours
    for clause in re.split(r",? and (?=[a-z]+s\b)|[,;] |\. ", daily):
        verb = _VERB.match(clause.strip(" ."))
        times = times_in(clause, 1)
        if len(times.minutes) > 1 and times.minutes[1] > times.minutes[0]:
            last = WorkingHours(times.minutes[0], times.minutes[1])
        elif times.minutes:
            until = re.search(r"\b(?:until|till|to)\b", clause) is not None
            last = (
                WorkingHours(last.end, times.minutes[0])
                if until
                else WorkingHours(times.minutes[0], times.minutes[0] + 60)
            )
        if verb is None or verb["verb"] in _NO_DUTY:
            continue
        begins, ends = last
        text = clause.strip(" .")[verb.start("verb") :]
        for pattern, first, latest in _PART:
            if pattern.search(text):
                begins, ends, text = first, latest, pattern.sub("", text)
        text = re.sub(
            r"\s+(?:every\s?day|each day|from|until|till|to)?\s*$", "", _without_times(text)
        )
        text = re.sub(r"\s+(?:from|until|till|to)\b\s*(?=\bfrom\b|$)", "", text)
        what = re.split(r"\s+(?:in|at|from|to) (?:the|her|his|their|[A-Z])", text)[0].strip(" ,")
        if 5 <= len(what) <= 60 and not what.endswith(" it") and ends > begins:
            found.append(Duty(doing(_plain(what)), begins, ends, text[len(what) :].strip()))
    return tuple(found)


def _without_times(text: str) -> str:
    for start, end in reversed(times_in(text, 1).spans):
        text = f"{text[:start]}{text[end:]}"
    return text


def _plain(what: str) -> str:
    verb, space, rest = what.partition(" ")
    return f"{plain_verb(verb)}{space}{rest}"


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
