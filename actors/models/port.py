"""The interface of model adapters: a request in, a reply out."""

import hashlib
from functools import cached_property, lru_cache
from typing import Final, Literal, Protocol

import msgspec

from actors.models.response_formats.schemas import Schema
from events.ids import begun_digest, digest_of
from events.minds import ModelSpec

KEPT: Final = 256
"""Messages of systems, the latest ones, whose encoded form is kept."""
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
    json_schema: Schema | None = None
    """The shape the server shall hold the answer to; only for servers that can. The adapters send
    it as ``response_format``."""
    json_mode: bool = False
    """Whether the server shall hold the answer to any JSON object; never beside a schema."""
    seed: int | None = None
    """For servers that sample repeatably."""
    max_completion_tokens: int = 0
    """The longest answer with the thoughts before it, in tokens, sent instead of ``max_tokens``;
    0: ``max_tokens`` is sent."""
    reasoning_effort: str = ""
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    extra: str = ""
    """Further parameters: a JSON object; empty: none."""
    embeds: bool = False
    """The messages' texts as vectors are asked for, instead of an answer: a model for that answers
    with 32-bit floats, little-endian, in base64, one text's after the other's. Only by LiteLLM."""
    continues: bool = False
    """The last message is the beginning of an answer, which the model goes on with."""

    @property
    def longest(self) -> int:
        """The longest answer, in tokens, with whatever is thought before it."""
        return self.max_completion_tokens or self.max_tokens

    def extras(self) -> dict[str, object]:
        """The further parameters."""
        extras: dict[str, object] = msgspec.json.decode(self.extra) if self.extra else {}
        return extras

    def chosen(self) -> dict[str, object]:
        """The parameters that are sent only where they were chosen, by name."""
        values = (
            self.max_completion_tokens,
            self.reasoning_effort,
            self.top_p,
            self.stop,
            self.extra,
            self.embeds,
            self.continues,
            self.json_mode,
        )
        if values == _UNCHOSEN_VALUES:
            return {}
        chosen = zip(_UNCHOSEN, values, _UNCHOSEN_VALUES, strict=True)
        return {name: value for name, value, unchosen in chosen if value != unchosen}


_UNCHOSEN: Final[dict[str, object]] = {
    "max_completion_tokens": 0,
    "reasoning_effort": "",
    "top_p": None,
    "stop": (),
    "extra": "",
    "embeds": False,
    "continues": False,
    "json_mode": False,
}
"""In the order of ``ModelRequest.chosen``."""
_UNCHOSEN_VALUES: Final = tuple(_UNCHOSEN.values())


def response_format(schema: Schema) -> dict[str, object]:
    """OpenAI's way of saying what shape the answer shall have."""
    answer = {"name": "answer", "strict": True, "schema": schema}
    return {"type": "json_schema", "json_schema": answer}


class ModelReply(msgspec.Struct, frozen=True, kw_only=True):
    """A model's answer, as the server gave it."""

    text: str
    """Empty where the model said nothing."""
    reasoning: str = ""
    """What it thought, where the server gives that apart."""
    model: str = ""
    """The model that the server says answered."""
    input_tokens: int = 0
    output_tokens: int = 0
    """With those of thoughts."""
    reasoning_tokens: int = 0
    """Of ``output_tokens``: those of thoughts."""
    cached_tokens: int = 0
    """Of ``input_tokens``: those read from the provider's cache."""
    cache_written_tokens: int = 0
    """Of ``input_tokens``: those written to it."""
    estimated: bool = False
    """Whether tokens were counted here, because the server said nothing of them."""
    cost_usd: float | None = None
    """US dollars; None where the price is not known."""
    finish_reason: str = ""
    dropped: tuple[str, ...] = ()
    """Parameters of the request that were not sent, because the provider does not take them."""


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
    json_schema: Schema | None = None,
    again: int = 0,
    continues: bool = False,
) -> ModelRequest:
    """A question with the parameters that the specification gives, and a longest answer of its own
    where it has one. ``again``: how often the question was put before; each time has a seed of its
    own, where there is one."""
    longest = spec.max_tokens if max_tokens is None else max_tokens
    completion = spec.max_completion_tokens
    if completion:
        # Room for a longer answer is not to be taken from the thoughts, nor given to them.
        completion = max(1, completion + longest - spec.max_tokens)
    return ModelRequest(
        messages=messages,
        temperature=spec.temperature,
        max_tokens=longest,
        json_schema=json_schema,
        seed=None if spec.seed is None else _seed(spec.seed, again),
        max_completion_tokens=completion,
        reasoning_effort=spec.reasoning_effort,
        top_p=spec.top_p,
        stop=spec.stop,
        extra=spec.extra,
        continues=continues,
    )


def _seed(seed: int, again: int) -> int:
    """The next seeds, or the ones before where there are no more in 64 bits."""
    return seed + again if seed + again < 2**63 else seed - again


_encoder = msgspec.msgpack.Encoder(order="deterministic")


class _Hashed(msgspec.Struct, frozen=True):
    """What every request's fingerprint covers. Its fields stay as they are: answers are found again
    by fingerprints that were stored."""

    messages: tuple[Msg | msgspec.Raw, ...]
    temperature: float
    max_tokens: int
    json_schema: Schema | None
    seed: int | None


def request_hash(spec: ModelSpec, request: ModelRequest) -> str:
    """Fingerprint of everything sent: the model's name, the messages and the parameters, those that
    are not always sent only where they are.

    The server's address is left out: a run may be resumed against the same model elsewhere.
    """
    messages: tuple[Msg | msgspec.Raw, ...] = request.messages
    system = None
    if messages and request.messages[0].role == "system":
        system = system_message(request.messages[0].content)
        messages = (system.packed, *to_encode(request.messages[1:]))
    sent = _Hashed(
        messages,
        request.temperature,
        request.max_tokens,
        request.json_schema,
        request.seed,
    )
    chosen = request.chosen()
    whole = _encoder.encode((spec.name, sent, chosen) if chosen else (spec.name, sent))
    return digest_of(whole) if system is None else system.digest_of(whole)


def to_encode(messages: tuple[Msg, ...]) -> tuple[Msg, ...]:
    """Messages that may be encoded. A text that is not ASCII keeps its UTF-8 form once it was
    encoded, so a prompt would take half as much memory again while its answer is awaited. A
    system's message is copied once."""
    return tuple(
        [
            message
            if (text := message.content).isascii()
            else system_message(text).message
            if message.role == "system"
            else Msg(message.role, _copied(text))
            for message in messages
        ]
    )


_FIRST: Final = len(_encoder.encode(Msg("system", "")))


class SystemMessage:
    """A system's message in the forms that it is sent and hashed in. It stays the same from turn to
    turn, and is most of a prompt."""

    def __init__(self, text: str) -> None:
        self.message = Msg("system", text if text.isascii() else _copied(text))
        self._packed = _encoder.encode(self.message)
        self.packed = msgspec.Raw(self._packed)
        self._begun: dict[bytes, hashlib.blake2b] = {}
        """The digests of requests that begin with it, by what comes before it."""

    @cached_property
    def json(self) -> msgspec.Raw:
        return msgspec.Raw(msgspec.json.encode(self.message))

    def digest_of(self, request: bytes) -> str:
        """The fingerprint of an encoded request that holds it."""
        # To look for the whole of it would take longer than to hash it.
        start = request.find(self._packed[:_FIRST])
        if not request.startswith(self._packed, start):
            return digest_of(request)
        before = request[:start]
        begun = self._begun.get(before)
        if begun is None:
            begun = self._begun[before] = begun_digest(before + self._packed)
        return digest_of(request[start + len(self._packed) :], begun)


@lru_cache(maxsize=KEPT)
def system_message(text: str) -> SystemMessage:
    """The forms of a system's message, kept of the latest ones."""
    return SystemMessage(text)


def _copied(text: str) -> str:
    return text[:1] + text[1:]
