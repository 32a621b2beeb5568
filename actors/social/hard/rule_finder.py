"""Facts found by fixed rules: patterns over sentences, and rare words to know them by.

Shallow on purpose: it takes what it can name with certainty and leaves the rest.
"""

import re
from collections import Counter
from collections.abc import Iterator

from actors.social.hard.found import FactKind, FoundFact, FoundFacts, deduplicated
from actors.social.hard.past import ChainPast, PastEpisode
from actors.social.utterances import content_stems, leaks, read, sentences, stem
from actors.social.views import SeenAction

SHORTEST, LONGEST = 25, 220
"""Characters of a sentence that can be a fact."""
LEAST_ASKED = 2
"""Content words a fact must have besides its keys, for the question to be told apart by."""

_FIGURE = re.compile(r"(?<!\w)\d(?:[\d.,:]*\d)?(?!\w)")
_NAME = re.compile(r"(?<=[a-z,;] )[A-ZÀ-Ý][a-zà-ÿ]{2,}\b")
_WORD = re.compile(r"[a-zà-ÿ]{4,}")
_PROMISE = re.compile(
    r"\bI(?:'ll|’ll| will| shall) (?!be (?:glad|sorry|fine)\b|have to\b|think\b|see\b|say\b)|"
    r"\bI(?: give you my word|(?:'d|’d)? promise)\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\bI(?: really| do| don't| still| always| also| quite)?(?: |(?='))"
    r"(?:like|love|hate|prefer|enjoy|miss|can't stand|can’t stand|cannot stand|"
    r"can't bear|can’t bear|cannot bear|never (?:eat|drink|touch)|'d rather|’d rather|"
    r"would rather|'d sooner|’d sooner|would sooner)\b|\bmakes me ill\b|\bmy favou?rite\b",
    re.IGNORECASE,
)
_VAGUE = content_stems(
    "again ahead almost another anybody anything anyway asked began better certainly everybody "
    "everything except happened however instead matter maybe myself nobody nothing nowhere often "
    "perhaps please quite rather really saying seems somebody something sometimes somewhere soon "
    "sooner suppose talking themselves thing things think thinking thought towards trying until "
    "wanted while without wondering yourself"
)
"""Stems of words that are rare in a chain by chance and say nothing."""


class RuleFinder:
    """``found.Finder`` without a model."""

    async def find(self, past: ChainPast) -> FoundFacts:
        """The facts; makes no calls."""
        return FoundFacts(facts=find_by_rule(past))


def find_by_rule(past: ChainPast) -> tuple[FoundFact, ...]:
    """The facts in what all seats of a chain heard."""
    common = Counter(
        word
        for episode in past.episodes
        for word in {word for line in episode.said for word in content_stems(line.text)}
    )
    names = frozenset(
        part.casefold() for who in past.latest.setup.cast for part in who.name.split()
    )
    found = [
        fact
        for episode in past.episodes
        for line in episode.said
        for fact in _facts_in(episode, line, common, names)
    ]
    return deduplicated(found)


def _facts_in(
    episode: PastEpisode, line: SeenAction, common: Counter[str], names: frozenset[str]
) -> Iterator[FoundFact]:
    who = episode.started.setup.cast[line.seat]
    secret = leaks(line.text, who.secret, who.public_info)
    for sentence in sentences(line.text):
        quoted = "“" in sentence or "”" in sentence
        if quoted or sentence.endswith("?") or not SHORTEST <= len(sentence) <= LONGEST:
            continue
        own = bool(secret and content_stems(sentence) & content_stems(who.secret))
        kind = _kind(sentence, own, names)
        keys = _keys(sentence, kind, common, names) if kind else ()
        if kind is None or not keys:
            continue
        fact = FoundFact(
            kind=kind,
            seat=line.seat,
            index=episode.index,
            episode=episode.id,
            scenario=episode.scenario,
            number=line.number,
            quote=sentence,
            text=f"{who.first_name} said: “{sentence}”",
            keys=keys,
        )
        if len(content_stems(fact.gapped)) >= LEAST_ASKED:
            yield fact


def _kind(sentence: str, secret: bool, names: frozenset[str]) -> FactKind | None:
    """What a sentence tells; None for nothing that could be asked for."""
    if secret:
        return "secret"
    reading = read(sentence)
    if reading.offer:
        return "offer" if reading.amounts else None
    if _PREFERENCE.search(sentence):
        return "preference"
    if reading.promise or _PROMISE.search(sentence):
        return "promise"
    return "other" if reading.amounts or _named(sentence, names) else None


def _keys(
    sentence: str, kind: FactKind, common: Counter[str], names: frozenset[str]
) -> tuple[tuple[str, ...], ...]:
    """What a fact is known by: its figure, else a name in it, else its two rarest words."""
    figures = _FIGURE.findall(sentence)
    if figures:
        return (tuple(dict.fromkeys((figures[0], figures[0].replace(",", "")))),)
    if kind == "offer":
        return ()
    named = _named(sentence, names)
    if named:
        return ((named.casefold(), f"{named.casefold()}'s"),)
    rare = _rarest(sentence, common)
    return tuple(_forms(word) for word in rare) if len(rare) == 2 else ()


def _named(sentence: str, names: frozenset[str]) -> str:
    """The first name in a sentence that is none of the cast's; empty where there is none."""
    found = (name for name in _NAME.findall(sentence) if name.casefold() not in names)
    return next(found, "")


def _rarest(sentence: str, common: Counter[str]) -> list[str]:
    """The two words that are said in the fewest episodes, longer ones first, in their order."""
    words = [
        word
        for word in dict.fromkeys(_WORD.findall(sentence.lower()))
        if content_stems(word) and stem(word) not in _VAGUE and common[stem(word)] == 1
    ]
    chosen = sorted(words, key=lambda word: (-len(word), words.index(word)))[:2]
    return sorted(chosen, key=words.index)


def _forms(word: str) -> tuple[str, ...]:
    """A word and its other number, as far as an s makes it."""
    other = word[:-1] if word.endswith("s") and not word.endswith("ss") else f"{word}s"
    return (word, other)
