"""The table of intents, and which of its cues a text holds, nearly as they are written."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from rapidfuzz import fuzz, process

_FILE: Final = Path(__file__).with_name("intents.toml")
_NEARLY: Final = 92
"""How alike a cue and a part of a text are, 0 to 100, at the least."""
_MARKS: Final = re.compile(r"[^\w'-]")


@lru_cache(maxsize=16384)
def plain(text: str) -> str:
    """A text in lower case, each mark a blank, with a blank before and behind it: so words are
    found whole."""
    words = _MARKS.sub(" ", text.lower().replace("’", "'"))
    return f" {words} "


@cache
def _table(name: str) -> dict[str, str]:
    """Each cue, and its intent."""
    intents = tomllib.loads(_FILE.read_text(encoding="utf-8"))[name]
    return {plain(cue): intent for intent, cues in intents.items() for cue in cues}


@lru_cache(maxsize=16384)
def cues_in(text: str, table: str) -> Mapping[str, str]:
    """By intent the longest of its cues that a text holds."""
    said, intents = plain(text), _table(table)
    near = process.extract(
        said, list(intents), scorer=fuzz.partial_ratio, score_cutoff=_NEARLY, limit=None
    )
    # What is shorter than a cue holds none, however much it resembles a part of one.
    held = sorted((cue for cue, _, _ in near if len(cue) <= len(said)), key=len)
    return {intents[cue]: cue for cue in held}


def around(text: str, cue: str) -> tuple[str, str]:
    """What stands before and behind a cue that a text holds."""
    found = fuzz.partial_ratio_alignment(cue, plain(text))
    if found is None:
        return "", text
    # The cue and the text were given a blank at either end.
    return text[: found.dest_start].strip(), text[max(0, found.dest_end - 1) :].strip()
