"""The words that a score rests on, found in what was said."""

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from events.untrusted.safe_text import harmless


def spans(text: str, quotes: Sequence[str]) -> list[tuple[int, int]]:
    """Where quotes stand in a text, in order and without overlap; white space and case do not
    count. ``static/stage/lit.js`` finds the same."""
    found: list[tuple[int, int]] = []
    for quote in quotes:
        words = quote.strip(" \t\n\"'“”‘’….").split()
        if not words:
            continue
        pattern = r"\s+".join(map(re.escape, words))
        found += [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]
    merged: list[tuple[int, int]] = []
    for begin, end in sorted(found):
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((begin, end))
    return merged


def marked(text: str, quotes: Sequence[str]) -> Markup:
    """A text with its quotes between ``<mark>``s, everything escaped."""
    text = harmless(text)
    parts: list[Markup] = []
    place = 0
    for begin, end in spans(text, [harmless(quote) for quote in quotes]):
        parts += [escape(text[place:begin]), Markup("<mark>{}</mark>").format(text[begin:end])]
        place = end
    return Markup("").join((*parts, escape(text[place:])))
