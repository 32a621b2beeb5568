"""The answers of one seat to its episode: sent, and sent again when a question is repeated."""

from collections.abc import Sequence

import msgspec

from actors.episodes.mind import Decision, Scene
from actors.episodes.port.game import AnyGame
from actors.episodes.registry import environment_named
from actors.episodes.rules.consequences import NotInVocabulary
from actors.runtime.bus.nats_bus import Bus, head_of
from actors.runtime.spans import TurnKey, tracing
from events.episode import ActionFailure
from events.serialization.codec import encode
from events.untrusted.limits import MOST_COMMAND_BYTES, MOST_DETAIL, MOST_RAW
from events.wire import subjects
from events.wire.messages import Answer, Look, Observation, Posed, TakeAction, TakeActions

Given = tuple[Posed, TakeAction]
"""A question, and what is answered to it."""


class SeatAnswers:
    """What a seat answered in the turn that it was asked in last, and how that gets to the
    episode."""

    __slots__ = ("_bus", "_episode", "_game", "_given", "_head", "_seat", "_turn")

    def __init__(self, bus: Bus, episode: str, seat: int, game: AnyGame) -> None:
        self._bus, self._episode, self._seat, self._game = bus, episode, seat, game
        self._head = head_of(subjects.inbox(bus.space, "episode", episode))
        self._turn = 0
        """0: it was not asked yet."""
        self._given: dict[int, TakeAction] = {}
        """By question."""

    def clear(self) -> None:
        """Another mind has the seat: what was answered is not its answer."""
        self._turn, self._given = 0, {}

    def left(self, observation: Observation) -> Sequence[Posed]:
        """The questions that were not answered yet. Those that were are answered again: the episode
        repeats what went unanswered, so the answer was lost on the way."""
        turn: int = observation.turn
        questions: Sequence[Posed] = observation.questions
        if self._turn > turn:
            return ()
        if self._turn < turn:
            self._turn, self._given = turn, {}
            return questions
        for posed in questions:
            if posed.id in self._given:
                self._send(self._given[posed.id])
        return [posed for posed in questions if posed.id not in self._given]

    def give(self, given: Sequence[Given]) -> None:
        """Answer some questions of the turn, in one message where they fit into it."""
        if len(given) > 1:
            data = encode(_together([answer for _, answer in given]))
            if len(data) <= MOST_COMMAND_BYTES:
                for posed, answer in given:
                    self._given[posed.id] = answer
                if tracing.sink is not None:
                    key = TurnKey(self._episode, given[0][1].turn, self._seat)
                    tracing.sent("TakeActions", key)
                self._bus.send(self._head, data)
                return
        for posed, answer in given:
            data = encode(answer)
            if len(data) > MOST_COMMAND_BYTES:
                most = f"{MOST_COMMAND_BYTES:,} at most"
                detail = f"the action has {len(data):,} bytes; it may have {most}"
                failure = ActionFailure(reason="mind_error", detail=detail)
                nothing = self._game.rules.nothing(posed.question)
                answer = msgspec.structs.replace(answer, action=nothing, failure=failure)
                data = encode(answer)
            self._given[posed.id] = answer
            if tracing.sink is not None:
                tracing.sent("TakeAction", TurnKey(self._episode, answer.turn, self._seat))
            self._bus.send(self._head, data)

    def fail(self, turn: int, questions: Sequence[Posed], failure: ActionFailure) -> None:
        """Say why some questions of a turn have no answer."""
        nothing = self._game.rules.nothing
        self.give(
            [
                (
                    posed,
                    TakeAction(
                        seat=self._seat,
                        turn=turn,
                        question=posed.id,
                        action=nothing(posed.question),
                        failure=failure,
                    ),
                )
                for posed in questions
            ]
        )

    def look(self) -> None:
        """Ask for everything that the seat may know."""
        self._send(Look(seat=self._seat))

    def _send(self, command: TakeAction | Look) -> None:
        self._bus.send(self._head, encode(command))


def answer_to(scene: Scene, decision: Decision, game: AnyGame) -> TakeAction:
    """What is answered to a scene's question."""
    question, fault = scene.question, None
    if decision.failure is None:
        name, action = game.environment, decision.action
        if type(action) in environment_named(name).vocabulary.actions:
            fault = game.rules.action_fault(question, action, scene.seat, scene.seats)
        else:
            # The episode could not read it, and would ask again and again.
            fault = str(NotInVocabulary(name, action, "actions"))
    if fault is not None:
        # The episode would refuse it, and ask again, and be answered the same. A model has been
        # asked to mend it.
        failure = ActionFailure(reason="mind_error", detail=fault)
        decision = Decision(action=game.rules.nothing(question), failure=failure)
    return TakeAction(
        seat=scene.seat,
        turn=scene.turn,
        question=scene.question_id,
        action=decision.action,
        failure=None if decision.failure is None else _bounded(decision.failure),
    )


def _together(given: Sequence[TakeAction]) -> TakeActions:
    first = given[0]
    answers = [
        Answer(question=one.question, action=one.action, failure=one.failure) for one in given
    ]
    return TakeActions(seat=first.seat, turn=first.turn, answers=tuple(answers))


def _bounded(failure: ActionFailure) -> ActionFailure:
    """A failure without what is more of it than a command may hold."""
    if len(failure.detail) <= MOST_DETAIL and len(failure.raw) <= MOST_RAW:
        return failure
    return msgspec.structs.replace(
        failure, detail=failure.detail[:MOST_DETAIL], raw=failure.raw[:MOST_RAW]
    )
