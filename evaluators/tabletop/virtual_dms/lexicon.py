"""A virtual game master without training: whoever spoke last, and the skill most of whose words
they used."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from actors.tabletop.skills import SKILLS, Skill
from evaluators.tabletop.calls.samples import CallSample, Label, SpokenLine
from evaluators.tabletop.virtual_dms.port import VirtualDM, data_hash

RECENT = 6
"""Own lines that are read."""


@cache
def words_of_skills() -> Mapping[Skill, re.Pattern[str]]:
    """An expression for the words of each skill, as ``lexicon.toml`` lists them."""
    text = Path(__file__).with_name("lexicon.toml").read_text(encoding="utf-8")
    listed = msgspec.convert(tomllib.loads(text), dict[Skill, list[str]])
    return {
        skill: re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})", re.IGNORECASE)
        for skill, words in listed.items()
    }


def own_lines(lines: Sequence[SpokenLine], who: str) -> list[SpokenLine]:
    """What somebody said and did, alone or with others, oldest first."""
    return [line for line in lines if who in line.who.split(" and ")]


class LexiconDM(VirtualDM):
    """Counts words."""

    def fit(self, samples: Sequence[CallSample]) -> None:
        """Learns nothing, whatever it is given."""
        self.trained_on = data_hash(samples)

    def predict(self, lines: Sequence[SpokenLine], cast: Sequence[str]) -> frozenset[Label]:
        """One label, or none where nobody of the cast spoke."""
        spoke = [line.who.split(" and ") for line in lines]
        last = next((w for whos in reversed(spoke) for w in whos if w in cast), None)
        if last is None:
            return frozenset()
        text = " ".join(line.text for line in own_lines(lines, last)[-RECENT:])
        counts = {skill: len(found.findall(text)) for skill, found in words_of_skills().items()}
        best = max(SKILLS, key=lambda skill: counts[skill])
        return frozenset({Label(last, best if counts[best] else "Perception")})
