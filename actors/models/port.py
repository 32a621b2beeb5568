"""The port every model is behind: one request in, one reply out."""

from typing import Any, Literal, Protocol

import msgspec

from events.ids import digest_of
from events.minds import ModelSpec

Role = Literal["system", "user", "assistant"]


class Msg(msgspec.Struct, frozen=True):
    """One message of a conversation with a model."""

    role: Role
    content: str


class ModelRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A question to a model."""

    messages: tuple[Msg, ...]
    temperature: float
    """0 to 2."""
    max_tokens: int
    """The longest answer, in tokens."""
    json_schema: dict[str, Any] | None = None
    """The shape the server shall hold the answer to; only for servers that can. The adapters send
    it as ``response_format``."""
    seed: int | None = None
    """For servers that sample repeatably."""


def response_format(schema: dict[str, Any]) -> dict[str, Any]:
    """OpenAI's way of saying what shape the answer shall have."""
    answer = {"name": "answer", "strict": True, "schema": schema}
    return {"type": "json_schema", "json_schema": answer}


class ModelReply(msgspec.Struct, frozen=True, kw_only=True):
    """A model's answer, as the server gave it."""

    text: str
    """Empty where the model said nothing."""
    model: str = ""
    """The model that the server says answered."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    """US dollars; None where the price is not known."""
    finish_reason: str = ""


class Model(Protocol):
    """Something that answers. It tries once; patience and limits are the caller's."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The answer. Raises ``ModelError`` and nothing else."""
        ...


def request_of(
    spec: ModelSpec,
    messages: tuple[Msg, ...],
    *,
    max_tokens: int | None = None,
    json_schema: dict[str, Any] | None = None,
) -> ModelRequest:
    """A question with the parameters that the specification gives, and a longest answer of its own
    where it has one."""
    return ModelRequest(
        messages=messages,
        temperature=spec.temperature,
        max_tokens=spec.max_tokens if max_tokens is None else max_tokens,
        json_schema=json_schema,
    )


_encoder = msgspec.msgpack.Encoder(order="deterministic")


def request_hash(spec: ModelSpec, request: ModelRequest) -> str:
    """Fingerprint of everything sent: the model's name, the messages and the parameters.

    The server's address is left out: a run may be resumed against the same model elsewhere.
    """
    sent = msgspec.structs.replace(request, messages=to_encode(request.messages))
    return digest_of(_encoder.encode((spec.name, sent)))


def to_encode(messages: tuple[Msg, ...]) -> tuple[Msg, ...]:
    """Messages that may be encoded. A text that is not ASCII keeps its UTF-8 form once it was
    encoded, so a prompt would take half as much memory again while its answer is awaited."""
    return tuple(
        message if (text := message.content).isascii() else Msg(message.role, text[:1] + text[1:])
        for message in messages
    )
