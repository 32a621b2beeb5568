"""The parameters and messages of a request as they are sent, and the parameters that were left
out."""

from collections.abc import Iterator, Mapping, Sequence

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


def parameters_of(request: ModelRequest) -> dict[str, object]:
    """The parameters in OpenAI's form, those that were not chosen left out."""
    parameters: dict[str, object] = {"temperature": request.temperature}
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
    elif request.json_mode:
        parameters["response_format"] = {"type": "json_object"}
    return parameters


def prefix_parameters(request: ModelRequest) -> dict[str, object]:
    """What has a server of one's own go on with the last message: vLLM and SGLang must be told so;
    llama.cpp's and Ollama's do so of themselves, and take it all the same."""
    if not request.continues:
        return {}
    return {"continue_final_message": True, "add_generation_prompt": False}


def messages_of(request: ModelRequest, *, marked: bool) -> Sequence[Msg | dict[str, object]]:
    """The messages in OpenAI's form, those of a user in a row as one: the chat templates of some
    models (Gemma's, Mistral's) refuse two. ``marked``: a long system's message, which stays the
    same from turn to turn, with Anthropic's mark of what is to be cached."""
    joined = to_encode(_joined(request.messages))
    if not marked:
        return joined
    messages: list[Msg | dict[str, object]] = []
    for message in joined:
        if message.role == "system" and len(message.content) >= LEAST_MARKED:
            part = {
                "type": "text",
                "text": message.content,
                "cache_control": {"type": "ephemeral"},
            }
            messages.append({"role": message.role, "content": [part]})
        else:
            messages.append(message)
    return messages


def _joined(messages: tuple[Msg, ...]) -> tuple[Msg, ...]:
    before = ""
    for message in messages:
        if before == message.role == "user":
            break
        before = message.role
    else:
        return messages
    joined: list[Msg] = []
    for message in messages:
        if joined and joined[-1].role == message.role == "user":
            joined[-1] = Msg(message.role, f"{joined[-1].content}\n\n{message.content}")
        else:
            joined.append(message)
    return tuple(joined)


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


def _names(body: Mapping[str, object], depth: int) -> Iterator[str]:
    for name, value in body.items():
        if name in ("messages", "contents", "system"):
            continue
        yield name
        if depth > 0 and isinstance(value, Mapping):
            yield from _names(value, depth - 1)
