"""Times of day and dates as people write and say them."""

import re
from calendar import month_name
from datetime import date
from typing import Final, NamedTuple

DAY: Final = 1440
"""Minutes. A moment is counted in minutes from midnight before 1 January of the year 1."""

_MONTHS: Final = [name.lower() for name in month_name[1:]]
_TIME: Final = re.compile(
    r"(?<![\d-])(?:(?P<h>\d{1,2}):(?P<m>\d{2})(?::\d{2})?\s*(?P<half>[ap])?\.?(?:m\b)?"
    r"|(?P<hour>\d{1,2})\s*(?:(?P<of>[ap])\.?m\b\.?|o'clock)"
    r"|\b(?P<noon>noon|midday)\b|\b(?P<midnight>midnight)\b)",
    re.IGNORECASE,
)
_ISO: Final = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_DATE: Final = re.compile(
    rf"\b(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{'|'.join(_MONTHS)})"
    rf"|(?P<m2>{'|'.join(_MONTHS)}) (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?)(?:,? (?P<y>\d{{4}}))?\b",
    re.IGNORECASE,
)
_RELATIVE: Final = re.compile(
    r"\b(?:(?P<next>tomorrow)|(?P<today>today|tonight|this (?:morning|afternoon|evening)))\b",
    re.IGNORECASE,
)
_VAGUE: Final = re.compile(
    r"\b(?:(?:some|any) ?(?:time|point|day)|one of these days)\b", re.IGNORECASE
)
_LEAD: Final = re.compile(
    r"[\s,]*(?:\b(?:at|on|from|around|by|about|for)\b[\s,]*)*$", re.IGNORECASE
)


class When(NamedTuple):
    """What was said of a time, as far as it was."""

    day: int | None = None
    """The date's ordinal."""
    minute: int | None = None
    """After midnight."""


class FoundTime(NamedTuple):
    """Times found in a text."""

    when: When
    minutes: tuple[int, ...]
    """All times of day, in their order, as minutes after midnight."""
    rest: str
    """The text with a comma in place of each, and of the words that lead to it."""


def times_in(text: str, today: int) -> FoundTime:
    """The first date and the first time of day that a text names; ``today`` is an ordinal."""
    spans = [found.span() for found in _VAGUE.finditer(text)]
    minutes, day = [], None
    for pattern in (_ISO, _DATE, _RELATIVE):
        for found in pattern.finditer(text):
            named = _day(found, pattern, today)
            if named is not None:
                day = named if day is None else day
                spans.append(found.span())
    for found in _TIME.finditer(text):
        minute = _minute(found)
        if minute is not None:
            minutes.append(minute)
            spans.append(found.span())
    rest = text
    for start, end in sorted(spans, reverse=True):
        rest = f"{rest[: _widened(text, start)]}, {rest[end:]}"
    return FoundTime(When(day, minutes[0] if minutes else None), tuple(minutes), rest.strip(" ,"))


def said_day(day: int, today: int) -> str:
    """``tomorrow, 14 February,``, ``today`` or ``on 14 February``."""
    if day == today:
        return "today"
    on = date.fromordinal(day)
    named = f"{on.day} {on:%B}"
    return f"tomorrow, {named}," if day == today + 1 else f"on {named}"


def clock(minute: int) -> str:
    """``7pm``, ``5:30pm``, ``noon``."""
    hour, rest = divmod(minute % DAY, 60)
    if rest == 0 and hour in (0, 12):
        return "noon" if hour else "midnight"
    past = f":{rest:02}" if rest else ""
    return f"{(hour - 1) % 12 + 1}{past}{'pm' if hour >= 12 else 'am'}"


def _day(found: re.Match[str], pattern: re.Pattern[str], today: int) -> int | None:
    if pattern is _RELATIVE:
        return today + 1 if found["next"] else today
    try:
        if pattern is _ISO:
            return date(int(found[1]), int(found[2]), int(found[3])).toordinal()
        month = _MONTHS.index((found["m"] or found["m2"]).lower()) + 1
        year = int(found["y"]) if found["y"] else date.fromordinal(today).year
        return date(year, month, int(found["d"] or found["d2"])).toordinal()
    except ValueError:
        return None


def _minute(found: re.Match[str]) -> int | None:
    if found["noon"]:
        return 720
    if found["midnight"]:
        return 0
    hour = int(found["h"] or found["hour"])
    half = (found["half"] or found["of"] or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    elif found["hour"] and hour < 8:
        hour += 12  # "at 5 o'clock": nobody means the night
    minute = hour * 60 + int(found["m"] or 0)
    return minute if minute < DAY else None


def _widened(text: str, start: int) -> int:
    """Where the words begin that lead to a time: ``at``, ``on``."""
    lead = _LEAD.search(text, 0, start)
    return lead.start() if lead else start
