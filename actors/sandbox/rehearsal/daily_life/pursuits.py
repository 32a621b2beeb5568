"""What somebody is about these days, as a phrase: ``working on a series of photographs``."""

import re
from functools import lru_cache
from typing import Final

_BUSY: Final = re.compile(
    r"\b(?:is|are|['’]s)\s+(?:also |now |still |busy |currently )?(?P<does>[a-z]+ing\b[^.;]*)"
)
_NOT: Final = frozenset(
    [
        "living",
        "waiting",
        "planning",
        "telling",
        "asking",
        "looking",
        "wanting",
        "being",
        "having",
        "going",
        "getting",
        "feeling",
        "inviting",
        "hoping",
        "trying",
        "finding",
        "holding",
        "running",
        "gathering",
        "managing",
        "wishing",
    ]
)
_ENDS: Final = re.compile(
    r",? so that\b.*$|,? (?:and|but|so|because|which|that)"
    r" (?:is|are|has|he|she|they|a|an|the|for|\w+s|cannot)\b.*$|,.*$"
)
_LONGEST: Final = 70


@lru_cache(maxsize=4096)
def pursuits_of(currently: str) -> tuple[str, ...]:
    """What a text says that somebody is doing these days, in the third person; nothing that has a
    date."""
    found = []
    for one in _BUSY.finditer(currently):
        does = _ENDS.sub("", one["does"]).strip()
        if (
            does.split(" ", 1)[0] in _NOT
            or not 12 < len(does) <= _LONGEST
            or re.search(r"[\d@]", does)
        ):
            continue
        found.append(does)
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=8192)
def own(phrase: str) -> str:
    """The same said of oneself: ``writing his book`` becomes ``writing my book``."""
    whose = r"\b(?:his|her)\b" if re.search(r"\b(?:his|her)\b", phrase) else r"\btheir\b"
    return re.sub(whose, "my", phrase)


@lru_cache(maxsize=8192)
def topic(phrase: str) -> str:
    """What it is about, as the topic of a talk: ``a series of photographs``."""
    short = re.sub(r"^\w+ing (?:on |for |up on |about |to )?", "", phrase)
    return re.sub(r"\b(?:his|her|their|my)\b", "the", short) or phrase
