"""A virtual game master without training: whoever spoke last, and the skill most of whose words
they used."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import msgspec

from actors.tabletop.skills import SKILLS, Skill
from evaluators.tabletop.calls.samples import CallSample, Label, SpokenLine
from evaluators.tabletop.virtual_dms.port import VirtualDM, data_hash
from events.serialization.struct_types import decodable

RECENT: Final = 6
"""Own lines that are read."""
GUESS: Final[Skill] = "Perception"
"""Where none of the words was used: the check that is called for most often."""
_WORD: Final = re.compile(r"\w+")


class LexiconDM(VirtualDM):
    """Counts words."""

    def fit(self, samples: Sequence[CallSample]) -> None:
        """Learns nothing, whatever it is given."""
        self.trained_on = data_hash(samples)

    def predict(self, lines: Sequence[SpokenLine], cast: Sequence[str]) -> frozenset[Label]:
        """One label, or none where nobody of the cast spoke."""
        spoke = [speakers(line) for line in lines]
        last = next((w for whos in reversed(spoke) for w in whos if w in cast), None)
        if last is None:
            return frozenset()
        counts = [0] * len(SKILLS)
        for line in [line for line, whos in zip(lines, spoke, strict=True) if last in whos][
            -RECENT:
        ]:
            for place in skills_named(line.text):
                counts[place] += 1
        most = max(counts)
        return frozenset({Label(last, SKILLS[counts.index(most)] if most else GUESS)})


def speakers(line: SpokenLine) -> list[str]:
    """Who says a line: mostly one."""
    return line.who.split(" and ")


def skills_named(text: str) -> list[int]:
    """The places in ``SKILLS`` of the skills whose words stand in a text, once for each word."""
    beginnings, lower = _beginnings(), text.lower()
    found = [place for word in _WORD.findall(lower) for place in _skills_of_word(word)]
    found += [beginnings.phrases[one] for one in beginnings.phrase.findall(lower)]
    return found


@lru_cache(maxsize=50_000)
def _skills_of_word(word: str) -> tuple[int, ...]:
    words = _beginnings().words
    return tuple([place for place, begin in enumerate(words) if word.startswith(begin)])


class _Beginnings(msgspec.Struct, frozen=True):
    """What ``lexicon.toml`` lists."""

    words: tuple[tuple[str, ...], ...]
    """Of each skill those that are one word, in the order of ``SKILLS``."""
    phrases: Mapping[str, int]
    """By one of several words the place of its skill."""
    phrase: re.Pattern[str]
    """Finds these."""


@cache
def _beginnings() -> _Beginnings:
    text = Path(__file__).with_name("lexicon.toml").read_text(encoding="utf-8")
    listed = msgspec.convert(tomllib.loads(text), decodable(dict[Skill, list[str]]))
    phrases = {
        one: place for place, skill in enumerate(SKILLS) for one in listed[skill] if " " in one
    }
    return _Beginnings(
        tuple([tuple([one for one in listed[skill] if " " not in one]) for skill in SKILLS]),
        phrases,
        re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})"),
    )
