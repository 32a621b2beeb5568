"""An episode of one seat, played by the rules alone."""

from collections.abc import Callable
from typing import Any

from actors.episodes.rules.decide import INITIAL, EpisodeState, decide, evolve
from actors.episodes.rules.decide import Start as Begin
from events.base import Event
from events.environments import Action, Question, Setup
from events.episode import ActionFailure, EpisodeStarted
from events.minds import MindSpec
from events.wire.messages import TakeAction

UNREADABLE = ActionFailure(reason="unreadable", detail="no JSON")


def begun(setup: Setup, **fields: Any) -> EpisodeStarted:
    """The first event of an episode."""
    minds = (MindSpec(name="one", kind="remote"),)
    own = {"environment": "worldtree", "run": "", "task": "", "catalog": "", "minds": minds}
    return EpisodeStarted(setup=setup, **own | fields)


class Table:
    """Keeps the history of an episode."""

    def __init__(self, setup: Setup) -> None:
        self.started = begun(setup)
        self.history: list[Event] = []
        self.state: EpisodeState = INITIAL
        self._do(Begin(started=self.started))

    def _do(self, command: Any) -> None:
        for event in decide(self.state, command):
            self.history.append(event)
            self.state = evolve(self.state, event)

    @property
    def question(self) -> Any:
        """The question that is open."""
        return self.state.open[0].question

    def answer(self, action: Action, failure: ActionFailure | None = None) -> None:
        """Answer it. Raises ``CommandRefused``."""
        asked = self.state.open[0].id
        turn = self.state.turn
        self._do(TakeAction(seat=0, turn=turn, question=asked, action=action, failure=failure))

    def play(self, by: Callable[[Question], Action]) -> None:
        """Answer all that is asked."""
        while self.state.open:
            self.answer(by(self.question))

    @property
    def summary(self) -> dict[str, Any]:
        """That of the end."""
        return self.history[-1].summary  # type: ignore[attr-defined,no-any-return]
