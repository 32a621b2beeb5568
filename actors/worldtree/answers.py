"""From a model's text to a choice."""

import string

import msgspec

from actors.models.errors import Unreadable
from actors.models.structured import AnswerReader
from actors.worldtree.setup import Choose, Chose


class ChoiceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answers: why, then which."""

    explanation: str = ""
    choice: str
    """The option's letter."""


READER = AnswerReader(ChoiceAnswer)


def choice_of(question: Choose, text: str, label: str) -> Chose:
    """The option that an answer means. Raises ``Unreadable``."""
    answer = READER.read(text, label)
    letters = string.ascii_uppercase[: len(question.options)]
    letter = answer.choice.strip().upper()
    if len(letter) != 1 or letter not in letters:
        raise Unreadable(f"choice must be one of {', '.join(letters)}", text)
    return Chose(option=letters.index(letter), why=answer.explanation)
