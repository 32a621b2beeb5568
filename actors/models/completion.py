"""Reads a chat completion in OpenAI's format as a reply: text, thoughts, refusal and token
usage."""

from collections.abc import Mapping, Sequence

import msgspec

from actors.models.litellm.pricing import cost_usd
from actors.models.port import ModelReply, ModelRequest
from actors.models.replies.usage import completed, usage_of
from events.minds import ModelSpec


class Message(msgspec.Struct):
    """What is read of a completion's message. Its fields are whatever servers put there."""

    content: object = None
    """A text, or parts of which some are texts."""
    reasoning_content: object = None
    """DeepSeek's and vLLM's name for thoughts; LiteLLM brings others' under it."""
    reasoning: object = None
    """OpenRouter's."""
    refusal: object = None
    tool_calls: object = None
    function_call: object = None


class Choice(msgspec.Struct):
    """One of a completion's answers."""

    message: Message | None = None
    finish_reason: object = None


class Completion(msgspec.Struct):
    """What is read of a server's reply."""

    choices: list[Choice]
    model: object = ""
    usage: object = None
    error: object = None

    def __post_init__(self) -> None:
        if self.error and not self.choices:
            raise ValueError("it is the report of an error")

    @property
    def first(self) -> Choice:
        """The first answer; an empty one where there is none."""
        return self.choices[0] if self.choices else Choice()

    @property
    def used(self) -> Mapping[str, object]:
        """What it says it used."""
        return self.usage if isinstance(self.usage, dict) else {}


async def reply_of(
    spec: ModelSpec,
    request: ModelRequest,
    choice: Choice,
    *,
    model: object,
    usage: Mapping[str, object],
    dropped: tuple[str, ...] = (),
) -> ModelReply:
    """The reply that a completion's first choice is."""
    message = choice.message or Message()
    text, thoughts = _texts(message.content)
    reasoning = _first_text(message.reasoning_content, message.reasoning, thoughts)
    ending = choice.finish_reason if isinstance(choice.finish_reason, str) else ""
    if not text.strip():
        if isinstance(message.refusal, str) and message.refusal:
            text, ending = message.refusal, "refusal"
        elif message.tool_calls or message.function_call:
            ending = "tool_calls"
    model = model if isinstance(model, str) else ""
    if not f"{text}{reasoning}{model}{ending}".isascii():
        text, reasoning = encodable(text), encodable(reasoning)
        model, ending = encodable(model), encodable(ending)
    used = await completed(usage_of(usage), request, text, reasoning)
    return ModelReply(
        text=text,
        reasoning=reasoning,
        model=model,
        cost_usd=cost_usd(
            spec,
            used.input_tokens,
            used.output_tokens,
            used.cached_tokens,
            used.cache_written_tokens,
        ),
        finish_reason=ending,
        dropped=dropped,
        **msgspec.structs.asdict(used),
    )


def encodable(text: str) -> str:
    """A text that has a UTF-8 form: half a surrogate pair, which has none, as JSON escapes it. In
    an answer's JSON it stays what it was, and unreadable."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def _first_text(*values: object) -> str:
    """The first that is a text, and not an empty one."""
    for value in values:
        if value and isinstance(value, str):
            return value
    return ""


def _texts(content: object) -> tuple[str, str]:
    """What is said and what is thought."""
    if isinstance(content, str):
        return content, ""
    said, thought = [], []
    for part in content if isinstance(content, Sequence) else ():
        if isinstance(part, str):
            said.append(part)
        elif isinstance(part, Mapping):
            if isinstance(text := part.get("text"), str):
                said.append(text)
            elif "thinking" in part:
                inner = part["thinking"]
                thought.append(inner if isinstance(inner, str) else _texts(inner)[0])
    return "".join(said), "".join(thought)
