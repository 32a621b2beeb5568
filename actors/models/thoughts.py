"""What a model thought before it answered, told apart from the answer.

Models that reason write their thoughts between tags. A thought is private: what stands in one is
never part of an answer, and an answer whose thought does not end is none.
"""

import json
import re
from typing import NamedTuple

_NAMES = (
    "think|thinking|thought|thoughts|reasoning|reflection|seed:think|scratchpad|inner_monologue"
)
_TAG = re.compile(
    rf"""
    # <think>, <think a='b'>, < think >, <|think|>, ◁think▷, &lt;think&gt; and, as nobody says it
    # otherwise, <think without its end.
    (?:<\|?|&lt;|◁)[ ]{{0,2}}(?P<end>/?)[ ]{{0,2}}(?P<name>{_NAMES})
        (?:[ ]{{0,2}}(?:\|?>|&gt;|▷)|[ ][^<>{{}}\n]*>|(?=\s|\Z))
    |\[(?P<square>/?)(?P<THINK>THINK)\]
    |<\|(?P<edge>begin|end)_of_(?P<of>thought)\|>
    # OpenAI's "harmony": a channel, what is said in it, and its end.
    |<\|channel\|>\s{{0,2}}(?P<channel>\w{{1,40}})\b[^<]{{0,100}}(?:<\|constrain\|>\s?\w*\s?)?<\|message\|>
    |<\|(?P<over>end|return|call)\|>
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BEGINS = re.compile(r'(?<!\\)"(?:\s|\\[nrt])*\Z')
"""The beginning of a text in JSON."""
_CHANNEL = "|channel|"
_FENCED = re.compile(r"\s*```\w*\s*(\{.*\})\s*```\s*", re.DOTALL)


class Parted(NamedTuple):
    """A model's text in its two parts."""

    answer: str
    thoughts: str
    unclosed: str
    """The tag of a thought that does not end; empty: there is none. All after it is a thought."""


def parted(text: str) -> Parted:
    """The answer and the thoughts of a text.

    Some servers put the opening tag into the prompt, so all before a closing tag that nothing
    opened is a thought, too; but not in a JSON object, where such a tag is something said.
    """
    answer: list[str] = []
    thoughts: list[str] = []
    inside, place, said = "", 0, True
    for tag in _TAG.finditer(text):
        name, closes = _read(tag.groupdict())
        if inside:
            # Another tag's name in a thought is part of the thought.
            if closes and name == inside:
                thoughts.append(text[place : tag.start()])
                inside, place, said = "", tag.end(), False
        elif closes:
            # The end of what is said to the person is no end of a thought.
            if not tag["over"]:
                thoughts += (*answer, text[place : tag.start()])
                answer, place = [], tag.end()
        else:
            answer.append(text[place : tag.start()])
            inside, place = name, tag.end()
            # A text of nothing but a thought is one, though it stands between quotes.
            before = text[max(0, tag.start() - 20) : tag.start()]
            said = said and not _BEGINS.search(before)
    if (inside or place) and said and _is_object(text):
        return Parted(text, "", "")
    (thoughts if inside else answer).append(text[place:])
    return Parted("".join(answer), "".join(thoughts), f"<{inside}>" if inside else "")


def _read(tag: dict[str, str | None]) -> tuple[str, bool]:
    """What a tag, by the groups that were found, opens or closes, and whether it closes it."""
    channel, over = tag["channel"] or "", tag["over"]
    if channel or over:
        return _CHANNEL, bool(over) or channel.casefold() == "final"
    name = tag["name"] or tag["THINK"] or tag["of"] or ""
    ends = tag["end"] or tag["square"] or (tag["edge"] or "").casefold() == "end"
    return name.casefold(), bool(ends)


def _is_object(text: str) -> bool:
    """Whether a text is one JSON object and nothing else but a fence around it."""
    fenced = _FENCED.fullmatch(text)
    try:
        return isinstance(json.loads(fenced[1] if fenced else text, strict=False), dict)
    except (ValueError, RecursionError):
        return False
