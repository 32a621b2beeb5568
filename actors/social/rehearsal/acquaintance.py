"""What a rehearsal mind's memory says of somebody it meets again.

It is read once, before the first turn, and by what was said aloud then: how often the two have met,
how the last time ended, what was promised and confided, and what came of it in this same place.
What comes to mind is of a few episodes, the last ones and some older ones in turn; which they are,
and whether a promise was kept, follows from the memory's own words, so that both who remember it
know the same.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple
from zlib import crc32

from actors.social.language.commitments import bond
from actors.social.language.utterances import read, sentences
from actors.social.rehearsal.recall import utterances

_ENTRY = "\n\nEpisode "
LATEST, OLDER = 2, 3
"""Episodes of a memory of which promises and confidences come to mind."""
SHORTEST, LONGEST = 22, 110
"""Characters of what is quoted back to somebody."""
_TOLD = "\nTurn "
"""What only an account has, which tells an episode turn by turn."""
_PLACE = 40
"""Characters of a situation by which a memory of it is known."""
_SITUATION = re.compile(rf"The situation: “?([^“”\n]{{1,{_PLACE}}})")
_KEPT_BACK = re.compile(
    r"\b(?:remember|hint|prompt|raise|bring it up|say it first)\b", re.IGNORECASE
)
"""A goal in which what was said before is the whole matter: nothing of it is quoted."""
_OFFERED = re.compile(r"had offered “(.+?)” and [^“”]+ said yes\.")
"""How a note by rule says what was agreed on."""
_UNTOLD = re.compile(r"\b(?:know|told|tell|truth|lied|hiding|yourself|said|body)", re.IGNORECASE)
_GIVEN = re.compile(
    r"\b(?:I'll|I will|I shall|I won't|I promise|my word|we'll|let's|on me)\b", re.IGNORECASE
)
"""What stands in all that is confided or promised: most sentences need no closer look."""
_NAME = re.compile(r"(?<=[a-z,;] )[A-ZÀ-Ý][a-zà-ÿ]{2,}\b")


class Memory(NamedTuple):
    """A memory, of which only those episodes are read that come to mind."""

    episodes: Sequence[str]
    """Their texts, in their order."""
    lowered: Sequence[str]
    """The same in lower case."""


class Remembered(NamedTuple):
    """One episode of a memory, read."""

    said: frozenset[str]
    """Every sentence of it, in lower case."""
    promises: tuple[tuple[str, str], ...]
    """Who promised what, that can be quoted."""
    confided: tuple[tuple[str, tuple[str, ...]], ...]
    """Who told something untold, and the names that came up in it."""
    agreed: bool | None
    terms: str
    """What was agreed on; empty where nothing was, or it was not noted."""


class Acquaintance(NamedTuple):
    """Somebody a seat has met before, as it remembers them."""

    met: int
    """How often."""
    agreed: bool | None = None
    """Whether the last meeting came to an agreement; None where the memory does not say."""
    promised: tuple[str, ...] = ()
    """Promises that the other made to the seat, as they were said."""
    own: frozenset[str] = frozenset()
    """Those that the seat made."""
    confided: bool = False
    """Whether the other told the seat something untold."""
    name: str = ""
    """A name that came up in it."""
    here: int = 0
    """How often they have been in just this situation."""
    terms: str = ""
    """What they agreed on there the last time; empty where they did not."""
    said_here: frozenset[str] = frozenset()
    """The sentences, in lower case, that were said there."""


def remembered(memory: str) -> Memory:
    """A memory taken apart."""
    episodes = memory.removeprefix("Episode ").split(_ENTRY) if memory else ()
    return Memory(episodes, [episode.lower() for episode in episodes])


def acquaintance(
    memory: Memory,
    other: str,
    me: str,
    context: str,
    goal: str,
    names: frozenset[str],
) -> Acquaintance | None:
    """What a seat remembers of another; None where it knows nothing of them.

    ``other`` and ``me``: how the memory calls the two; ``names``: of everybody present, in lower
    case.
    """
    episodes = memory.episodes
    if not any(other in episode for episode in episodes):
        return None
    number = episodes[-1].partition("\n")[0]
    here = [one for one in episodes if (place := _place(one)) and context.startswith(place)]
    last_here = _read(here[-1]) if here else None
    met = int(number) if number.isdecimal() else len(episodes)
    known = Acquaintance(
        met=met,
        agreed=_read(episodes[-1]).agreed,
        here=len(here),
        said_here=last_here.said if last_here else frozenset(),
    )
    if _KEPT_BACK.search(goal):
        return known
    some = [_read(one) for one in _some(episodes, met)]
    promises = [one for episode in some for one in episode.promises]
    told = [found for episode in some for who, found in episode.confided if who == other]
    there = (name for found in told for name in found if name.lower() not in names)
    return known._replace(
        terms=last_here.terms if last_here else "",
        promised=tuple(dict.fromkeys(what for who, what in promises if who == other)),
        own=frozenset(what for who, what in promises if who in ("I", me)),
        confided=bool(told),
        name=next(there, ""),
    )


def was_said(sentence: str, memory: Memory, times: int = 1) -> bool:
    """Whether a sentence was said aloud, in capitals or not, in so many episodes of a memory."""
    sentence = sentence.lower()
    both = zip(memory.episodes, memory.lowered, strict=True)
    said = (sentence in lowered and sentence in _read(episode).said for episode, lowered in both)
    # In long memories all has been said before: the oldest that say it are enough.
    return len([*islice(filter(None, said), times)]) == times


def kept(promise: str) -> bool:
    """Whether a promise was kept in the meantime: two of three are. It follows from its words, so
    that who gave it and who has it agree."""
    return crc32(promise.encode()) % 3 != 0


def _some(episodes: Sequence[str], met: int) -> Sequence[str]:
    """The last episodes, and some older ones, others each time."""
    older = episodes[:-LATEST]
    step = max(1, len(older) // OLDER)
    return [*older[met % step :: step][:OLDER], *episodes[-LATEST:]]


def _place(entry: str) -> str:
    """How the situation of an episode begins; empty where the memory leaves it out."""
    found = _SITUATION.search(entry)
    return found[1] if found else ""


@lru_cache(maxsize=512)
def _read(entry: str) -> Remembered:
    """An episode of a memory: both who were there, and later episodes, remember the same ones."""
    said = list(utterances(entry))
    untold = [(who, words) for who, words in said if _UNTOLD.search(words) and read(words).confides]
    return Remembered(
        said=frozenset(part.lower() for _, words in said for part in sentences(words)),
        promises=tuple(
            (who, part) for who, words in said for part in sentences(words) if _quotable(part)
        ),
        confided=tuple((who, tuple(_NAME.findall(words))) for who, words in untold),
        agreed=_agreed(entry, said),
        terms=_terms(entry, said),
    )


@lru_cache(maxsize=8192)
def _quotable(sentence: str) -> bool:
    """Whether a sentence can be held up to who said it, and does nothing else when it is."""
    if not SHORTEST <= len(sentence) <= LONGEST or not _GIVEN.search(sentence):
        return False
    if "“" in sentence or "”" in sentence:
        return False
    does = read(sentence)
    if does.offer or does.agreement or does.refusal or does.concession or does.insult:
        return False
    return not (does.confides or does.amounts) and bond(sentence) == "promise"


def _agreed(entry: str, said: Sequence[tuple[str, str]]) -> bool | None:
    if "We came to an agreement." in entry:
        return True
    if "We agreed on nothing." in entry:
        return False
    return bool(_terms(entry, said)) if _TOLD in entry else None


def _terms(entry: str, said: Sequence[tuple[str, str]]) -> str:
    noted = _OFFERED.search(entry)
    if noted is not None:
        # Where they kept to what they had agreed on before, that stands in it.
        return noted[1].rpartition("“")[2]
    offered, by, terms = "", "", ""
    for who, words in said if _TOLD in entry else ():
        does = read(words)
        if does.agreement and offered and who != by:
            terms = offered
        elif does.offer:
            offer = next((part for part in sentences(words) if part and read(part).offer), "")
            offered, by = offer.rpartition("“")[2].strip("“” "), who
    return terms
