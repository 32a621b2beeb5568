"""Which words a model attends to, and which of them annotators marked (SocialEval, Figure 9)."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from actors.csv_file import read_rows
from actors.toml_file import BadFile
from evaluators.worldtree.internals.text_samples import Text
from events.untrusted.safe_text import shortened

KEYWORDS: Final = 30
"""So many words a sample: those that get the most attention."""
_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_LETTER = rf"[^\W_{_CJK}]"
_WORD: Final = re.compile(rf"{_LETTER}+(?:['’-]{_LETTER}+)*")
"""A word of a script that has blanks between words."""


class Attended(msgspec.Struct, frozen=True):
    """A word, and the attention that it gets."""

    word: str
    """As it first stands in the text."""
    weight: float
    """The sum over its tokens, wherever it stands."""
    spans: tuple[tuple[int, int], ...]
    """Where it stands: characters of the text."""


def attended(
    text: str, tokens: Iterable[tuple[int, int]], weights: Iterable[float], most: int = KEYWORDS
) -> tuple[Attended, ...]:
    """The words with the most weight, the heaviest first; of equal ones, the earlier.

    ``tokens`` are spans of characters, empty ones stand for nothing in the text. Tokens of one word
    are one word; where a script has no blanks between words, each token is one. What has neither
    letter nor digit is none. Case does not matter.
    """
    words = [match.span() for match in _WORD.finditer(text)]
    starts = {at: span for span in words for at in range(*span)}
    sums: dict[str, float] = defaultdict(float)
    where: dict[str, dict[tuple[int, int], None]] = defaultdict(dict)
    for (start, end), weight in zip(tokens, weights, strict=True):
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end = start + len(piece.strip())
        if not any(letter.isalnum() for letter in text[start:end]):
            continue
        inside = next((at for at in range(start, end) if at in starts), None)
        span = (start, end) if inside is None else starts[inside]
        key = text[span[0] : span[1]].casefold()
        sums[key] += weight
        where[key].setdefault(span)
    heaviest = sorted(sums, key=lambda key: (-sums[key], next(iter(where[key]))))[:most]
    return tuple(
        Attended(_first(text, where[key]), sums[key], tuple(where[key])) for key in heaviest
    )


def _first(text: str, spans: Mapping[tuple[int, int], None]) -> str:
    start, end = next(iter(spans))
    return text[start:end]


Marked = Mapping[str, Mapping[str, int]]
"""By sample the keywords, and how many annotators marked each."""


def read_keywords(path: Path, texts: Iterable[Text]) -> Marked:
    """Annotators' keywords: CSV with the columns ``sample`` and ``keyword``, and ``annotator``
    where there are several. What several marked is one keyword.

    Raises ``BadFile``: the line, and what would be right.
    """
    by_id = {text.sample: text.text for text in texts}
    found: dict[str, dict[str, set[str]]] = {}
    for row in read_rows(path, ("sample", "keyword")):
        sample, keyword = row.fields["sample"], row.fields["keyword"]
        if not sample or not keyword:
            why = "each row needs values in the columns sample and keyword"
            raise BadFile(path, row.where, why)
        if sample not in by_id:
            why = f"no sample that was read has the id {shortened(sample)!r}"
            raise BadFile(path, row.where, why)
        if not places(keyword, by_id[sample]):
            why = f"the text of {sample} has no {shortened(keyword)!r}"
            raise BadFile(path, row.where, why)
        who = row.fields.get("annotator", "")
        found.setdefault(sample, {}).setdefault(keyword.casefold(), set()).add(who)
    if not found:
        raise BadFile(path, "", "holds no keywords; give rows under sample,keyword")
    return {
        sample: {keyword: len(who) for keyword, who in marked.items()}
        for sample, marked in found.items()
    }


def places(keyword: str, text: str) -> list[tuple[int, int]]:
    """Where a keyword stands, in any case; as a whole word where its script has words."""
    pattern = re.escape(keyword)
    if re.match(_LETTER, keyword):
        pattern = rf"(?<!{_LETTER}){pattern}"
    if re.match(_LETTER, keyword[-1]):
        pattern = rf"{pattern}(?!{_LETTER})"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


class AttentionSample(msgspec.Struct, frozen=True):
    """What a model attends to, and what annotators marked, in one sample."""

    both: tuple[str, ...]
    """Keywords that annotators marked and that one of the attended words touches."""
    marked: int
    """Keywords that annotators marked."""
    shared: frozenset[str]
    """Attended words that touch a keyword."""


def intersect(text: str, words: Sequence[Attended], marked: Iterable[str]) -> AttentionSample:
    """What is in both. A keyword and a word are the same where they touch in the text: a keyword
    may be of several words, and a token only a part of a keyword."""
    both, shared = [], set()
    wanted = list(marked)
    for keyword in wanted:
        spans = places(keyword, text)
        touched = [
            one.word
            for one in words
            if any(a < d and c < b for a, b in spans for c, d in one.spans)
        ]
        shared.update(touched)
        if touched:
            both.append(keyword)
    return AttentionSample(tuple(both), len(wanted), frozenset(shared))
