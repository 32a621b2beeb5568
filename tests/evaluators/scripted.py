"""A model that answers from a script, behind the real caller."""

from collections.abc import Sequence

from actors.models.caller import Backoff, ModelCaller
from actors.models.errors import ModelError
from actors.models.port import ModelReply, ModelRequest
from actors.models.recording.call_log import CallEvent, CallLog
from actors.models.registry import Models
from events.agent import ModelAnswered


class Scripted:
    """Answers from a list, and keeps what it was asked."""

    def __init__(self, answers: Sequence[str | ModelError]) -> None:
        self.answers = list(answers)
        self.asked: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, ModelError):
            raise answer
        return ModelReply(text=answer, input_tokens=100, output_tokens=50, cost_usd=0.5)


class Stream:
    """A ``CallRecorder`` over a list of events."""

    def __init__(self) -> None:
        self.events: list[CallEvent] = []

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        log = CallLog()
        for event in self.events:
            log = log.evolve(event)
        return log.answers_to(turn, attempt)

    async def record(self, event: CallEvent) -> None:
        self.events.append(event)

    async def confirm(self) -> None:
        """Nobody else writes here."""


def caller_of(model: Scripted) -> ModelCaller:
    return ModelCaller(Models({"litellm": lambda _: model}), Backoff(first_s=0.001))
