"""What an utterance does, read off its words: offers, agreements, refusals and the like.

Pure, quick and shallow. It serves the rehearsal minds, which have to answer people and language
models as well as each other, and the rehearsal judge.
"""

import re
import tomllib
from functools import lru_cache
from pathlib import Path

from actors.text.stems import WORD
from actors.text.stems import content_stems as content_stems
from actors.text.stems import stem as stem
from events.base import Value

_SENTENCE = re.compile(r"(?<=[.!?])[\s\"”]+")
_CLOCK = re.compile(r"\b(\d{1,2}):([0-5]\d)\b")
_NUMBER = re.compile(r"(?<![\w.])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?!\w)")

_data = tomllib.loads((Path(__file__).parent / "cues.toml").read_text(encoding="utf-8"))
_PHRASES = {name: tuple(cues) for name, cues in _data["phrases"].items()}
_WORDS = {name: frozenset(words.split()) for name, words in _data["words"].items()}
_NEITHER = re.compile(r" (?:great|good) deal | i'll take it to | i suppose ")
"""Words that look like an agreement or an offer and are none."""
_NAMES = "|".join(sorted(_WORDS["insults"]))
_AT_YOU = re.compile(
    rf" (?:you|you're|your)(?: [^\W_]+){{0,3}}? (?:{_NAMES}) | (?:such|what) an? (?:{_NAMES}) "
)


class Reading(Value, frozen=True, kw_only=True):
    """What one utterance does. Several may hold at once."""

    words: frozenset[str]
    """Every word of it, in lower case."""
    terms: frozenset[str] = frozenset()
    """Those of them that say what is offered."""
    amounts: tuple[float, ...] = ()
    """The numbers in it, in order; ``3:30`` is 3.5."""
    question: bool = False
    offer: bool = False
    agreement: bool = False
    refusal: bool = False
    concession: bool = False
    insult: bool = False
    promise: bool = False
    confides: bool = False
    """Says something it calls untold."""
    apology: bool = False
    thanks: bool = False
    goodbye: bool = False


@lru_cache(maxsize=2048)
def read(text: str) -> Reading:
    """What ``text`` does."""
    lowered = text.lower().replace("’", "'")
    found = WORD.findall(lowered)
    words = frozenset(found)
    flat = _NEITHER.sub(" ", f" {' '.join(found)} ") + "|"
    amounts = amounts_in(lowered)
    asks = "?" in lowered
    offer = _any(_PHRASES["offer"], flat)
    refusal = flat.startswith((" no ", " nope ", " i won't ")) or _any(_PHRASES["refuse"], flat)
    agreement = _any(_PHRASES["agree"], flat) and not _any(_PHRASES["disagree"], flat)
    if agreement and asks:
        agreement = _agrees_without_asking(lowered)
    return Reading(
        words=words,
        terms=_terms(lowered) if offer else frozenset(),
        amounts=amounts,
        question=asks,
        offer=offer,
        agreement=agreement and not refusal,
        refusal=refusal,
        concession=_any(_PHRASES["concede"], flat),
        insult=_insults(words, flat),
        promise=_any(_PHRASES["promise"], flat),
        confides=_any(_PHRASES["confide"], flat),
        apology=not words.isdisjoint(_WORDS["apology"]),
        thanks=not words.isdisjoint(_WORDS["thanks"]),
        goodbye=_any(_PHRASES["goodbye"], flat),
    )


def _insults(words: frozenset[str], flat: str) -> bool:
    """Whether somebody is called something: a hard word alone, or about oneself, is none."""
    if _any(_PHRASES["insult_phrases"], flat):
        return True
    return not words.isdisjoint(_WORDS["insults"]) and _AT_YOU.search(flat) is not None


def _terms(lowered: str) -> frozenset[str]:
    """The words from the first sentence that offers something to the end."""
    parts = _SENTENCE.split(lowered)
    for place, part in enumerate(parts):
        if _any(_PHRASES["offer"], f" {' '.join(WORD.findall(part))} "):
            return frozenset(WORD.findall(" ".join(parts[place:])))
    return frozenset(WORD.findall(lowered))


def _any(cues: tuple[str, ...], flat: str) -> bool:
    return any(cue in flat for cue in cues)


def _agrees_without_asking(lowered: str) -> bool:
    """Whether a sentence that is not a question agrees: "Deal?" asks for what "Deal." gives."""
    for sentence in _SENTENCE.split(lowered):
        flat = f" {' '.join(WORD.findall(sentence))} "
        if not sentence.endswith("?") and _any(_PHRASES["agree"], flat):
            return True
    return False


def amounts_in(text: str) -> tuple[float, ...]:
    """The numbers of a text, in order. A time of day counts in hours."""
    if not any(map(str.isdigit, text)):
        return ()
    plain = _CLOCK.sub(lambda m: str(int(m[1]) + int(m[2]) / 60), text) if ":" in text else text
    return tuple(
        float(whole.replace(",", "") + (part or "")) for whole, part in _NUMBER.findall(plain)
    )


def sentences(text: str) -> list[str]:
    """A text cut at the ends of its sentences."""
    return _SENTENCE.split(text)


# ---------------------------------------------------------------- secrets


def leak(text: str, secret: str, public: str = "") -> float:
    """How much of a secret an utterance gives away, from 0 to 1.

    The share of the secret's content words found in it, leaving out those that occur in
    ``public`` (what everybody knows: names, jobs, the situation).
    """
    telling = content_stems(secret) - content_stems(public)
    if not telling:
        return 0.0
    return len(telling & content_stems(text)) / len(telling)


def leaks(text: str, secret: str, public: str = "") -> bool:
    """Whether an utterance lets the secret out: a third of its content words, and at least two
    of them; both or the only one where it has no more."""
    telling = content_stems(secret) - content_stems(public)
    if not telling:
        return False
    shared = len(telling & content_stems(text))
    return shared >= min(len(telling), max(2, min(5, round(len(telling) * 0.34))))
