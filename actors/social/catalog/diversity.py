"""How varied texts are: distinct pairs of words, and how near each text is to the one most like
it.

Weights are those of scikit-learn's ``TfidfVectorizer`` with its defaults, so that figures can be
compared.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

import numpy as np
import scipy

_WORD: Final = re.compile(r"\b\w\w+\b")


class Neighbours(NamedTuple):
    """The two texts that are most like each other."""

    cosine: float
    """0 (no word in common) to 1 (the same words, each as often)."""
    one: int
    other: int
    """Their places among the texts."""


def distinct_2(texts: Sequence[str]) -> float:
    """How many of the pairs of neighbouring words in all texts are different ones, 0 to 1 (Li et
    al. 2016); 0 where there is none."""
    pairs = Counter(chain.from_iterable(pairwise(words(text)) for text in texts))
    return len(pairs) / pairs.total() if pairs else 0.0


def neighbours(texts: Sequence[str]) -> list[Neighbours]:
    """For each text the one most like it, by the cosine of their words weighted by TF-IDF; nothing
    where there are fewer than two."""
    if len(texts) < 2:
        return []
    counts = [Counter(words(text)) for text in texts]
    column = {word: place for place, word in enumerate(sorted(set(chain(*counts))))}
    used = Counter(chain.from_iterable(counts))
    idf = {word: np.log((1 + len(texts)) / (1 + n)) + 1 for word, n in used.items()}
    rows = [row for row, found in enumerate(counts) for _ in found]
    columns = [column[word] for found in counts for word in found]
    weights = [n * idf[word] for found in counts for word, n in found.items()]
    matrix = scipy.sparse.csr_array(
        (weights, (rows, columns)), shape=(len(texts), max(1, len(column)))
    )
    lengths = np.sqrt(matrix.power(2).sum(axis=1))
    cosines = (matrix @ matrix.T).toarray()
    cosines /= np.outer(lengths, lengths) + (np.outer(lengths, lengths) == 0)
    np.fill_diagonal(cosines, -1)
    nearest = cosines.argmax(axis=1)
    return [
        Neighbours(float(cosines[one, other]), one, int(other)) for one, other in enumerate(nearest)
    ]


def words(text: str) -> list[str]:
    """The words of a text in lower case, those of one letter left out."""
    return _WORD.findall(text.lower())
