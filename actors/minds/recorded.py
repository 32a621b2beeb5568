"""The recorded mind: repeats the actions that a seat took in a stored episode."""

from collections.abc import Iterable

from actors.episodes.mind import Decision, Scene
from actors.episodes.port.game import AnyGame
from actors.models.recording.call_log import CallRecorder
from events.base import Event
from events.episode import ActionFailure, ActionTaken


class RecordedMind:
    """Repeats one seat's actions, question by question; asks no model."""

    def __init__(self, game: AnyGame, events: Iterable[Event], seat: int) -> None:
        """``events``: the history of the stored episode, a fork's shared past included."""
        self._taken = {
            (event.turn, event.question): Decision(action=event.action, failure=event.failure)
            for event in events
            if isinstance(event, ActionTaken) and event.seat == seat
        }
        self._game = game
        self._seat = seat

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """What the seat answered then; *nothing* with a reason where the record has no answer."""
        taken = self._taken.get((scene.turn, scene.question_id))
        if taken is not None:
            return taken
        why = f"the recorded episode has no action of seat {self._seat} in turn {scene.turn}"
        return Decision(
            action=self._game.rules.nothing(scene.question),
            failure=ActionFailure(reason="mind_error", detail=why),
        )
