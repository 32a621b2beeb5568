"""Calls to language models, as facts. In stream ``agent-<episode>.<seat>`` of the agent that asked,
or in the evaluation's stream when a judge asked.

A call is named by ``(turn, attempt)``; a judge's turn is 0. ``attempt`` counts the questions put to
the model for one decision: 0 the first, then one more each time an answer could not be read.
Retries after a transport error stay inside one attempt.
"""

from typing import Literal

from events.base import Event


class ModelAsked(Event, frozen=True, kw_only=True):
    """A question is on its way to a model. Recorded before it is sent."""

    turn: int
    attempt: int
    purpose: Literal["act", "judge", "remember", "find"]
    model: str
    request_hash: str
    """Fingerprint of everything sent: messages, parameters, model."""
    prompt_version: str = ""
    temperature: float = 0.0
    max_tokens: int = 0


class ModelAnswered(Event, frozen=True, kw_only=True):
    """A model's answer, as it came. Once stored it is never asked for again."""

    turn: int
    attempt: int
    request_hash: str
    text: str
    model: str = ""
    """The model that the server says answered."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    """US dollars; None where the price is not known."""
    latency_s: float = 0.0
    """Seconds from the question to the answer, retries included."""
    retries: int = 0
    """Transport retries it took."""
    finish_reason: str = ""


class ModelFailed(Event, frozen=True, kw_only=True):
    """No answer came after all retries."""

    turn: int
    attempt: int
    request_hash: str
    reason: Literal["rate_limited", "server_error", "timeout", "connection", "refused", "other"]
    detail: str = ""
    retries: int = 0
    latency_s: float = 0.0
