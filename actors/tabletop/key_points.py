"""Which key points of a sheet stand in a text, by their terms."""

import re
from collections.abc import Sequence
from functools import lru_cache

from actors.tabletop.catalog_items import KeyPoint


def points_in(text: str, points: Sequence[KeyPoint]) -> tuple[int, ...]:
    """Which key points a text has, from 0: those of whose terms it has every one."""
    return tuple(
        place
        for place, point in enumerate(points)
        if all(_pattern(term).search(text) for term in point.terms)
    )


@lru_cache(maxsize=2048)
def _pattern(term: str) -> re.Pattern[str]:
    """A term: one of its synonyms begins a word; a number is the whole of one."""
    synonyms = (
        re.escape(one.strip()) + (r"(?![\d,.]*\d)" if one.strip()[-1].isdigit() else "")
        for one in term.split("|")
        if one.strip()
    )
    return re.compile(rf"(?<![\w,.])(?:{'|'.join(synonyms)})", re.IGNORECASE)
