"""The rules of a game, as pure functions over the game's own types."""

import abc
from typing import Final, Generic, TypeVar

import msgspec

from events.base import Value
from events.environments import Action, Change, Question, Setup
from events.episode import ActionFailure, ActionTaken, Asked, TurnOpened, WorldChanged

S = TypeVar("S", bound=Setup)
W = TypeVar("W")
"""A game's own state: an immutable value."""
Q = TypeVar("Q", bound=Question)
A = TypeVar("A", bound=Action)

Happening = TurnOpened | ActionTaken | WorldChanged
"""What a game's state follows from, after the setup."""


class Ask(Value, frozen=True, kw_only=True):
    """What comes next: these questions, together, as the next turn."""

    asked: tuple[Asked, ...]


class Foregone(Value, frozen=True, kw_only=True):
    """What comes next: a turn of one seat whose answer is known, as where a script was written."""

    asked: Asked
    action: Action


class End(Value, frozen=True, kw_only=True):
    """What comes next: the end."""

    reason: str
    """One of the environment's ``endings``."""
    summary: dict[str, str | int | float | bool] = msgspec.field(default_factory=dict)
    """What lists say of the episode, by a short name."""


Step = Ask | Foregone | End | Change


class Rules(abc.ABC, Generic[S, W, Q, A]):
    """What a setup must be, what is an answer, and what comes next."""

    @abc.abstractmethod
    def setup_fault(self, setup: S, seats: int) -> str | None:
        """Why an episode of ``seats`` seats cannot be played with this setup, as a sentence; None
        if it can."""

    @abc.abstractmethod
    def initial(self, setup: S) -> W:
        """The state of the world before the first turn."""

    @abc.abstractmethod
    def evolve(self, world: W, event: Happening) -> W:
        """The state after one more event."""

    @abc.abstractmethod
    def next_step(self, world: W) -> Step:
        """What comes next, now that no question is open: a change of the world (and then what
        comes next is asked again), a turn, or the end. After a turn whose answer is known,
        too, it is asked again."""

    @abc.abstractmethod
    def action_fault(self, question: Q, action: A, seat: int, seats: int) -> str | None:
        """Why an action is no answer to a question, as half a sentence; None if it is one. An
        action may be any of the environment's."""

    @abc.abstractmethod
    def nothing(self, question: Q) -> A:
        """What is recorded for a seat whose mind gave no answer. It comes with the failure."""


class Recording(Generic[Q, A]):
    """How what happens is recorded, where the rules do not take it as it comes."""

    def canonical(self, question: Q, action: A) -> A:
        """An action that was accepted, as it is recorded."""
        del question
        return action

    def accepts(self, action: A, failure: ActionFailure) -> bool:
        """Whether the rules make something of a failure for which ``action``, a *nothing*, was
        recorded, as where an answer that cannot be read is a vote for nothing. No episode is given
        up for such."""
        del action, failure
        return False

    def narration(self, text: str, seats: tuple[int, ...]) -> Change | None:
        """What a researcher has a narrator say, as a change of the world that changes no open
        question: who notices it are ``seats``, from 0, in their order; none: everybody. None: there
        are no narrators in this game."""
        del text, seats
        return None


AS_IT_COMES: Final = Recording[Question, Action]()
