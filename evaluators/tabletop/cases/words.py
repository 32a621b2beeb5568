"""The words that readers gave to sessions: how often each, and how far readers agree."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from evaluators.agreement.rater_agreement import alpha
from evaluators.statistics.estimates import Estimate


class GivenWord(NamedTuple):
    """What one reader said of one session."""

    episode: str
    reader: str
    word: str


class WordCount(NamedTuple):
    """A word, and how often it was given."""

    word: str
    times: int


class SessionWords(NamedTuple):
    """The words that one session was given."""

    episode: str
    words: tuple[str, ...]
    """In the readers' order."""


class WordsGiven(NamedTuple):
    """All words of a case study."""

    counts: tuple[WordCount, ...]
    """The most frequent first; of as frequent ones in the order of the alphabet."""
    sessions: tuple[SessionWords, ...]
    readers: int
    same: float | None
    """Of two readers of one session, the share who give the same word: the mean over sessions with
    two readers at least, 0 to 1. None: there is none."""
    alpha: Estimate
    """Krippendorff's, nominal."""


def words_given(given: Iterable[GivenWord]) -> WordsGiven:
    """Counts and agreement. Words are compared without regard to case."""
    said: dict[str, dict[str, str]] = {}
    for one in given:
        said.setdefault(one.episode, {})[one.reader] = one.word.strip().casefold()
    counted = Counter(word for words in said.values() for word in words.values())
    readers = sorted({reader for words in said.values() for reader in words})
    return WordsGiven(
        counts=tuple(
            WordCount(word, count)
            for word, count in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        ),
        sessions=tuple(
            SessionWords(id_, tuple(words[reader] for reader in sorted(words)))
            for id_, words in said.items()
        ),
        readers=len(readers),
        same=_same([list(words.values()) for words in said.values()]),
        alpha=_alpha(list(said.values()), readers, sorted(counted)),
    )


def _same(sessions: Sequence[Sequence[str]]) -> float | None:
    shares = []
    for words in sessions:
        pairs = list(combinations(words, 2))
        if pairs:
            shares.append(sum(one == other for one, other in pairs) / len(pairs))
    return sum(shares) / len(shares) if shares else None


def _alpha(
    said: Sequence[dict[str, str]], readers: Sequence[str], words: Sequence[str]
) -> Estimate:
    if not said:
        return Estimate(why="no session was read")
    if len(words) == 1 and any(len(one) > 1 for one in said):
        return Estimate(why=f"everybody gave the word {words[0]!r}")
    codes = {word: float(place) for place, word in enumerate(words)}
    ratings = np.array(
        [[codes[one[who]] if who in one else np.nan for who in readers] for one in said],
        dtype=np.float64,
    ).reshape(len(said), len(readers))
    return alpha(ratings, "nominal", np.arange(len(said)))
