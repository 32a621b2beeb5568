"""Quotes text by people or models inside another text that minds, judges or people read.

A transcript consists of lines, so an author who may write line breaks could forge lines of others,
or the line that ends the transcript. A text quoted here never begins a line: what follows a line
break of any kind is indented, and a text of several lines is indented as a whole. It is enclosed in
tags with a nonce that does not occur in it.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from typing import Any, Final

INDENT: Final = "    "
NONCE: Final = 12
"""Hexadecimal digits."""
_AS_DIGITS: Final = "\u1e9a\ufb00\ufb01\ufb02\ufb03\ufb04"
"""What becomes one of them when its case is folded."""


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
    return nonce_from("\0".join(quoted), *quoted)


def nonce_from(seed: str, *quoted: str) -> str:
    """The same, made of something else: where that stays and the texts grow, so does the nonce, and
    a server that remembers a prompt's beginning need not read it again. ``seed``: what those who
    write the texts cannot know, or whose nonces they gain nothing by."""
    known = folded("\0".join(quoted))
    return next(nonce for nonce in nonces(seed) if nonce not in known)


def folded(text: str) -> str:
    """A text in which a nonce is found in whatever case it is written: in lower case, with marks in
    the place of characters that are no part of any nonce."""
    if not text.isascii() and not any(one in text for one in _AS_DIGITS):
        # Folding a long text beyond ASCII costs three times as much.
        text = text.encode("ascii", "replace").decode("ascii")
    return text.casefold()


def texts_in(value: object) -> list[str]:
    """All texts in nested mappings and sequences, in their order."""
    texts: list[str] = []
    _add_texts((value,), texts)
    return texts


def _add_texts(values: Iterable[Any], texts: list[str]) -> None:
    for one in values:
        kind: type = type(one)
        # Nearly all are of these kinds; to ask what another is costs several calls.
        if kind is str:
            texts += (one,)
        elif kind is dict:
            _add_texts(one.values(), texts)
        elif kind is list or kind is tuple:
            _add_texts(one, texts)
        elif kind is not int and (form := _form_of(kind)) is not None:
            if form is str:
                texts += (one,)
            else:
                _add_texts(one.values() if form is Mapping else one, texts)


@lru_cache(maxsize=256)
def _form_of(kind: type) -> type | None:
    """Whether values of a kind are texts, mappings or sequences, the first that they are."""
    return next((form for form in (str, Mapping, Sequence) if issubclass(kind, form)), None)
