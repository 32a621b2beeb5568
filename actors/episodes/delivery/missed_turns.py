"""Turns that people missed: the deadline passed, and no action of theirs was recorded."""

from events.base import Event
from events.episode import ActionTaken, SeatReleased, SeatTaken


class MissedTurns:
    """Of one episode, for each seat: how many turns in a row its person did not answer in time. It
    is told every event of a history."""

    __slots__ = ("_turns",)

    def __init__(self) -> None:
        self._turns: dict[int, set[int]] = {}

    def note(self, event: Event) -> None:
        match event:
            case ActionTaken(seat=seat, turn=turn, failure=failure):
                if failure is not None and failure.reason == "timeout":
                    self._turns.setdefault(seat, set()).add(turn)
                else:
                    self._turns.pop(seat, None)
            case SeatTaken(seat=seat) | SeatReleased(seat=seat):
                self._turns.pop(seat, None)

    def of(self, seat: int) -> int:
        """That of a seat; 0: none since somebody sat down there or answered last."""
        return len(self._turns.get(seat, ()))
