"""Offline vectors of texts: hashed character n-grams.

The vectors are the same in every process and on every machine: they do not depend on ``hash``, on
the order of sets, or on a model.
"""

import math
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""A row a text, each of length 1, or 0 where a text has no letter."""

WIDTH: Final = 256
"""Numbers of a hashed vector."""
LONGEST: Final = 2_000
"""Characters of a text that are looked at."""
_GRAMS: Final = (3, 4)
_WORD: Final = re.compile(r"\w+")
_COMMON: Final = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "had", "has", "have"),
        *("he", "her", "his", "i", "in", "is", "it", "its", "of", "on", "or", "she", "that"),
        *("the", "their", "they", "this", "to", "was", "were", "with", "you", "your"),
    )
)
"""Words that say nothing of what a text is about."""


def hashed(texts: Sequence[str]) -> Vectors:
    """The vectors of texts, ``WIDTH`` numbers each.

    Features are words and the character n-grams of words with their borders; each goes to one place
    with one sign (Weinberger et al. 2009, "Feature hashing"), by the root of how often it occurs.
    """
    out = np.zeros((len(texts), WIDTH), np.float32)
    for row, text in enumerate(texts):
        words = [word for word in _WORD.findall(text[:LONGEST].casefold()) if word not in _COMMON]
        for word, times in Counter(words).items():
            weight = math.sqrt(times)
            for place, part in _features(word):
                out[row, place] += weight * part
    norms = np.linalg.norm(out, axis=1, keepdims=True)
    np.divide(out, norms, out=out, where=norms > 0)
    return out


@lru_cache(maxsize=20_000)
def _features(word: str) -> tuple[tuple[int, float], ...]:
    """Where a word's features go, and with which weight. All together weigh the same in long words
    as in short ones."""
    bordered = f"<{word}>"
    grams = [word] * 2 + [
        bordered[start : start + size]
        for size in _GRAMS
        for start in range(len(bordered) - size + 1)
    ]
    share = 1 / math.sqrt(len(grams))
    places = []
    for gram in grams:
        code = zlib.crc32(gram.encode())
        places.append((code % WIDTH, share if code & 0x8000_0000 else -share))
    return tuple(places)


def packed(vector: Vectors) -> bytes:
    """A vector as ``MemoryAdded.embedding`` holds it: 32-bit floats, little-endian."""
    return vector.astype("<f4").tobytes()


def unpacked(data: bytes) -> Vectors:
    """The vector in an event. Raises ``ValueError`` where the bytes are no whole number of them."""
    return np.frombuffer(data, "<f4").astype(np.float32)


def scaled(vectors: Vectors) -> Vectors:
    """Vectors with length 1; one of length 0 stays."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    out: Vectors = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
    return out
