"""Calls as lines of JSON for other programs: what was asked and answered as one conversation.

``messages`` are those of OpenAI's chat format, which programs that fine-tune models read (OpenAI,
TRL, Axolotl, Together) as well as viewers of datasets; all else stands beside it, ``usage`` by
OpenAI's names. No field is called ``text``, ``prompt`` or ``completion``: where one is there beside
``messages``, some refuse the line.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

import msgspec

from gateway.services.calls.find_calls import episode_calls
from gateway.services.calls.model_call import Message, ModelCall
from store.files.atomic_files import atomic_write
from store.log.event_store import EventStore

Only = Literal["", "readable", "unreadable"]
"""Which calls: all, those whose answer was understood, or those whose answer was not."""


class CallLine(msgspec.Struct, frozen=True, kw_only=True):
    messages: tuple[Message, ...]
    """What was sent, built again, and the raw answer as the last one, of the assistant; without
    what was sent where ``checked`` is ``unknown``, without an answer where none came."""
    model: str
    parameters: dict[str, object]
    """``temperature``, ``max_tokens``, and what else was chosen."""
    schema: dict[str, object] | None
    """The JSON Schema that the server was to hold the answer to."""
    usage: dict[str, object]
    finish_reason: str
    latency_s: float
    cost_usd: float | None
    run: str
    episode: str
    asker: str
    """``seat``, ``judge``, ``memory`` or ``interview``."""
    seat: int | None
    """From 0."""
    turn: int
    attempt: int
    purpose: str
    evaluation: str
    judge: str
    at: int
    """When it was asked, in microseconds since 1970-01-01 UTC."""
    prompt_version: str
    checked: str
    """``same``: what was sent is as it was; ``differs``, ``unknown``: ``unlike`` says why."""
    unlike: str
    request_hash: str
    answered_by: str
    reasoning: str
    """What the model thought, where that is known apart."""
    read: object
    """What was understood; null: nothing."""
    fault: str
    """Why nothing was, in a word; empty: something was."""
    why: str
    """The same, as a sentence."""


def line_of(call: ModelCall, run: str = "") -> CallLine:
    answer = () if call.failure else (Message(role="assistant", content=call.text),)
    return CallLine(
        messages=(*call.prompt, *answer) if _came(call) else call.prompt,
        model=call.model,
        parameters={
            "temperature": call.temperature,
            "max_tokens": call.max_tokens,
            **call.parameters,
        },
        schema=call.json_schema,
        usage={
            "prompt_tokens": call.input_tokens,
            "completion_tokens": call.output_tokens,
            "total_tokens": call.input_tokens + call.output_tokens,
            "prompt_tokens_details": {"cached_tokens": call.cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": call.reasoning_tokens},
        },
        finish_reason=call.finish_reason,
        latency_s=call.latency_s,
        cost_usd=call.cost_usd,
        run=run,
        episode=call.episode,
        asker=call.asker,
        seat=call.seat,
        turn=call.turn,
        attempt=call.attempt,
        purpose=call.purpose,
        evaluation=call.evaluation,
        judge=call.judge,
        at=call.at,
        prompt_version=call.prompt_version,
        checked=call.checked,
        unlike=call.unlike,
        request_hash=call.request_hash,
        answered_by=call.answered_by,
        reasoning=call.reasoning,
        read=call.read_as,
        fault=call.fault,
        why=call.unusable or call.failure,
    )


def _came(call: ModelCall) -> bool:
    """Whether there is an answer; it may be empty."""
    return bool(call.text or call.finish_reason or call.unusable or call.read_as is not None)


def write_calls(
    store: EventStore,
    episodes: Iterable[tuple[str, str]],
    path: Path,
    *,
    only: Only = "",
    told: Callable[[int], object] = lambda _: None,
) -> int:
    """Write the calls of some episodes, each with its run, one a line; how many they are. Texts
    embedded as numbers are left out. ``told``: told after each episode how many there are so far.

    Raises ``UnknownId``, ``BrokenFork``, ``OSError``.
    """
    count = 0
    encoder = msgspec.json.Encoder()
    with atomic_write(path) as unfinished, unfinished.open("wb") as file:
        for episode, run in episodes:
            for call in episode_calls(store, episode):
                if call.purpose == "embed" or not _wanted(call, only):
                    continue
                file.write(encoder.encode(line_of(call, run)) + b"\n")
                count += 1
            told(count)
    return count


def _wanted(call: ModelCall, only: Only) -> bool:
    return not only or (call.read_as is not None) == (only == "readable")
