"""Every call to a model behind an episode: what it was asked, rendered again and held against the
log's fingerprint, what it answered, and what was made of it.

Prompts are not stored: they follow from what the seat had noticed. So a prompt counts as checked
where its fingerprint is that of the question in the log; where a template or a setting has changed
since, it is not.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

import msgspec

from actors.episodes.mind import Scene
from actors.episodes.odd_histories import telling
from actors.episodes.registry import environment_of
from actors.episodes.rules import INITIAL, evolve
from actors.minds.model import question_for
from actors.models.asking import ModelQuestion, Unusable, read_reply
from actors.models.port import ModelRequest, Msg, request_hash, request_of
from actors.models.thoughts import parted
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Envelope, Value
from events.codec import event_of
from events.episode import ActionTaken, EpisodeForked, EpisodeStarted, TurnOpened
from events.minds import MindSpec, ModelSpec
from events.subjects import agent_stream, split_stream, stream_name
from gateway.episode_views import memory_of
from store.history import Numbered, read_history
from store.log import EventStore

LABEL: Final = "read-again"
"""What figures call a model whose stored answers are read once more."""


class Message(Value, frozen=True, kw_only=True):
    """One message of a prompt."""

    role: str
    """``system``, ``user`` or ``assistant``."""
    content: str


class ModelCall(Value, frozen=True, kw_only=True):
    """One question put to a model, and what came of it."""

    seat: int | None
    """The seat that asked, from 0; None: a judge."""
    turn: int
    """0 for a judge."""
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
    """What was sent, rendered again; empty: it cannot be."""
    prompt_version: str = ""
    """Name and fingerprint of the template."""
    checked: Literal["same", "differs", "unknown"] = "unknown"
    """Whether the fingerprint of ``prompt`` with its parameters is ``request_hash``; ``unknown``:
    it cannot be rendered."""
    schema_sent: bool = False
    """The server was to hold the answer to a JSON Schema."""
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


class _Call(NamedTuple):
    """What the log has of one call."""

    asked: ModelAsked
    at: int
    times: int
    answered: ModelAnswered | None
    failed: ModelFailed | None


class _Situation(NamedTuple):
    """A question to a seat, with all that follows for its prompt."""

    question: ModelQuestion[Any]
    spec: ModelSpec


def turn_calls(
    store: EventStore, episode: str, turn: int, seat: int | None = None
) -> tuple[ModelCall, ...]:
    """The calls of a turn, of all seats or of one, in the order in which they were made. Takes the
    episode's id in full. Raises ``UnknownId``, ``BrokenFork``, ``OddHistory``."""
    return tuple(_calls_of(store, read_history(store, episode), turn, seat))


def _calls_of(
    store: EventStore, history: Sequence[Numbered], turn: int, seat: int | None
) -> Iterator[ModelCall]:
    opened = next(
        (n for n in history if isinstance(n.event, TurnOpened) and n.event.turn == turn), None
    )
    if opened is None:
        return
    assert isinstance(opened.event, TurnOpened)
    for one in opened.event.seats if seat is None else (seat,):
        if one not in opened.event.seats:
            continue
        for stream in _agents(history, opened, one):
            calls = [call for call in _stored(store.read(stream)) if call.asked.turn == turn]
            if calls:
                yield from _told(store, history, opened, one, calls)


def _agents(history: Sequence[Numbered], opened: Numbered, seat: int) -> Iterable[str]:
    """The streams of who may have been asked: that of the episode in which the turn was opened,
    and those of its forks before an answer was there."""
    streams: dict[str, None] = {}
    for numbered in history[opened.number :]:
        event = numbered.event
        if isinstance(event, TurnOpened) and numbered is not opened:
            break
        if numbered is opened or isinstance(event, EpisodeForked):
            streams[agent_stream(split_stream(numbered.envelope.stream)[1], seat)] = None
    return streams


def _stored(envelopes: Iterable[Envelope]) -> list[_Call]:
    """Calls, in the order in which they were first made."""
    found: dict[tuple[int, int, str], _Call] = {}
    for envelope in envelopes:
        event = event_of(envelope)
        if not isinstance(event, ModelAsked | ModelAnswered | ModelFailed):
            continue
        key = (event.turn, event.attempt, event.request_hash)
        call = found.get(key)
        if isinstance(event, ModelAsked):
            again = _Call(event, envelope.recorded_at, 1, None, None)
            found[key] = again if call is None else call._replace(times=call.times + 1)
        elif call is not None and isinstance(event, ModelAnswered):
            found[key] = call._replace(answered=event)
        elif call is not None and isinstance(event, ModelFailed):
            found[key] = call._replace(failed=event)
    return list(found.values())


def _told(
    store: EventStore,
    history: Sequence[Numbered],
    opened: Numbered,
    seat: int,
    calls: Sequence[_Call],
) -> Iterator[ModelCall]:
    situations = _situations(store, history, opened, seat)
    for question, of_question in _by_question(situations, calls):
        yield from _replayed(question, of_question, seat)


def _by_question(
    situations: Sequence[_Situation], calls: Sequence[_Call]
) -> Iterator[tuple[_Situation | None, list[_Call]]]:
    """The calls for each question, by the numbers of their attempts."""
    rest = list(calls)
    for situation in situations:
        first, most = situation.question.first, situation.question.reasks
        mine = [call for call in rest if first <= call.asked.attempt <= first + most]
        rest = [call for call in rest if call not in mine]
        if mine:
            yield situation, mine
    if rest:
        yield None, rest


def _situations(
    store: EventStore, history: Sequence[Numbered], opened: Numbered, seat: int
) -> list[_Situation]:
    """What the seat was asked in the turn; empty: no model sat there, or it cannot be told."""
    started = next(n.event for n in history if isinstance(n.event, EpisodeStarted))
    environment = environment_of(started)
    with telling(environment.name):
        state, eyes = INITIAL, environment.reducer(started, seat)
        seen: list[Any] = []
        for numbered in history[: opened.number + 1]:
            state = evolve(state, numbered.event)
            seen += eyes.apply(numbered.number, numbered.event)
        spec = _model_in(state.minds[seat], history, opened, seat)
        if spec is None or state.minds[seat].kind == "generative":
            # What a mind that thinks puts to its model follows from all that it remembers.
            return []
        seen.sort(key=lambda notice: notice.number)
        # Its own id is all that a background has of an episode.
        own = split_stream(opened.envelope.stream)[1]
        background = environment.background(own, started, seat, memory_of(store, started, seat))
        writer = environment.prompt_writer(background)
        assert isinstance(opened.event, TurnOpened)
        return [
            _Situation(
                question_for(
                    environment,
                    writer,
                    Scene(
                        background=background,
                        seen=seen,
                        turn=opened.event.turn,
                        question=asked.question,
                        question_id=asked.id,
                        seat=seat,
                        seats=len(state.minds),
                    ),
                ),
                spec,
            )
            for asked in opened.event.asked
            if asked.seat == seat
        ]


def _model_in(
    mind: MindSpec, history: Sequence[Numbered], opened: Numbered, seat: int
) -> ModelSpec | None:
    """The model that was asked: of the mind in the seat when the turn was opened, or of one that
    took it before the answer. None: no model was, or by a mind that thinks, whose prompts follow
    from more than what it noticed."""
    found = mind
    for numbered in history[opened.number + 1 :]:
        event = numbered.event
        if isinstance(event, TurnOpened | ActionTaken) and getattr(event, "seat", seat) == seat:
            break
        minds = getattr(event, "minds", None)
        if minds is not None and minds[seat].model is not None:
            found = minds[seat]
        if getattr(event, "seat", None) == seat and getattr(event, "mind", None) is not None:
            found = event.mind if event.mind.model else found  # type: ignore[attr-defined]
    return found.model if found.kind == "model" else None


def _replayed(
    situation: _Situation | None, calls: Sequence[_Call], seat: int | None
) -> Iterator[ModelCall]:
    """Calls for one question, with their prompts: each request to mend follows from the answer
    before it."""
    messages = situation.question.messages if situation else ()
    for call in calls:
        yield _shown(call, situation, messages, seat)
        if situation is not None and call.answered is not None:
            request = request_of(situation.spec, messages)
            read = read_reply(situation.question, call.answered, request.longest, LABEL)
            if isinstance(read, Unusable):
                before = messages if situation.question.cumulative else situation.question.messages
                messages = (*before, *read.mending)


def _shown(
    call: _Call, situation: _Situation | None, messages: tuple[Msg, ...], seat: int | None
) -> ModelCall:
    asked, answered, failed = call.asked, call.answered, call.failed
    told: dict[str, Any] = {}
    if situation is not None:
        checked, with_schema = _checked(situation, messages, asked.request_hash)
        told |= {
            "prompt": tuple(Message(role=one.role, content=one.content) for one in messages),
            "checked": "same" if checked else "differs",
            "schema_sent": with_schema,
        }
    if answered is not None:
        told |= _answer(answered, situation, asked)
    elif failed is not None:
        told |= {
            "failure": failed.detail or failed.reason.replace("_", " "),
            "latency_s": failed.latency_s,
            "retries": failed.retries,
        }
    return ModelCall(
        seat=seat,
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


def _checked(
    situation: _Situation, messages: tuple[Msg, ...], fingerprint: str
) -> tuple[bool, bool]:
    """Whether the request has the fingerprint, and whether with the schema. The log does not say
    if the schema was sent along."""
    spec, question = situation.spec, situation.question
    for schema in dict.fromkeys((True, False)):
        request: ModelRequest = request_of(
            spec,
            messages,
            max_tokens=question.max_tokens,
            json_schema=question.json_schema if schema else None,
        )
        if request_hash(spec, request) == fingerprint:
            return True, schema and question.json_schema is not None
    return False, False


def _answer(
    answered: ModelAnswered, situation: _Situation | None, asked: ModelAsked
) -> dict[str, Any]:
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
    if situation is None:
        return told
    longest = max(asked.max_tokens, situation.spec.max_completion_tokens)
    read = read_reply(situation.question, answered, longest, LABEL)
    if isinstance(read, Unusable):
        return told | {"unusable": read.fault.detail}
    plain = msgspec.to_builtins(read.value)
    return told | {"read_as": plain, "repaired": not _is_object(parts.answer)}


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def judge_calls(store: EventStore, evaluation: str) -> tuple[ModelCall, ...]:
    """The calls of one evaluation (id in full): what the judge's model answered, as it came."""
    calls = _stored(store.read(stream_name("evaluation", evaluation)))
    return tuple(_shown(call, None, (), None) for call in calls)
