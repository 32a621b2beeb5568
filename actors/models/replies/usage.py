"""The token usage of a call: the server's figures, or our own count if it reports none."""

from collections.abc import Mapping
from typing import Final

import msgspec

from actors.models import tokens
from actors.models.port import ModelRequest
from actors.models.replies.thoughts import parted

AROUND_A_MESSAGE = 4
"""Tokens that a server puts around each message, roughly."""
MOST_TOKENS = 10**9
"""Of one question or answer; a server that says more says nothing."""


_PLAIN: Final = frozenset({"prompt_tokens", "completion_tokens", "total_tokens"})
"""What servers say that have no more to say."""


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """The fields are ``ModelReply``'s."""

    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    cache_written_tokens: int = 0
    estimated: bool = False


def usage_of(said: Mapping[str, object]) -> Usage:
    """What a server says in OpenAI's form, or in the forms of those who differ from it."""
    asked, answered = _count(said.get("prompt_tokens")), _count(said.get("completion_tokens"))
    if said.keys() <= _PLAIN:
        return Usage(input_tokens=asked, output_tokens=answered)
    prompt = _fields(said.get("prompt_tokens_details"))
    completion = _fields(said.get("completion_tokens_details"))
    read = (
        prompt.get("cached_tokens")
        or said.get("cache_read_input_tokens")
        or said.get("prompt_cache_hit_tokens")
    )
    written = (
        prompt.get("cache_creation_tokens")
        or prompt.get("cache_write_tokens")
        or said.get("cache_creation_input_tokens")
    )
    return Usage(
        input_tokens=asked,
        output_tokens=answered,
        reasoning_tokens=min(_count(completion.get("reasoning_tokens")), answered),
        cached_tokens=min(_count(read), asked),
        cache_written_tokens=min(_count(written), asked),
    )


async def completed(usage: Usage, request: ModelRequest, text: str, reasoning: str) -> Usage:
    """The figures, with what the server left out counted here and marked as estimated.

    No question takes no tokens, and no answer but an empty one does.
    """
    thoughts = "" if usage.reasoning_tokens else reasoning + parted(text).thoughts
    no_input = not usage.input_tokens
    no_output = not usage.output_tokens and bool(text or reasoning)
    no_thoughts = bool(thoughts)
    if not (no_input or no_output or no_thoughts):
        return usage
    await tokens.ready()
    if no_input:
        taken = sum(tokens.count(m.content) + AROUND_A_MESSAGE for m in request.messages)
        usage = msgspec.structs.replace(usage, input_tokens=taken, estimated=True)
    if no_output:
        taken = tokens.count(text) + tokens.count(reasoning)
        usage = msgspec.structs.replace(usage, output_tokens=taken, estimated=True)
    if no_thoughts:
        # Part of a figure of the server's own, which stays what it is.
        taken = min(tokens.count(thoughts), usage.output_tokens)
        usage = msgspec.structs.replace(usage, reasoning_tokens=taken)
    return usage


def _fields(said: object) -> Mapping[str, object]:
    return said if isinstance(said, Mapping) else {}


def _count(said: object) -> int:
    if type(said) is not int and (not isinstance(said, int | float) or isinstance(said, bool)):
        return 0
    return int(said) if 0 < said <= MOST_TOKENS else 0
