"""Replies without an answer: descriptions of what they are instead, for the model and for
people."""

import json
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from actors.models.replies.repetition import repeated
from actors.models.replies.thoughts import Parted, parted
from events.agent import ModelAnswered
from events.untrusted.safe_text import one_line

CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
"""How servers say that an answer reached its longest length."""
FILTERED = frozenset({"content_filter", "refusal", "safety", "recitation", "prohibited_content"})
TOOL_CALLS = frozenset({"tool_calls", "tool_call", "function_call", "tool_use"})

Language = Literal["en", "zh"]
"""What prompts are written in."""

NoAnswer = Literal[
    "unreadable", "cut_off", "loop", "thoughts_only", "tool_call", "empty", "filtered"
]

TOKENS_A_WORD: Final = 2
"""Of an answer in JSON: so that it is shorter than its longest length in any language."""

_whole = json.JSONDecoder(strict=False)


class ReplyFault(NamedTuple):
    """Why a reply is no answer."""

    reason: NoAnswer
    detail: str
    """For the person: a sentence, with the remedy where there is one."""
    mend: str
    """For the model, when it is asked again, in the language that it was asked in."""
    kind: str = ""
    """What it is counted under; empty: the reason."""

    @property
    def counted(self) -> str:
        """As in ``events.agent.ModelAnswered.fault``."""
        return self.kind or self.reason


_MENDS: Final[Mapping[str, Mapping[Language, str]]] = {
    "unclosed": {
        "en": "it opened {what} and did not close it before the answer",
        "zh": "开头的 {what} 在作答之前没有结束",
    },
    "thoughts_only": {
        "en": "it held reasoning only, and no answer after it",
        "zh": "只有思考过程，没有给出回答",
    },
    "empty": {"en": "it was empty", "zh": "回答是空的"},
    "cut_thoughts": {
        "en": "it was too long and was cut off before the answer; think in fewer words",
        "zh": "内容太长，在作答之前就被截断了；请缩短思考过程",
    },
    "cut_answer": {
        "en": "it was too long and was cut off; use fewer than {what} words",
        "zh": "回答太长，被截断了；请少于 {what} 个字",
    },
    "loop": {
        "en": "it said the same over and over; say each thing once, then stop",
        "zh": "同样的话重复了很多遍；每句话只说一次，说完就停",
    },
    "filtered": {"en": "it was withheld by a content filter", "zh": "回答被内容过滤器拦截了"},
    "tool_call": {
        "en": "it called a tool; there are none here",
        "zh": "回答调用了工具；这里没有工具可用",
    },
}
"""What is wrong, in the words that a model reads."""


def fault_of(
    reply: ModelAnswered, parts: Parted, longest: int, language: Language = "en"
) -> ReplyFault | None:
    """What a reply is that holds nothing to read; None where it may hold an answer.

    ``longest`` is the longest answer that was asked for, in tokens.
    """
    if not parts.unclosed and parts.answer.strip():
        return None
    why = _by_ending(reply, parts, longest, language)
    if why is not None:
        return why
    if parts.unclosed:
        return ReplyFault(
            "unreadable",
            f"the reasoning that {parts.unclosed} opens is not closed, so nothing is an answer",
            _MENDS["unclosed"][language].format(what=parts.unclosed),
        )
    if parts.thoughts.strip() or reply.reasoning:
        return ReplyFault(
            "thoughts_only",
            "the reply held reasoning and no answer",
            _MENDS["thoughts_only"][language],
        )
    return ReplyFault("empty", "the reply was empty", _MENDS["empty"][language])


def fault_of_unreadable(
    reply: ModelAnswered, parts: Parted, longest: int, problems: str, language: Language = "en"
) -> ReplyFault | None:
    """What an answer that could not be read is besides unreadable; None: nothing else."""
    why = _by_ending(reply, parts, longest, language)
    if why is None or not problems:
        return why
    return why._replace(detail=f"{why.detail} ({problems})")


def is_cut(reply: ModelAnswered, parts: Parted) -> bool:
    """Whether an answer's JSON was cut off. What is complete in it must not be taken for it: the
    object inside another, or what a repair makes of a beginning."""
    begin = parts.answer.find("{")
    if begin < 0 or not _ends(reply, CUT_OFF):
        return False
    try:
        _whole.raw_decode(parts.answer, begin)
    except (ValueError, RecursionError):
        return True
    return False


def beginning(reply: ModelAnswered, parts: Parted) -> str:
    """The beginning of an answer that was cut off, for the model to go on with; empty: there is
    none, or more of it is no use."""
    if parts.unclosed or not is_cut(reply, parts) or repeated(parts.answer):
        return ""
    # Without spaces at its end, which Anthropic's models refuse: tokens begin with them.
    return parts.answer.strip()


def completed(begun: str, rest: str) -> tuple[str, bool]:
    """An answer from its beginning and what the model said then, and whether it went on from there.

    llama.cpp's server repeats the beginning, others do not; a server that cannot go on has the
    model answer once more: that answer is whole.
    """
    said = parted(rest).answer
    if said.lstrip().startswith(begun):
        return said.lstrip(), True
    if said.lstrip().startswith(("{", "```")):
        return rest, False
    return begun + said, True


def _by_ending(
    reply: ModelAnswered, parts: Parted, longest: int, language: Language
) -> ReplyFault | None:
    """What the server's own words for the reply's ending make of it."""
    if _ends(reply, CUT_OFF):
        thinking = parts.unclosed or not parts.answer.strip()
        what = "the reasoning" if thinking else "the answer"
        length = f"its longest length of {longest:,} tokens"
        if said := repeated(parts.thoughts if thinking else parts.answer):
            return ReplyFault(
                "loop",
                f"{what} said “{one_line(said)}” over and over until {length}, so that a higher "
                "max_tokens is no remedy: try a higher temperature, a penalty for repetition "
                "(extra) or another model",
                _MENDS["loop"][language],
            )
        room = "max_tokens, or max_completion_tokens," if thinking else "max_tokens"
        return ReplyFault(
            "cut_off",
            f"{what} was cut off at {length}: raise {room} for this model",
            _MENDS["cut_thoughts" if thinking else "cut_answer"][language].format(
                what=max(1, longest // TOKENS_A_WORD)
            ),
        )
    if _ends(reply, FILTERED):
        return ReplyFault(
            "filtered",
            "the provider's content filter or the model itself withheld the answer",
            _MENDS["filtered"][language],
        )
    if _ends(reply, TOOL_CALLS):
        return ReplyFault(
            "tool_call",
            "the model called a tool, though it was given none, instead of answering",
            _MENDS["tool_call"][language],
        )
    return None


def _ends(reply: ModelAnswered, words: frozenset[str]) -> bool:
    return reply.finish_reason.casefold() in words
