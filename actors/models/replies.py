"""Replies that hold no answer: what they are instead, said to the model and to the person."""

import json
from typing import Literal, NamedTuple

from actors.models.thoughts import Parted
from events.agent import ModelAnswered

CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
"""How servers say that an answer reached its longest length."""
FILTERED = frozenset({"content_filter", "refusal", "safety", "recitation", "prohibited_content"})
TOOL_CALLS = frozenset({"tool_calls", "tool_call", "function_call", "tool_use"})

NoAnswer = Literal["unreadable", "cut_off", "thoughts_only", "tool_call", "empty", "filtered"]

_whole = json.JSONDecoder(strict=False)


class Fault(NamedTuple):
    """Why a reply is no answer."""

    reason: NoAnswer
    detail: str
    """For the person: a sentence, with the remedy where there is one."""
    mend: str
    """For the model, when it is asked again."""


def fault_of(reply: ModelAnswered, parts: Parted, longest: int) -> Fault | None:
    """What a reply is that holds nothing to read; None where it may hold an answer.

    ``longest`` is the longest answer that was asked for, in tokens.
    """
    if not parts.unclosed and parts.answer.strip():
        return None
    why = _by_ending(reply, parts, longest)
    if why is not None:
        return why
    if parts.unclosed:
        return Fault(
            "unreadable",
            f"the reasoning that {parts.unclosed} opens is not closed, so nothing is an answer",
            f"it opened {parts.unclosed} and did not close it before the answer",
        )
    if parts.thoughts.strip() or reply.reasoning:
        return Fault(
            "thoughts_only",
            "the reply held reasoning and no answer",
            "it held reasoning only, and no answer after it",
        )
    return Fault("empty", "the reply was empty", "it was empty")


def fault_of_unreadable(
    reply: ModelAnswered, parts: Parted, longest: int, problems: str
) -> Fault | None:
    """What an answer that could not be read is besides unreadable; None: nothing else."""
    why = _by_ending(reply, parts, longest)
    if why is None or not problems:
        return why
    return why._replace(detail=f"{why.detail} ({problems})")


def is_cut(reply: ModelAnswered, parts: Parted) -> bool:
    """Whether an answer's JSON was cut off. What is complete in it must not be taken for it: the
    object inside another, or what a repair makes of a beginning."""
    begin = parts.answer.find("{")
    if not _ends(reply, CUT_OFF) or begin < 0:
        return False
    try:
        _whole.raw_decode(parts.answer, begin)
    except (ValueError, RecursionError):
        return True
    return False


def _by_ending(reply: ModelAnswered, parts: Parted, longest: int) -> Fault | None:
    """What the server's own words for the reply's ending make of it."""
    if _ends(reply, CUT_OFF):
        thinking = parts.unclosed or not parts.answer.strip()
        what = "the reasoning" if thinking else "the answer"
        room = "max_tokens, or max_completion_tokens," if thinking else "max_tokens"
        return Fault(
            "cut_off",
            f"{what} was cut off at its longest length of {longest:,} tokens: raise {room} for "
            "this model",
            f"it was cut off after {longest} tokens; {'think' if thinking else 'answer'} in fewer "
            "words",
        )
    if _ends(reply, FILTERED):
        return Fault(
            "filtered",
            "the provider's content filter or the model itself withheld the answer",
            "it was withheld by a content filter",
        )
    if _ends(reply, TOOL_CALLS):
        return Fault(
            "tool_call",
            "the model called a tool, though it was given none, instead of answering",
            "it called a tool; there are none here",
        )
    return None


def _ends(reply: ModelAnswered, words: frozenset[str]) -> bool:
    return reply.finish_reason.casefold() in words
