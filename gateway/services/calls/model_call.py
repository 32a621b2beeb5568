"""One call to a model as people and programs look at it."""

import json
from typing import Any, Final, Literal, NamedTuple

import msgspec

from actors.models.answers.ask import Unusable, Usable
from actors.models.replay import Rebuilt, StoredCall
from actors.models.replies.thoughts import parted
from events.agent import ModelAnswered, ModelAsked
from events.base import Value
from events.privacy.encryption import ERASED

Asker = Literal["seat", "judge", "memory", "interview"]


class Message(Value, frozen=True, kw_only=True):
    """One message of a prompt."""

    role: str
    """``system``, ``user`` or ``assistant``."""
    content: str


class ModelCall(Value, frozen=True, kw_only=True):
    """One question put to a model, and what came of it."""

    asker: Asker = "seat"
    """Who asked: a seat's mind, a judge, a seat's memory, or a researcher in an interview."""
    episode: str = ""
    """The episode's id."""
    evaluation: str = ""
    """The evaluation's id, where a judge asked."""
    judge: str = ""
    """The judge's name, where one asked."""
    seat: int | None
    """The seat that asked, from 0; None: a judge."""
    turn: int
    """As in ``events.agent``: 0 for a judge, the episode's index for a memory, the number of the
    question for an interview."""
    attempt: int
    """As in ``events.agent``: 0 the first, then one more each time an answer was no use."""
    purpose: str
    """As in ``events.agent``."""
    at: int
    """When it was asked, in microseconds since 1970-01-01 UTC."""
    model: str
    """The model's name, as it was asked for."""
    answered_by: str = ""
    """The model that the server says answered."""
    request_hash: str
    """Fingerprint of everything sent."""
    prompt: tuple[Message, ...] = ()
    """What was sent, built again; empty: it cannot be."""
    prompt_version: str = ""
    """Name and fingerprint of the template."""
    checked: Literal["same", "differs", "unknown"] = "unknown"
    """Whether the fingerprint of ``prompt`` with its parameters is ``request_hash``; ``unknown``:
    it cannot be built."""
    unlike: str = ""
    """Why it differs or cannot be built, as a sentence."""
    schema_sent: bool = False
    """The server was to hold the answer to a JSON Schema."""
    json_schema: dict[str, Any] | None = None
    """That schema."""
    temperature: float = 0.0
    max_tokens: int = 0
    parameters: dict[str, Any] = msgspec.field(default_factory=dict)
    """What else was asked for."""
    text: str = ""
    """The raw answer."""
    reasoning: str = ""
    """What it thought before, where that is known apart."""
    read_as: Any = None
    """What was understood, as plain fields; None: nothing."""
    repaired: bool = False
    """The answer is no JSON object as it stands, and was understood all the same."""
    fault: str = ""
    """What kind of fault an answer has of which nothing was understood, as in
    ``events.episode.ActionFailure``, or the reason for which no answer came, as in
    ``events.agent.ModelFailed``."""
    unusable: str = ""
    """Why nothing was understood, as a sentence."""
    failure: str = ""
    """Why no answer came."""
    finish_reason: str = ""
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    estimated: bool = False
    """Tokens were counted here, because the server said nothing of them."""
    cost_usd: float | None = None
    latency_s: float = 0.0
    retries: int = 0
    dropped: tuple[str, ...] = ()
    """Parameters that the provider does not take."""
    asked_times: int = 1
    """How often it was sent: more than once after a crash before the answer."""


class Owner(NamedTuple):
    """Who asked, and where it is recorded."""

    stream: str
    asker: Asker
    episode: str
    seat: int | None = None
    evaluation: str = ""
    judge: str = ""


NOT_ASKED: Final = "it is not asked so today: what was asked before it went another way"
"""Of a call that no part of today's code makes."""


def call_of(owner: Owner, call: StoredCall, rebuilt: Rebuilt | None, why: str = "") -> ModelCall:
    """A stored call with what it was asked. ``why``: why that cannot be built."""
    asked, answered, failed = call.asked, call.answered, call.failed
    told: dict[str, Any] = {"unlike": why or NOT_ASKED}
    if rebuilt is not None:
        sent = rebuilt.request
        told = {
            "prompt": tuple(Message(role=one.role, content=one.content) for one in sent.messages),
            "checked": "same" if rebuilt.same else "differs",
            "unlike": "" if rebuilt.same else _unlike(asked, rebuilt),
            "schema_sent": rebuilt.same and sent.json_schema is not None,
            "json_schema": sent.json_schema if rebuilt.same else None,
        }
    if answered is not None:
        told |= _answer(answered, rebuilt)
    elif failed is not None:
        told |= {
            "fault": failed.reason,
            "failure": failed.detail or failed.reason.replace("_", " "),
            "latency_s": failed.latency_s,
            "retries": failed.retries,
        }
    return ModelCall(
        asker=owner.asker,
        episode=owner.episode,
        evaluation=owner.evaluation,
        judge=owner.judge,
        seat=owner.seat,
        turn=asked.turn,
        attempt=asked.attempt,
        purpose=asked.purpose,
        at=call.at,
        model=asked.model,
        request_hash=asked.request_hash,
        prompt_version=asked.prompt_version,
        temperature=asked.temperature,
        max_tokens=asked.max_tokens,
        parameters=asked.parameters,
        asked_times=call.times,
        **told,
    )


def _unlike(asked: ModelAsked, rebuilt: Rebuilt) -> str:
    """Why a prompt that was built again is not what was sent, as far as that can be told."""
    today = rebuilt.today
    if asked.prompt_version != today.prompt_version:
        then, now = asked.prompt_version or "no template", today.prompt_version or "no template"
        return f"it was asked by {then}; today it is {now}"
    for name in ("temperature", "max_tokens", "parameters"):
        then, now = getattr(asked, name), getattr(today, name)
        if then != now:
            return f"{name} was {then}; today it is {now}"
    if any(ERASED in message.content for message in rebuilt.request.messages):
        return "words in it were erased since"
    return "what it is made of is not what it was"


def _answer(answered: ModelAnswered, rebuilt: Rebuilt | None) -> dict[str, Any]:
    parts = parted(answered.text)
    told: dict[str, Any] = {
        "text": answered.text,
        "reasoning": answered.reasoning or parts.thoughts,
        "answered_by": answered.model,
        "finish_reason": answered.finish_reason,
        "input_tokens": answered.input_tokens,
        "cached_tokens": answered.cached_tokens,
        "output_tokens": answered.output_tokens,
        "reasoning_tokens": answered.reasoning_tokens,
        "estimated": answered.estimated,
        "cost_usd": answered.cost_usd,
        "latency_s": answered.latency_s,
        "retries": answered.retries,
        "dropped": answered.dropped,
    }
    match rebuilt.read if rebuilt is not None else None:
        case Unusable(fault=fault):
            told |= {"fault": fault.reason, "unusable": fault.detail}
        case Usable(value=value):
            told |= {"read_as": plain(value), "repaired": not _is_object(parts.answer)}
    return told


def plain(value: object) -> dict[str, object]:
    """What was read of an answer, as plain fields."""
    if isinstance(value, dict):  # A judgement: by seat and dimension.
        value = {"scores": list(value.values())}
    elif isinstance(value, str):
        value = {"text": value}
    found: dict[str, object] = msgspec.to_builtins(value, enc_hook=str, str_keys=True)
    return found


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
