"""Decisions on the commands of one episode, several at once where answers to one turn wait."""

from collections.abc import Callable, Iterator, Sequence

from actors.episodes.delivery.command_actions import read_action, read_actions
from actors.episodes.rules.answers import edit_action, take_action, take_actions
from actors.episodes.rules.decide import Continue, EpisodeCommand, Start, decide
from actors.episodes.rules.foreseen_states import ForeseenStates
from actors.episodes.rules.state import EpisodeState
from actors.episodes.views.inconsistent_history import OddHistory
from actors.runtime.actors.inbox import AnyEnvelope, LoopInbox
from actors.runtime.errors import CommandRefused
from events.base import Event
from events.episode import EpisodeFailed
from events.wire.messages import EditAction, TakeAction, TakeActions


class Decisions:
    """What the commands of one episode lead to.

    ``foreseen`` has the states after the events of the last decision, until they are stored or the
    next one is made.
    """

    __slots__ = ("foreseen", "odd")

    def __init__(self, witness: Callable[[EpisodeState], None] | None = None) -> None:
        """``witness``: as of ``ForeseenStates``."""
        self.foreseen = ForeseenStates(witness)
        self.odd: OddHistory | None = None
        """Why the episode can neither be told nor gone on with."""

    def decide(
        self,
        state: EpisodeState,
        command: EpisodeCommand | TakeActions,
        inbox: LoopInbox,
        on_refusal: Callable[[CommandRefused], None],
    ) -> Sequence[Event]:
        """The events that a command leads to, and with an answer those that wait behind it in the
        inbox: answers to one turn come together, and are appended at once. If they are not stored
        after all, their seats are asked again.

        An episode that has begun is gone on with, not begun again, and one that cannot begin is
        given up: who has it begin waits for no reply. Raises ``CommandRefused``; ``on_refusal`` is
        called with what is refused beside what is taken.
        """
        foreseen = self.foreseen
        if foreseen.last is not None:
            foreseen.clear()
        events: Sequence[Event]
        match command:
            case TakeAction():
                events = take_action(state, read_action(command, state), foreseen.foresee)
            case TakeActions():
                events = self._take_all(state, command, on_refusal)
            case EditAction():
                events = edit_action(state, read_action(command, state), foreseen.foresee)
            case Start() | Continue():
                events = self._go_on(state, command)
            case _:
                events = decide(state, command, foreseen.foresee)
        last = foreseen.last
        if last is not None and last.unanswered and not inbox.empty():
            return (*events, *self._waiting_answers(last, inbox, on_refusal))
        return events

    def _go_on(self, state: EpisodeState, command: Start | Continue) -> Sequence[Event]:
        if isinstance(command, Start) and state.started is None:
            try:
                return decide(state, command, self.foreseen.foresee)
            except CommandRefused as refused:
                return (EpisodeFailed(reason=str(refused), attempts=0),)
        if self.odd is not None and state.ended is None:
            return (EpisodeFailed(reason=str(self.odd), attempts=0),)
        return decide(state, Continue(), self.foreseen.foresee)

    def _take_all(
        self,
        state: EpisodeState,
        command: TakeActions,
        on_refusal: Callable[[CommandRefused], None],
    ) -> list[Event]:
        """Raises ``CommandRefused`` where no answer is taken because one was refused."""
        events, refusals = take_actions(state, read_actions(command, state), self.foreseen)
        refusal = refusals.pop() if refusals and not events else None
        for one in refusals:
            on_refusal(one)
        if refusal is not None:
            raise refusal
        return events

    def _waiting_answers(
        self,
        state: EpisodeState,
        inbox: LoopInbox,
        on_refusal: Callable[[CommandRefused], None],
    ) -> Iterator[Event]:
        for envelope in inbox.take(_is_answer):
            try:
                match envelope.message:
                    case TakeActions() as answers:
                        yield from self._take_all(state, answers, on_refusal)
                    case answer:
                        answer = read_action(answer, state)
                        yield from take_action(state, answer, self.foreseen.foresee)
            except CommandRefused as refused:
                on_refusal(refused)
            if self.foreseen.last is not None:
                state = self.foreseen.last


def _is_answer(envelope: AnyEnvelope) -> bool:
    """Whether somebody who waits for no reply answers a question."""
    return envelope.reply_to is None and isinstance(envelope.message, TakeAction | TakeActions)
