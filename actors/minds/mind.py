"""The port every mind is behind: it is shown a scene and answers with an action."""

from typing import Protocol

import msgspec

from actors.models.recording import CallRecorder
from events.episode import Action, ActionFailure
from events.messages import Background, SeenAction


class Scene(msgspec.Struct, kw_only=True):
    """All that one seat may know when it is asked to act. The agent keeps one and adds to it."""

    background: Background
    seen: list[SeenAction]
    """All the seat noticed so far, in order. Only ever appended to."""
    turn: int
    """The turn to act in: 1, 2, 3, …"""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What a mind decided. Where it gave nothing usable the action is ``none`` and says why."""

    action: Action
    failure: ActionFailure | None = None


class Mind(Protocol):
    """What decides for an agent."""

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """The action for this turn.

        Model calls go through ``calls``, so that what was paid for once is never asked again.
        Raises ``actors.models.errors.BudgetSpent`` where the run may spend no more, and nothing
        else for what a model may do wrong: that comes back as ``Decision.failure``.
        """
        ...
