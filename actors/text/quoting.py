"""What somebody wrote, put into a text that others read: minds, judges, those who note, and people.

A transcript is a text of lines, so whoever may write line breaks could write others' lines into it,
or the line that ends it. Quoted here, a text begins no line: what follows a break of any kind is
indented, and what has lines of its own is indented as a whole. Around it stand tags with a nonce
that does not occur in it.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Final

INDENT: Final = "    "
NONCE: Final = 12
"""Hexadecimal digits."""


def continued(text: str) -> str:
    """A text that follows something on its line: every further line of it is indented.

    Line breaks are all that Python, Unicode or a terminal takes for one: CR, VT, FF, FS, GS, RS,
    NEL, U+2028 and U+2029 as well. A text without any is as it was; done twice, it is indented
    twice.
    """
    lines = text.splitlines()
    if len(lines) < 2:
        return lines[0] if lines else ""
    return "\n".join([lines[0], *(f"{INDENT}{line}".rstrip() for line in lines[1:])])


def indented(text: str) -> str:
    """A text that stands on lines of its own: all of them are indented."""
    return "\n".join(f"{INDENT}{line}".rstrip() for line in text.splitlines())


def nonces(seed: str) -> Iterator[str]:
    """Words that nobody comes upon by chance, without end: the same ones for the same seed, since a
    request is found again by its words."""
    for number in count():
        digest = hashlib.sha256(f"{number}:{seed}".encode(errors="surrogatepass"))
        yield digest.hexdigest()[:NONCE]


def nonce_for(*quoted: str) -> str:
    """The nonce of the tags around some texts: made of them, and in none of them in any case."""
    whole = "\0".join(quoted)
    folded = whole.casefold()
    return next(nonce for nonce in nonces(whole) if nonce not in folded)


def texts_in(value: object) -> Iterator[str]:
    """All texts in nested mappings and sequences, in their order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _of_all(value.values())
    elif isinstance(value, Sequence):
        yield from _of_all(value)


def _of_all(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        yield from texts_in(value)
