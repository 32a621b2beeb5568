"""A request's parameters and messages as they are sent, and which of them were not."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from actors.models.port import ModelRequest, Msg, response_format, to_encode

LEAST_MARKED = 4000
"""Characters of a message that is worth marking: providers cache no prompt below about a thousand
tokens."""

_NAMES: dict[str, frozenset[str]] = {
    "temperature": frozenset({"temperature"}),
    "top_p": frozenset({"top_p", "topP", "p"}),
    "seed": frozenset({"seed", "random_seed"}),
    "stop": frozenset({"stop", "stop_sequences", "stopSequences"}),
    "reasoning_effort": frozenset(
        {
            *("reasoning_effort", "reasoning", "thinking", "thinkingConfig", "thinking_config"),
            *("effort", "output_config", "think"),
        }
    ),
}
"""What providers call the parameters that some of them do not take."""
_DEEPEST = 4


def parameters_of(request: ModelRequest) -> dict[str, Any]:
    """The parameters in OpenAI's form, those that were not chosen left out."""
    parameters: dict[str, Any] = {"temperature": request.temperature}
    if request.max_completion_tokens:
        parameters["max_completion_tokens"] = request.max_completion_tokens
    else:
        parameters["max_tokens"] = request.max_tokens
    if request.top_p is not None:
        parameters["top_p"] = request.top_p
    if request.seed is not None:
        parameters["seed"] = request.seed
    if request.stop:
        parameters["stop"] = list(request.stop)
    if request.reasoning_effort:
        parameters["reasoning_effort"] = request.reasoning_effort
    if request.json_schema is not None:
        parameters["response_format"] = response_format(request.json_schema)
    return parameters


def messages_of(request: ModelRequest, *, marked: bool) -> Sequence[Msg | dict[str, Any]]:
    """The messages in OpenAI's form; ``marked``: a long system's message, which stays the same from
    turn to turn, with Anthropic's mark of what is to be cached."""
    messages: list[Msg | dict[str, Any]] = []
    for message in to_encode(request.messages):
        if marked and message.role == "system" and len(message.content) >= LEAST_MARKED:
            part = {
                "type": "text",
                "text": message.content,
                "cache_control": {"type": "ephemeral"},
            }
            messages.append({"role": message.role, "content": [part]})
        else:
            messages.append(message)
    return messages


def dropped(request: ModelRequest, sent: object) -> tuple[str, ...]:
    """The parameters of a request that are not in what was sent, under any name.

    ``sent`` is a body of whatever form; what is no body tells nothing.
    """
    if isinstance(sent, str | bytes):
        try:
            sent = msgspec.json.decode(sent)
        except msgspec.DecodeError:
            return ()
    if not isinstance(sent, Mapping):
        return ()
    names = set(_names(sent, _DEEPEST))
    chosen = [name for name in parameters_of(request) if name in _NAMES]
    gone = [name for name in chosen if not _NAMES[name] & names]
    return (*gone, *(name for name in request.extras() if name not in names))


def _names(body: Mapping[str, Any], depth: int) -> Iterator[str]:
    for name, value in body.items():
        if name in ("messages", "contents", "system"):
            continue
        yield name
        if depth > 0 and isinstance(value, Mapping):
            yield from _names(value, depth - 1)
