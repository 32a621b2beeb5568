"""The interface of minds: a mind gets an observation and a question, and returns an action."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

import msgspec

from actors.episodes.port.game import AnyGame
from actors.models.recording.call_log import BranchingRecorder
from events.environments import Action, Question
from events.episode import ActionFailure
from events.minds import MindSpec
from events.thoughts import Decided


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
    action: Action
    """Where the mind gave nothing usable, the game's *nothing*."""
    failure: ActionFailure | None = None
    """Why it did not."""


class Journal(BranchingRecorder, Protocol):
    """An agent's stream, as its mind writes and reads it."""

    def decisions(self) -> Sequence[Decided]:
        """What the seat's minds decided before this question, with their thoughts, oldest first;
        in a fork with those of the past that it shares. Only ever longer."""
        ...

    def conclude(self, decided: Decided) -> Awaitable[object]:
        """Append what was concluded, beginning now; await it to know that it is durable."""
        ...


class Mind(Protocol):
    """What decides for an agent.

    One that has ``at_once = True`` may be asked all questions of a turn at the same time, each with
    a scene and a journal of its own: its ``decide`` reads the scene before it first waits.
    """

    async def decide(self, scene: Scene, calls: Journal) -> Decision:
        """The answer to the scene's question.

        A mind that thinks concludes what it thought before it answers; one that finds the question
        decided on already in its journal answers the same again.

        Model calls go through ``calls``, so that what was paid for once is never asked again.
        Raises ``actors.models.errors.BudgetSpent`` where the run may spend no more, and nothing
        else for what a model may do wrong: that comes back as ``Decision.failure``.
        """
        ...


def decided_on(scene: Scene, journal: Journal) -> Decision | None:
    """What was answered to a scene's question before a crash, or by who sat there before; None: it
    was not decided on."""
    asked = (scene.turn, scene.question_id)
    for one in reversed(journal.decisions()):
        if (one.turn, one.question) == asked:
            return Decision(action=one.action, failure=one.failure)
        if one.turn < scene.turn:
            break
    return None


MakeMind = Callable[[MindSpec, AnyGame, int, str], Mind]
"""Makes the local mind of a specification: for a game, a seat and a run."""
