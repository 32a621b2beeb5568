"""What a model thought before it answered, told apart from the answer.

Models that reason write their thoughts between tags. A thought is private: what stands in one is
never part of an answer, and an answer whose thought does not end is none.
"""

import re
from typing import NamedTuple

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|seed:think"
_TAG = re.compile(
    rf"<(?P<end>/?)(?P<name>{_NAMES})(?:\s[^<>]*)?>|\[(?P<square>/?)(?P<THINK>THINK)\]",
    re.IGNORECASE,
)


class Parted(NamedTuple):
    """A model's text in its two parts."""

    answer: str
    thoughts: str
    unclosed: str
    """The tag of a thought that does not end; empty: there is none. All after it is a thought."""


def parted(text: str) -> Parted:
    """The answer and the thoughts of a text.

    Some servers put the opening tag into the prompt, so all before a closing tag that nothing
    opened is a thought, too.
    """
    answer: list[str] = []
    thoughts: list[str] = []
    inside, place = "", 0
    for tag in _TAG.finditer(text):
        name = (tag["name"] or tag["THINK"]).casefold()
        closes = bool(tag["end"] or tag["square"])
        if inside:
            # Another tag's name in a thought is part of the thought.
            if closes and name == inside:
                thoughts.append(text[place : tag.start()])
                inside, place = "", tag.end()
        elif closes:
            thoughts += (*answer, text[place : tag.start()])
            answer, place = [], tag.end()
        else:
            answer.append(text[place : tag.start()])
            inside, place = name, tag.end()
    (thoughts if inside else answer).append(text[place:])
    return Parted("".join(answer), "".join(thoughts), f"<{inside}>" if inside else "")
