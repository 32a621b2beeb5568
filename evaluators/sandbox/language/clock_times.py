"""Times of day and days as people say them in English, found without a language model."""

import re
from datetime import date
from typing import Final

_ONE_TO_TWELVE: Final = "one two three four five six seven eight nine ten eleven twelve"
_NUMBERS: Final = {name: 1 + place for place, name in enumerate(_ONE_TO_TWELVE.split())}
_WORDS: Final = "|".join(_NUMBERS)
_NUMBER: Final = rf"(?P<hour>\d{{1,2}}|{_WORDS})"
_MORNING: Final = r"in the morning|this morning|tomorrow morning|a\.?m\b\.?"
_LATER: Final = (
    r"in the (?:early |late )?(?:afternoon|evening)|(?:this|tomorrow) (?:afternoon|evening)|"
    r"tonight|at night|p\.?m\b\.?"
)
_HALF: Final = rf"\s*(?:o'?clock)?\s*(?:(?P<am>{_MORNING})|(?P<pm>{_LATER}))"
_MINUTES: Final = r"(?::|\.|h)(?P<minute>[0-5]\d)"
_BEFORE: Final = r"\b(?:at|by|around|about|from|until|till|before|after|to|say|for|past)"

_TO: Final = rf"\b(?:quarter|ten|twenty|five)\s+to\s+{_NUMBER}(?:{_HALF})?\b"
_NOON: Final = r"\b(?:noon|midday)\b"
_MIDNIGHT: Final = r"\bmidnight\b"
_PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        _TO,
        # half past six, a quarter past six
        rf"\b(?:half|quarter|ten|twenty|five)\s+past\s+{_NUMBER}(?:{_HALF})?\b",
        # 19:00, 7:30 pm, 7.30pm, 19h00
        rf"\b(?P<hour>\d{{1,2}}){_MINUTES}(?:{_HALF})?(?![\d:.]\d)",
        # seven-thirty, seven thirty pm
        rf"\b(?P<hour>{_WORDS})[\s-](?:thirty|fifteen|forty-five)(?:{_HALF})?\b",
        # 7 pm, seven in the evening, 7 o'clock tonight
        rf"\b{_NUMBER}{_HALF}",
        # seven o'clock
        rf"\b{_NUMBER}\s*o'?clock\b",
        # at 7; of words only where nothing follows that they could count
        rf"{_BEFORE}\s+(?P<hour>\d{{1,2}})(?=\s*(?:[,;.!?)]|$|(?:on|tomorrow|then|for|at|in|to|till|until)\b))",
        rf"{_BEFORE}\s+(?P<hour>{_WORDS})(?=\s*(?:[,;.!?)]|$|(?:tomorrow|then|at)\b))",
        _NOON,
        _MIDNIGHT,
    )
)
"""What is part of something that an earlier one finds is no time of its own."""

_YEAR: Final = """
january february march april may june july august september october november december
"""
_MONTHS: Final = _YEAR.split()
_WEEK: Final = "monday tuesday wednesday thursday friday saturday sunday"
_WEEKDAYS: Final = _WEEK.split()


def hours_in(text: str) -> frozenset[int]:
    """The hours, 0 to 23, that a text may name. One that does not say which half of the day it is
    in stands for both; minutes are passed over."""
    text = text.replace("’", "'")
    found: set[int] = set()
    taken: list[tuple[int, int]] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            begin, end = match.span()
            if not any(begin < until and start < end for start, until in taken):
                taken.append((begin, end))
                found |= _hours(match)
    return frozenset(found)


def names_day(text: str, day: date, today: date) -> bool:
    """Whether a text names a day: by date, weekday, feast, or from the day on which it is said."""
    lowered = text.casefold().replace("’", "'")
    month = _MONTHS[day.month - 1]
    of_month = rf"{day.day}(?:st|nd|rd|th)?"
    known = [
        rf"\b{month[:3]}(?:{month[3:]})?\.?\s+(?:the\s+)?{of_month}\b",
        rf"\b{of_month}\s+(?:of\s+)?{month[:3]}(?:{month[3:]})?\b",
        rf"\bthe\s+{day.day}(?:st|nd|rd|th)\b",
        rf"\b{day.year}-0?{day.month}-0?{day.day}\b",
        rf"\b0?{day.month}/0?{day.day}\b",
        rf"\b{_WEEKDAYS[day.weekday()]}\b",
    ]
    ahead = (day - today).days
    if ahead == 0:
        known.append(r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b")
    if ahead == 1:
        known.append(r"\btomorrow\b")
    if (day.month, day.day) == (2, 14):
        known.append(r"\bvalentine")
    return any(re.search(pattern, lowered) for pattern in known)


def _hours(match: re.Match[str]) -> frozenset[int]:
    groups = match.groupdict()
    given = (groups.get("hour") or "").casefold()
    if not given:
        return frozenset({12 if match.re.pattern == _NOON else 0})
    hour = int(given) if given.isdecimal() else _NUMBERS[given]
    if hour > 24:
        return frozenset()
    if groups.get("am"):
        both = {hour % 12}
    elif groups.get("pm"):
        both = {hour % 12 + 12} if hour <= 12 else {hour}
    elif hour > 12 or given.startswith("0"):
        both = {hour}
    else:
        both = {hour % 12, hour % 12 + 12}
    earlier = 1 if match.re.pattern == _TO else 0
    return frozenset((one - earlier) % 24 for one in both)
