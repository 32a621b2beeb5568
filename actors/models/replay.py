"""Repeats recorded calls from the log: the owner asks as before and gets the stored answers. The
request that it builds is the one that was sent if the fingerprint equals the stored one.

No model is called and nothing is recorded. Prompts are not stored; this way the code that built
them builds them again, and answers are read by the same code as in an episode.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self, cast

from actors.models.answers.ask import Unusable, Usable
from actors.models.caller import CalledAnswer, Confirm, ModelCaller
from actors.models.errors import LASTING, CallFailed, ModelError
from actors.models.port import ModelReply, ModelRequest, request_hash
from actors.models.recording.call_log import CallEvent
from actors.models.registry import Models
from actors.models.response_formats.formats import in_every_form
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Envelope
from events.minds import ModelSpec
from events.serialization.codec import event_of
from store.model_abilities import AnswerForm

LABEL: Final = "read-again"
"""What figures call a model whose stored answers are read once more."""


class StoredCall(NamedTuple):
    """What a stream has of one call."""

    asked: ModelAsked
    at: int
    """When it was first asked, in microseconds since 1970-01-01 UTC."""
    times: int
    """How often it was sent: more than once after a crash before the answer."""
    answered: ModelAnswered | None = None
    failed: ModelFailed | None = None

    @property
    def key(self) -> tuple[int, int, str]:
        """Names it within its stream."""
        return (self.asked.turn, self.asked.attempt, self.asked.request_hash)


def stored_calls(envelopes: Iterable[Envelope]) -> list[StoredCall]:
    """The calls of a stream, in the order in which they were first made."""
    found: dict[tuple[int, int, str], StoredCall] = {}
    for envelope in envelopes:
        if envelope.tag not in _TAGS:
            continue
        event = cast(CallEvent, event_of(envelope))
        key = (event.turn, event.attempt, event.request_hash)
        call = found.get(key)
        match event:
            case ModelAsked() if call is None:
                found[key] = StoredCall(event, envelope.recorded_at, 1)
            case ModelAsked() if call is not None:
                found[key] = call._replace(times=call.times + 1)
            case ModelAnswered() if call is not None:
                found[key] = call._replace(answered=event)
            case ModelFailed() if call is not None:
                found[key] = call._replace(failed=event)
    return list(found.values())


_TAGS: Final = frozenset(kind.__name__ for kind in (ModelAsked, ModelAnswered, ModelFailed))


@dataclass(slots=True)
class Rebuilt:
    """A stored call with what it was asked."""

    request: ModelRequest
    """As it was sent, or, where ``same`` is not set, as it would be sent today."""
    same: bool
    """Whether its fingerprint is the stored one."""
    today: ModelAsked
    """How the question would be recorded today."""
    read: Usable[object] | Unusable | None = None
    """What the answer holds; None: none came, or what was asked is no question in words."""


class NotStored(Exception):
    """The owner asked something whose answer is not in the log; the replay ends here."""


class Replay(ModelCaller):
    """A caller, and a recorder of calls, that answers from some stored calls."""

    label = LABEL

    def __init__(self) -> None:
        super().__init__(Models())
        self._calls: Sequence[StoredCall] = ()
        self._asked: ModelAsked | None = None
        """The question that is under way: it is recorded immediately before it is put, so that
        this holds for questions that are put at the same time, too."""
        self.rebuilt: dict[tuple[int, int, str], Rebuilt] = {}
        """By ``StoredCall.key``."""

    def begin(self, calls: Sequence[StoredCall]) -> None:
        """Answer from these calls of one stream from now on."""
        self._calls, self.rebuilt = calls, {}

    async def form_for(self, spec: ModelSpec) -> AnswerForm:
        """The log does not say in which form it was asked: with a schema is tried first."""
        del spec
        return "schema"

    async def came(self, spec: ModelSpec, request: ModelRequest, text: str, *, read: bool) -> None:
        """Nothing is found out."""

    async def continues(self, spec: ModelSpec) -> bool:
        """The log says whether an answer was gone on with: ``call`` fails where it was not."""
        del spec
        return True

    def began_anew(self, spec: ModelSpec) -> None:
        """Nothing is found out."""

    async def call(
        self,
        spec: ModelSpec,
        request: ModelRequest,
        *,
        purpose: str,
        confirm: Confirm | None = None,
    ) -> CalledAnswer:
        """The stored answer. Raises ``CallFailed`` where none came then, and ``NotStored``."""
        del purpose, confirm
        asked = self._asked
        assert asked is not None, "a question is recorded before it is put"
        call, sent = self._find(asked, spec, request)
        same = call.asked.request_hash == request_hash(spec, sent)
        self.rebuilt[call.key] = Rebuilt(sent, same, asked)
        if call.answered is not None:
            return _answer_of(call.answered)
        if call.failed is not None:
            raise _failure_of(call.failed, spec)
        raise NotStored("the log has no answer")

    def _find(
        self, asked: ModelAsked, spec: ModelSpec, request: ModelRequest
    ) -> tuple[StoredCall, ModelRequest]:
        there = [
            call
            for call in self._calls
            if (call.asked.turn, call.asked.attempt) == (asked.turn, asked.attempt)
            and bool(call.asked.parameters.get("continues")) == request.continues
        ]
        if request.continues and not there:
            refused = ModelError("refused", "it was not gone on with", may_pass=False)
            raise CallFailed(spec.name, refused, lasting=False, retries=0, latency_s=0.0)
        schema = request.json_schema
        for sent in (request,) if schema is None else in_every_form(request, schema):
            fingerprint = request_hash(spec, sent)
            for call in there:
                if call.asked.request_hash == fingerprint:
                    return call, sent
        for call in there:
            alike = (call.asked.model, call.asked.purpose) == (asked.model, asked.purpose)
            if alike and call.key not in self.rebuilt:
                return call, request
        raise NotStored("the log has no such question")

    def noted(self, answer: ModelAnswered, read: Usable[object] | Unusable) -> None:
        for (turn, attempt, _), rebuilt in reversed(self.rebuilt.items()):
            if (turn, attempt) == (answer.turn, answer.attempt):
                rebuilt.read = read
                return

    # ------------------------------------------------------------ a recorder

    def answers_to(self, turn: int, attempt: int) -> tuple[()]:
        """None is known beforehand, so that every question is seen whole by ``call``."""
        del turn, attempt
        return ()

    def record(self, event: CallEvent) -> asyncio.Future[None]:
        """Nothing is stored."""
        if isinstance(event, ModelAsked):
            self._asked = event
        return done()

    async def confirm(self) -> None:
        """Nobody else asks."""

    def apart(self) -> Self:
        """Calls are looked up, in whatever order."""
        return self


def done() -> asyncio.Future[None]:
    """What need not be waited for."""
    future = asyncio.get_running_loop().create_future()
    future.set_result(None)
    return future


def _answer_of(answered: ModelAnswered) -> CalledAnswer:
    fields = set(ModelReply.__struct_fields__) & set(ModelAnswered.__struct_fields__)
    reply = ModelReply(**{name: getattr(answered, name) for name in fields})
    return CalledAnswer(reply=reply, retries=answered.retries, latency_s=answered.latency_s)


def _failure_of(failed: ModelFailed, spec: ModelSpec) -> CallFailed:
    error = ModelError(failed.reason, failed.detail, may_pass=False)
    lasting = failed.reason in LASTING
    return CallFailed(
        spec.name, error, lasting=lasting, retries=failed.retries, latency_s=failed.latency_s
    )
