"""Detects answers that repeat themselves: a model in a loop stops only at its maximum length."""

import re
from collections import Counter
from typing import Final

N: Final = 4
"""Words of the sequences that are counted."""
TIMES: Final = 3
"""So often a sequence is there to count as repeated."""
SHARE: Final = 1 / 3
"""So much of a text's sequences are repeated where it is in a loop. Of the recorded answers of a
small model those that go on saying something have 0.15 at most."""
LEAST: Final = 24
"""Characters that repeat one another at a text's end, at least."""
LONGEST: Final = 600
"""Characters of what repeats, at most."""
SHOWN: Final = 60
"""Characters of it that are told."""

_WORD: Final = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff]+|\w|[^\w\s]")
"""Words; where they are not written apart, characters; marks."""


def repeated(answer: str) -> str:
    """What an answer that was cut off says over and over, or its beginning; empty: nothing.

    It is in a loop where its end is some characters ``TIMES`` times in a row, or where in the text
    that it was writing ``SHARE`` of the sequences of ``N`` words are there ``TIMES`` times or more.
    Of JSON only the text counts that is not closed: the names of fields repeat of right.
    """
    return (_at_the_end(answer) or _in_words(answer))[:SHOWN].strip()


def _at_the_end(answer: str) -> str:
    text = answer.rstrip()[-(TIMES + 1) * LONGEST :]
    for size in range(1, min(LONGEST, len(text) // TIMES) + 1):
        long = max(LEAST, TIMES * size)
        if long <= len(text) and text[-long:-size] == text[size - long :]:
            return text[-size:] if size > 2 else text[-LEAST:]
    return ""


def _in_words(answer: str) -> str:
    begun = answer.find("{")
    # The text that is open is behind an odd number of quotation marks.
    texts = re.split(r'(?<!\\)"', answer[begun:]) if begun >= 0 else [answer]
    if begun >= 0 and len(texts) % 2:
        return ""
    words = _WORD.findall(texts[-1])
    found = Counter(tuple(words[i : i + N]) for i in range(len(words) - N + 1))
    often = sum(times for times in found.values() if times >= TIMES)
    if not found or often < SHARE * found.total():
        return ""
    first = next(words for words, times in found.most_common() if times >= TIMES)
    return " ".join(first)
