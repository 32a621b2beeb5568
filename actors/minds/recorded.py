"""The recorded mind: does again what a seat did in a stored episode."""

from collections.abc import Iterable

from actors.minds.mind import Decision, Scene
from actors.models.recording import CallRecorder
from events.base import Event
from events.episode import Action, ActionFailure, ActionTaken


class RecordedMind:
    """Repeats one seat's actions, turn by turn; asks no model."""

    def __init__(self, events: Iterable[Event], seat: int) -> None:
        """``events``: the history of the stored episode, a fork's shared past included."""
        self._taken = {
            event.turn: Decision(action=event.action, failure=event.failure)
            for event in events
            if isinstance(event, ActionTaken) and event.seat == seat
        }
        self._seat = seat

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """What the seat did in this turn; ``none`` with a reason where the record has nothing."""
        taken = self._taken.get(scene.turn)
        if taken is not None:
            return taken
        return Decision(
            action=Action(kind="none"),
            failure=ActionFailure(
                reason="mind_error",
                detail=f"the recorded episode has no action of seat {self._seat} "
                f"in turn {scene.turn}",
            ),
        )
