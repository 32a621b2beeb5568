"""Small turns of English: from a wish to what somebody does."""

import re
from functools import lru_cache
from typing import Final

_SHORT: Final = re.compile(r"^[^aeiou]*[aeiou][^aeiouwxy]$")
_ARTICLE: Final = re.compile(r"^(?:an?|the|some|my|our|his|her|their)\s+", re.IGNORECASE)


@lru_cache(maxsize=4096)
def doing(verb_phrase: str) -> str:
    """``buy medicine`` becomes ``buying medicine``."""
    verb, space, rest = verb_phrase.strip().partition(" ")
    low = verb.lower()
    if low.endswith("ing") and len(low) > 5:
        return verb_phrase.strip()
    if low.endswith("e") and not low.endswith(("ee", "oe", "ye")) and len(low) > 2:
        verb = f"{verb[:-2]}y" if low.endswith("ie") else verb[:-1]
    elif _SHORT.match(low):
        verb += verb[-1]
    return f"{verb}ing{space}{rest}"


def plain_verb(verb: str) -> str:
    """``buys`` becomes ``buy``."""
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def without_article(phrase: str) -> str:
    """``a wine party`` becomes ``wine party``."""
    return _ARTICLE.sub("", phrase.strip())


def capital(text: str) -> str:
    """With a capital first letter."""
    return text[:1].upper() + text[1:]
