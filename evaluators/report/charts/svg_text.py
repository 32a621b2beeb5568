"""Text in SVG: how much of it fits, and how it is escaped."""

from typing import Final
from unicodedata import east_asian_width

from markupsafe import escape

from events.untrusted.safe_text import one_line

_NO_CHARACTERS: Final = dict.fromkeys((0xFFFE, 0xFFFF), "�")
"""What no XML document may hold, and ``harmless`` lets by."""


def cut(text: str, room: float, size: float) -> str:
    """The beginning of a text that fits into so many pixels at a size of letters, as far as that
    can be known without the letters' font."""
    if room <= 0:
        return ""
    if wide(text, size) <= room:
        return text
    room -= size * 0.8
    for place, letter in enumerate(text):
        room -= wide(letter, size)
        if room < 0:
            return text[:place].rstrip() + "…"
    return text


def wide(text: str, size: float) -> float:
    """About how many pixels a line takes at a size of letters."""
    return size * sum(
        1.0 if east_asian_width(letter) in "WF" else 0.66 if letter.isupper() else 0.53
        for letter in text
    )


def svg_text(text: str) -> str:
    """A text of one line or several as XML takes it."""
    lines = "\n".join(map(one_line, text.split("\n")))
    return str(escape(lines.translate(_NO_CHARACTERS)))
