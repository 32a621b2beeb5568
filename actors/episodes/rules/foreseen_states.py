"""States that the rules compute while they decide: once the events are stored, these are the
episode's states, and none is computed twice."""

from collections.abc import Callable, Sequence

from actors.episodes.rules.state import EpisodeState, evolve
from events.base import Event


class ForeseenStates:
    """The states after the events that one decision leads to, the oldest first."""

    __slots__ = ("_steps", "_witness", "last")

    def __init__(self, witness: Callable[[EpisodeState], None] | None = None) -> None:
        """``witness`` is told every state that the episode comes into, for checks of replays."""
        self._witness = witness
        self._steps: list[tuple[EpisodeState, Event, EpisodeState]] = []
        """Each with the state and the event that it follows from."""
        self.last: EpisodeState | None = None
        """The latest; None: none is left."""

    def clear(self) -> None:
        """Forget those of a decision whose events were not stored."""
        self._steps.clear()
        self.last = None

    def foresee(self, state: EpisodeState, event: Event) -> EpisodeState:
        """The state after an event that is not stored yet: what the rules are given as
        ``evolve``."""
        self.last = after = evolve(state, event)
        self._steps.append((state, event, after))
        return after

    def after(self, state: EpisodeState, stored: Sequence[Event]) -> EpisodeState:
        """The state after events that are stored now. What was foreseen is their beginning, or of
        a decision that came to nothing; it is forgotten."""
        steps = self._steps
        if steps:
            self._steps, self.last = [], None
        known, witness = 0, self._witness
        for (before, foreseen, after), event in zip(steps, stored, strict=False):
            if before is not state or foreseen is not event:
                break
            state = after
            known += 1
            if witness is not None:
                witness(state)
        for event in stored[known:]:
            state = evolve(state, event)
            if witness is not None:
                witness(state)
        return state
