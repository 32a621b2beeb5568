"""Calls to language models, as facts. In stream ``agent-<episode>.<seat>`` of the agent that asked,
in the evaluation's stream when a judge asked, in the interview's when a character was.

A call is named by ``(turn, attempt)``; a judge's turn is 0. ``attempt`` counts the questions put to
the model for one decision: 0 the first, then one more each time an answer could not be read. Where
a turn asks its owner several things, those for the second begin behind all that there can be for
the first. A call that lets a model go on from where its answer was cut off has the attempt of that
answer, and a fingerprint of its own.
Retries after a transport error stay inside one attempt.
"""

from typing import Any, Final, Literal

import msgspec

from events.base import Event

Purpose = Literal[
    "act",
    "plan",
    "perceive",
    "talk",
    "reflect",
    "embed",
    "judge",
    "remember",
    "find",
    "interview",
]
"""What a model is asked for."""


class ModelAsked(Event, frozen=True, kw_only=True):
    """A question is on its way to a model. Recorded before it is sent."""

    turn: int
    """The owner's turn: an agent's, 0 for a judge, the episode's index for a memory."""
    attempt: int
    """Which question of this turn: 0 the first, then one more each time an answer was no use."""
    purpose: Purpose
    """What the answer is for. Of a mind that thinks: ``plan`` a day or a part of it, ``perceive``
    how much something matters or what to make of it, ``talk`` what is said and kept of it,
    ``reflect`` what follows from memories, ``embed`` a text as numbers; all else that a seat asks
    is to ``act``."""
    model: str
    """The model's name, as it was asked for."""
    request_hash: str
    """Fingerprint of everything sent: messages, parameters, model."""
    prompt_version: str = ""
    """Name and fingerprint of the template; empty: there is none."""
    temperature: float = 0.0
    """0 to 2."""
    max_tokens: int = 0
    """The longest answer, in tokens."""
    parameters: dict[str, Any] = msgspec.field(default_factory=dict)
    """What else was asked for, by the names of the model's specification: ``top_p``, for example;
    ``continues``: the model was to go on from where its answer was cut off. What of all this the
    provider does not take, ``ModelAnswered.dropped`` says."""
    mends: str = ""
    """What was wrong with the answer before, as ``ModelAnswered.fault``; empty: this is the first
    question, or it was asked before this was recorded."""


WORD_COUNT: Final = "word_count"
"""The fault of an answer that was read, and has more or fewer words than were asked for."""


class ModelAnswered(Event, frozen=True, kw_only=True):
    """A model's answer, as it came. Once stored it is never asked for again."""

    turn: int
    """The owner's turn: an agent's, 0 for a judge, the episode's index for a memory."""
    attempt: int
    """Which question of this turn: 0 the first, then one more each time an answer was no use."""
    request_hash: str
    """That of the question."""
    text: str
    """Empty where it said nothing."""
    model: str = ""
    """The model that the server says answered."""
    input_tokens: int = 0
    """Of the prompt, as the server counts."""
    output_tokens: int = 0
    """Of the answer and the thoughts before it, as the server counts."""
    cost_usd: float | None = None
    """US dollars; None where the price is not known."""
    latency_s: float = 0.0
    """Seconds from the question to the answer, retries included."""
    retries: int = 0
    """Transport retries it took."""
    finish_reason: str = ""
    """Why it stopped, as the server says."""
    reasoning: str = ""
    """What the model thought, where the server gives that apart from the answer. Thoughts between
    tags stay in ``text``."""
    reasoning_tokens: int = 0
    """Of ``output_tokens``: those of thoughts."""
    cached_tokens: int = 0
    """Of ``input_tokens``: those that the provider read from its cache."""
    cache_written_tokens: int = 0
    """Of ``input_tokens``: those that the provider wrote to its cache."""
    estimated: bool = False
    """Whether the server said nothing of tokens, so that they were counted here."""
    dropped: tuple[str, ...] = ()
    """Parameters of the question that the provider does not take: they were not sent."""
    fault: str = ""
    """Why it could not be used, as it was read then: a reason of ``ActionFailure``, or what exactly
    was unreadable (``wrong_recipient``, ``word_count``); empty: it could, or it was before this
    was recorded."""


class ModelFailed(Event, frozen=True, kw_only=True):
    """No answer came after all retries."""

    turn: int
    """The owner's turn: an agent's, 0 for a judge, the episode's index for a memory."""
    attempt: int
    """Which question of this turn: 0 the first, then one more each time an answer was no use."""
    request_hash: str
    """That of the question."""
    reason: Literal[
        "no_key",
        "unauthorized",
        "forbidden",
        "not_found",
        "quota",
        "rate_limited",
        "server_error",
        "timeout",
        "connection",
        "too_long",
        "filtered",
        "refused",
        "other",
    ]
    """What kind of error the last try met. Older events say ``refused`` for all that no
    retry mends."""
    detail: str = ""
    """What went wrong, as a sentence."""
    retries: int = 0
    """Transport retries before it was given up."""
    latency_s: float = 0.0
    """Seconds from the question to giving up."""
