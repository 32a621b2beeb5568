"""The port every mind is behind: it is shown a scene and a question, and answers with an action."""

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from actors.models.call_log import CallRecorder
from events.environments import Action, Question
from events.episode import ActionFailure
from events.minds import MindSpec


class Scene(msgspec.Struct, kw_only=True):
    """All that one seat may know when it is asked something. The agent keeps one and adds to it."""

    background: Any
    """The environment's own."""
    seen: list[Any]
    """All the seat noticed so far, in order, as the environment's notices. Only ever appended
    to."""
    turn: int
    """The turn to act in: 1, 2, 3, …"""
    question: Question
    """What it is asked; the environment's own."""
    question_id: int = 0
    """Which of the seat's questions in this turn it is."""
    seat: int
    """Whose scene it is, from 0."""
    seats: int
    """How many the episode has."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What a mind decided."""

    action: Action
    """Where the mind gave nothing usable, the environment's *nothing*."""
    failure: ActionFailure | None = None
    """Why it did not."""


class Mind(Protocol):
    """What decides for an agent."""

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """The answer to the scene's question.

        Model calls go through ``calls``, so that what was paid for once is never asked again.
        Raises ``actors.models.errors.BudgetSpent`` where the run may spend no more, and nothing
        else for what a model may do wrong: that comes back as ``Decision.failure``.
        """
        ...


MakeMind = Callable[[MindSpec, str, int, str], Mind]
"""Makes the local mind of a specification: for an environment, a seat and a run."""
