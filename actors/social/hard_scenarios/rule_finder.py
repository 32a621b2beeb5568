"""Facts found by fixed rules: what binds those who were there (``binding``), and rare words to know
it by.

Shallow on purpose: it takes what it can name with certainty and leaves the rest.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from actors.social.hard_scenarios.chain_history import ChainPast, PastEpisode
from actors.social.hard_scenarios.found_facts import (
    SAID_AGAIN,
    FactKind,
    FoundFact,
    FoundFacts,
    PassedOver,
    deduplicated,
)
from actors.social.language.commitments import bond
from actors.social.language.utterances import content_stems, leaks, read, sentences, stem
from actors.social.views import SeenAction

SHORTEST, LONGEST = 25, 220
"""Characters of a sentence that can be a fact."""
LEAST_ASKED = 2
"""Content words a fact must have besides its keys, for the question to be told apart by."""

_FIGURE = re.compile(r"(?<!\w)\d(?:[\d.,:]*\d)?(?!\w)")
_NAME = re.compile(r"(?<=[a-z,;] )[A-ZÀ-Ý][a-zà-ÿ]{2,}\b")
_WORD = re.compile(r"[a-zà-ÿ]{4,}")
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
        return find_by_rule(past)


def find_by_rule(past: ChainPast) -> FoundFacts:
    """The facts in what all seats of a chain heard, and what became of the rest of it."""
    common = Counter(
        word
        for episode in past.episodes
        for word in {word for line in episode.said for word in content_stems(line.text)}
    )
    names = frozenset(
        part.casefold() for who in past.latest.setup.cast for part in who.name.split()
    )
    heard = [one for episode in past.episodes for one in _binding(episode)]
    binding = [one for one in heard if one.kind is not None]
    facts = [fact for one in binding if (fact := _fact(one, common, names))]
    clear = deduplicated(facts)
    passed_over = (
        PassedOver(count=len(heard) - len(binding), why="bind nobody who was there"),
        PassedOver(
            count=len(binding) - len(facts),
            why="bind, but have nothing to be known by: no figure, name or rare word",
        ),
        PassedOver(count=len(facts) - len(clear), why=SAID_AGAIN),
    )
    return FoundFacts(facts=clear, looked_at=len(heard), passed_over=passed_over)


class _Heard(NamedTuple):
    """A sentence that all seats heard."""

    episode: PastEpisode
    line: SeenAction
    sentence: str
    kind: FactKind | None
    """What it binds them to; None: to nothing."""


def _binding(episode: PastEpisode) -> Iterator[_Heard]:
    """Every sentence of an episode with what it binds its seats to."""
    taken = _taken_up(episode.said)
    for line in episode.said:
        who = episode.started.setup.cast[line.seat]
        secret = leaks(line.text, who.secret, who.public_info)
        confiding = False
        for sentence in filter(None, sentences(line.text)):
            own = bool(secret and content_stems(sentence) & content_stems(who.secret))
            # What is confided follows the words that announce it.
            confiding = confiding or bond(sentence) == "secret"
            kind: FactKind | None = "secret" if own or confiding else bond(sentence)
            if sentence.endswith("?"):
                # A question binds nobody until somebody says yes to it.
                kind = "offer" if line.number in taken and read(sentence).offer else None
            elif "“" in sentence or "”" in sentence:
                kind = None
            yield _Heard(episode, line, sentence, kind)


def _taken_up(said: Sequence[SeenAction]) -> frozenset[int]:
    """The numbers of the utterances whose offer somebody else then agreed to."""
    taken: set[int] = set()
    offered: SeenAction | None = None
    for line in said:
        reading = read(line.text)
        if reading.agreement and offered is not None and offered.seat != line.seat:
            taken.add(offered.number)
            offered = None
        elif reading.offer:
            offered = line
    return frozenset(taken)


def _fact(heard: _Heard, common: Counter[str], names: frozenset[str]) -> FoundFact | None:
    """The fact that a sentence holds; None where there is too little to ask for it by."""
    episode, line, sentence, kind = heard
    if kind is None or not SHORTEST <= len(sentence) <= LONGEST:
        return None
    keys = _keys(sentence, common, names)
    if not keys:
        return None
    fact = FoundFact(
        kind=kind,
        seat=line.seat,
        index=episode.index,
        episode=episode.id,
        scenario=episode.scenario,
        number=line.number,
        quote=sentence,
        text=f"{episode.started.setup.cast[line.seat].first_name} said: “{sentence}”",
        keys=keys,
    )
    return fact if len(content_stems(fact.gapped)) >= LEAST_ASKED else None


def _keys(
    sentence: str, common: Counter[str], names: frozenset[str]
) -> tuple[tuple[str, ...], ...]:
    """What a fact is known by: its figure, else a name in it, else its two rarest words."""
    figures = _FIGURE.findall(sentence)
    if figures:
        return (tuple(dict.fromkeys((figures[0], figures[0].replace(",", "")))),)
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
