"""Memory by retrieval: the notes that matter most for what is about to happen.

After Park et al. (2023), "Generative Agents", section 4.1: a memory's score is the sum of its
recency, its importance and its relevance, all weighted alike, each scaled to 0 to 1 over the
memories compared. What is different here: a memory is the note on a whole episode; recency decays
by episodes since it was written, not by hours since it was last read; relevance needs no
embeddings, so that nothing but the notes decides what is recalled.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from actors.lifelong.memory.module import Keeps, Kept, Recall
from actors.lifelong.memory.prompt_entries import entry, joined, note_text
from actors.text.stems import content_stems
from events.memory import MemorySpec

DECAY: Final = 0.9
"""What is left of a memory's recency from one episode to the next."""
UNRATED: Final = 0.5
"""The importance of a note whose writer gave none."""


class Retrieval:
    """The ``top`` notes by recency, importance and relevance, told oldest first.

    Where they do not fit, those with the lowest scores are left out.
    """

    keeps: Keeps = "notes"
    writes_notes = True

    def __init__(self, spec: MemorySpec) -> None:
        self.spec = spec

    def choose(self, kept: Sequence[Kept], cue: str, limit: int) -> Recall:
        """The best notes that fit. ``dropped`` are those among the ``top`` that do not."""
        there = [one for one in kept if one.tokens > 0]
        of = dict(zip((one.index for one in there), scores(there, cue), strict=True))
        best = sorted(there, key=lambda one: (-of[one.index], -one.index))[: self.spec.top]
        taken: list[Kept] = []
        left = limit
        for one in best:
            if one.tokens <= left:
                taken.append(one)
                left -= one.tokens
        recalled = {one.index for one in taken}
        return Recall(
            recalled=tuple(sorted(recalled)),
            dropped=tuple(sorted(one.index for one in best if one.index not in recalled)),
            tokens=limit - left,
            limit=limit,
        )

    def text(self, recalled: Sequence[Kept], retell: Callable[[str], str]) -> str:
        """The notes."""
        return joined(
            entry(one.index, note_text(one.note, self.spec.prompt_version))
            for one in recalled
            if one.note
        )


def scores(kept: Sequence[Kept], cue: str) -> list[float]:
    """How much each memory matters now, 0 to 3."""
    if not kept:
        return []
    newest = max(one.index for one in kept)
    recency = [DECAY ** (newest - one.index) for one in kept]
    importance = [_importance(one) for one in kept]
    relevance = similarities([note_text(one.note) if one.note else "" for one in kept], cue)
    return [
        sum(parts) for parts in zip(*map(scaled, (recency, importance, relevance)), strict=True)
    ]


def scaled(values: Sequence[float]) -> list[float]:
    """Values moved and stretched so that the least is 0 and the greatest 1; all 0 where they are
    the same, since they then decide nothing."""
    low, high = min(values), max(values)
    if high == low:
        return [0.0] * len(values)
    return [(value - low) / (high - low) for value in values]


def similarities(texts: Sequence[str], query: str) -> list[float]:
    """How much each text has in common with the query, 0 to 1: the cosine of their TF-IDF vectors.

    The vector space model of Salton and Buckley (1988), "Term-weighting approaches in automatic
    text retrieval". A word stem is in a text or not (binary term frequency) and weighs
    log(1 + N/n) where n of the N texts have it; 1 is added so that a stem of all texts counts.
    """
    stems = [content_stems(text) for text in texts]
    spread = Counter(stem for each in stems for stem in each)
    weight = {stem: math.log(1 + len(texts) / among) ** 2 for stem, among in spread.items()}
    asked = content_stems(query) & weight.keys()
    norm = _length(asked, weight)
    return [
        sum(weight[stem] for stem in sorted(asked & each)) / (norm * _length(each, weight))
        if asked & each
        else 0.0
        for each in stems
    ]


def _importance(one: Kept) -> float:
    rated = one.note.importance if one.note else None
    return UNRATED if rated is None else rated


def _length(stems: frozenset[str], weight: dict[str, float]) -> float:
    # In order: a sum of floats depends on it, and the order of a set on the process.
    return math.sqrt(sum(weight[stem] for stem in sorted(stems)))
