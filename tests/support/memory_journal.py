"""A journal in memory, for minds that are asked without an agent."""

from collections.abc import Sequence

from actors.models.recording.call_log import CallEvent, CallLog
from events.agent import ModelAnswered
from events.thoughts import Decided


class Notebook:
    """What one mind has asked models and concluded, in order. A ``Journal``."""

    def __init__(self, decided: Sequence[Decided] = ()) -> None:
        self.calls: list[CallEvent] = []
        self.decided = list(decided)
        self._log = CallLog()

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        """The answer that was paid for already, if there is one."""
        return self._log.answers_to(turn, attempt)

    async def record(self, event: CallEvent) -> None:
        """Keep it."""
        self.calls.append(event)
        self._log = self._log.evolve(event)

    async def confirm(self) -> None:
        """Nobody else asks."""

    def decisions(self) -> Sequence[Decided]:
        """All of them."""
        return self.decided

    def apart(self) -> "Notebook":
        return self

    async def conclude(self, decided: Decided) -> None:
        """Keep it."""
        self.decided.append(decided)
