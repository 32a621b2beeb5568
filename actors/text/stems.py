"""The content words of a text, reduced so that the forms of a word match. English."""

import re
from functools import lru_cache
from typing import Final

WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SMALL_WORDS = """
a about after again all also always am an and any are as at be because been before being but by
came can come could did do does each even ever every for from gave get give go goes got had has
have he her hers hidden him his how i if in into is it its just keep keeps know known let life
like made make many may me mine more most much must my never new no nobody none nor not now of off
on once one only or other our out over own part past previous put said same say says secret
secretly she should since so some someone still such take takes tell than that the their them then
there these they thing things this those through to told too two undisclosed up us very was way we
well went were what when where which who will with without would year years yes yet you your
"""
_SMALL: Final = frozenset(_SMALL_WORDS.split())
"""Words that say little of what a text is about."""


@lru_cache(maxsize=4096)
def content_stems(text: str) -> frozenset[str]:
    """The words of a text that carry its content, cut down so that forms of a word meet."""
    lowered = text.lower().replace("’", "'")
    words = (word.partition("'")[0] for word in WORD.findall(lowered))
    return frozenset(stem(word) for word in words if word not in _SMALL and len(word) > 2)


def stem(word: str) -> str:
    """A word without the commonest English endings. Crude, but the same for all forms it joins."""
    for ending in ("ings", "ing", "ied", "ies", "ers", "er", "ed", "es", "s", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] in "ey":
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word
