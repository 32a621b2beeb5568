"""What a rehearsal mind finds in its memory when its goal tells it to remember something.

It looks for what was said aloud then, in the accounts of whole episodes as in notes on them, by
the words that a question shares with it, rare words counting for more. Shallow, and the same each
time.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from actors.social.language.utterances import content_stems, read, sentences

MOST = 3
"""Things that are remembered in one episode."""
LONGEST = 200
"""Characters of one of them."""

Source = Literal["told", "own", "noted"]
_ORDER: tuple[Source, ...] = ("told", "own", "noted")

_ASKS = re.compile(r"(?:remember|recall)\b", re.IGNORECASE)
"""How a sentence of a goal begins that asks for something remembered."""
_ASIDE = content_stems("remember recall others another told tell aloud name number")
"""Stems of a question that say that it is one, and nothing of what is asked for."""
_TURN = re.compile(
    r"^(?:Turn \d+\. )?(?P<who>[^:\"]+?) (?:said|whispered to [^:\"]+|"
    r"left the conversation, (?:saying|whispering to [^:\"]+)): \"(?P<said>.*)\"$"
)
_NOTED = re.compile(r" (?:said|whispered): “")
_BEFORE_WHO = ".:;!?“”"
_MARK = re.compile("[“”]")
_FRAMED = re.compile(r"[^.:;!?“”]+: “")
_TITLE = re.compile(r"^(?:What happened|Strategies seen|Learnt about the others): ")


class Recollection(NamedTuple):
    """Something remembered."""

    source: Source
    """Told by another, said by oneself, or only noted."""
    text: str
    """A sentence or a few that follow each other, as they stand in the memory."""


def recollections(memory: str, goal: str, me: str) -> tuple[Recollection, ...]:
    """What ``memory`` has on what ``goal`` says must be remembered: at most one thing for each of
    its sentences that say so, in their order. ``me``: how the memory calls who remembers."""
    asked = [sentence for sentence in sentences(goal) if _ASKS.match(sentence)]
    if not memory or not asked:
        return ()
    # Of two that answer a question as well, what one was told goes before one's own words.
    in_order = sorted(_remembered(memory, me), key=lambda one: _ORDER.index(one[0]))
    said = [list(_passages(source, text)) for source, text in in_order]
    stems = [[content_stems(one.text) for one in passages] for passages in said]
    common = Counter(stem for passages in stems for stem in set().union(*passages))
    found: dict[Recollection, None] = {}
    for question in asked[:MOST]:
        wanted = sorted(content_stems(question) - _ASIDE)
        best = _best(wanted, said, stems, common)
        if best is not None:
            found[best] = None
    return tuple(found)


def _best(
    wanted: Sequence[str],
    said: Sequence[Sequence[Recollection]],
    stems: Sequence[Sequence[frozenset[str]]],
    common: Counter[str],
) -> Recollection | None:
    """The one that shares most with the question, of several the first that was said, without what
    goes before in the same breath; None where nothing shares enough."""
    best, most = None, 0.0
    for passages, all_words in zip(said, stems, strict=True):
        before = most
        for one, words in zip(passages, all_words, strict=True):
            shared = [stem for stem in wanted if stem in words]
            if len(shared) < min(2, len(wanted)) or not words - set(wanted):
                continue
            # In a fixed order: the sum is to be the same in every process.
            worth = sum(1 / common[stem] for stem in shared)
            if worth > before and worth >= most:
                best, most = one, worth
    return best


def _passages(source: Source, text: str) -> Iterator[Recollection]:
    """Every few sentences in a row of what was said or noted, from each sentence on."""
    parts = [part for part in sentences(text) if part]
    for start in range(len(parts)):
        taken: list[str] = []
        for part in parts[start:]:
            # What is quoted was said before, by somebody else.
            if "“" in part or sum(map(len, [*taken, part])) > LONGEST:
                break
            taken.append(part)
        # A question tells nothing unless it offers something; what follows it may be its answer.
        while taken and taken[-1].endswith("?") and not read(taken[-1]).offer:
            taken.pop()
        if taken:
            yield Recollection(source, " ".join(taken))


def utterances(memory: str) -> Iterator[tuple[str, str]]:
    """Who said what aloud, by the accounts and notes of a memory."""
    for line in memory.splitlines():
        turn = _TURN.match(line)
        if turn:
            yield turn["who"], turn["said"]
            continue
        for noted in _NOTED.finditer(line):
            begin = max(line.rfind(mark, 0, noted.start()) for mark in _BEFORE_WHO) + 1
            who = line[begin : noted.start()].strip()
            if who:
                yield who, line[noted.end() : _closed(line, noted.end())]


def _remembered(memory: str, me: str) -> Iterator[tuple[Source, str]]:
    for line in memory.splitlines():
        for who, said in utterances(line):
            yield _whose(who, me), said
        if _TITLE.match(line) and not _TURN.match(line):
            yield "noted", _without_quotes(_TITLE.sub("", line))


def _whose(who: str, me: str) -> Source:
    return "own" if who in ("I", me) else "told"


def _closed(line: str, start: int) -> int:
    """Where the quotation that ``start`` is in ends; quotations may stand in quotations."""
    depth = 1
    for mark in _MARK.finditer(line, start):
        depth += 1 if mark[0] == "“" else -1
        if depth == 0:
            return mark.start()
    return len(line)


def _without_quotes(line: str) -> str:
    """A note's own words."""
    kept, place = [], 0
    for framed in _FRAMED.finditer(line):
        if framed.start() >= place:
            kept.append(line[place : framed.start()])
            place = _closed(line, framed.end()) + 1
    return "".join([*kept, line[place:]])
