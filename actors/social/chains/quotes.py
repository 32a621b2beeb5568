"""An episode as sentences, each with what it does and how much it is worth remembering."""

import re

from actors.social.language.utterances import Reading, read, sentences
from actors.social.narration import NARRATED
from actors.social.views import SeenAction, View
from events.base import Value

_PREFERENCE = re.compile(
    r"\bI(?:'d|’d|'m|’m| am| would| do)?(?: \w+){0,2}? "
    r"(?:like|love|hate|prefer|need|want|wish|enjoy|miss|allergic|afraid|favou?r)",
    re.IGNORECASE,
)


_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")
_NUMBER = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|"
    r"dozen|half|hundred|thousand|first|second|third|Monday|Tuesday|Wednesday|Thursday|Friday|"
    r"Saturday|Sunday)\b",
    re.IGNORECASE,
)


CONFIDED = 5
"""The weight of what was told as untold."""


class SaidSentence(Value, frozen=True, kw_only=True):
    """One sentence, or one thing done."""

    number: int
    """The action's number in the episode's history."""
    sentence: int
    """The sentence's place in what was said: 0, 1, 2, …"""
    seat: int
    label: str
    mine: bool
    text: str
    aloud: bool
    """False for gestures and deeds: ``text`` then says who did what."""
    whisper: bool
    reading: Reading
    weight: int
    """How much it is worth remembering, from 0 to 5."""

    @property
    def who(self) -> str:
        """The speaker, in the words of who remembers."""
        return "I" if self.mine else self.label


def spoken(view: View) -> list[SaidSentence]:
    """All that a seat noticed, in order."""
    return [said for line in view.lines for said in _sentences(line, line.seat == view.viewer)]


def _sentences(line: SeenAction, mine: bool) -> list[SaidSentence]:
    text = " ".join(line.text.split())
    if not text:
        return []
    aloud = line.kind in ("speak", "leave")
    if not aloud:
        return [_said(line, 0, f"{'I' if mine else line.label}: {text}.", mine, 0)]
    found: list[SaidSentence] = []
    confiding = False
    for place, sentence in enumerate(one for one in sentences(text) if one):
        # What is confided follows the words that announce it.
        confiding = confiding or read(sentence).confides
        weight = CONFIDED if confiding else _weight(sentence)
        found.append(_said(line, place, sentence, mine, weight))
    return found


def _said(line: SeenAction, place: int, text: str, mine: bool, weight: int) -> SaidSentence:
    return SaidSentence(
        number=line.number,
        sentence=place,
        seat=line.seat,
        label=line.label,
        mine=mine,
        text=text,
        aloud=line.kind in ("speak", "leave"),
        whisper=line.whisper,
        reading=read("" if line.kind == NARRATED else text),
        weight=weight,
    )


def _weight(sentence: str) -> int:
    reading = read(sentence)
    if reading.promise or reading.amounts:
        return 4
    if reading.offer or (reading.agreement and not reading.question):
        return 3
    if any(cue.search(sentence) for cue in (_PREFERENCE, _NUMBER, _NAME)):
        return 2
    return 0 if reading.question else 1
