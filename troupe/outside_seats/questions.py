"""What a seat is asked, as text, and what an answer in text means: the same as for a model in that
seat."""

from collections.abc import Sequence

from actors.episodes.mind import Scene
from actors.episodes.port.game import AnyGame
from actors.episodes.port.prompts import PromptWriter
from actors.episodes.port.sight import Notice
from actors.minds.model import question_for
from actors.models.answers.ask import ModelQuestion, Unusable, read_reply, reasks_of
from events.agent import ModelAnswered
from events.environments import Action, Question
from events.episode import ActionFailure
from events.minds import ModelSpec
from events.untrusted.limits import MOST_DETAIL, MOST_RAW
from events.wire.messages import Posed, TakeAction

_ASKED = ModelSpec(name="outside")
"""No such model is asked: the caller answers."""


class SeatQuestion:
    """One question to a seat that the caller plays."""

    def __init__(self, game: AnyGame, scene: Scene, writer: PromptWriter[Question, Notice]) -> None:
        self._game, self._scene = game, scene
        self._model: ModelQuestion[Action] = question_for(game, writer, scene, _ASKED)
        self.reasks = reasks_of(_ASKED, self._model.reasks)
        """How often a model is asked again for an answer that cannot be used."""

    @property
    def seat(self) -> int:
        """From 0."""
        return self._scene.seat

    @property
    def turn(self) -> int:
        """From 1."""
        return self._scene.turn

    @property
    def system(self) -> str:
        """Who the seat is, and the rules."""
        return self._model.messages[0].content

    @property
    def user(self) -> str:
        """What has happened, and the question."""
        return self._model.messages[1].content

    @property
    def text(self) -> str:
        """All that a model in that seat would be sent."""
        return f"{self.system}\n\n{self.user}"

    def correction(self, again: int, problems: Sequence[str]) -> str:
        """What a model is told when it is asked for the ``again``-th time, because of
        ``problems``."""
        return self._model.request(_ASKED, again, problems).messages[-1].content

    def read(self, text: str, *, finish_reason: str = "", tokens: int = 0) -> Action | Unusable:
        """What an answer means; what is wrong with it, where it means nothing that the rules allow.
        ``finish_reason``: why a model stopped there; ``tokens``: after how many it has to."""
        reply = ModelAnswered(
            turn=self.turn, attempt=0, request_hash="", text=text, finish_reason=finish_reason
        )
        read = read_reply(self._model, reply, tokens, "outside")
        return read if isinstance(read, Unusable) else read.value

    def taken(self, posed: Posed, text: str, read: Action | Unusable) -> TakeAction:
        """The command that says so. An answer that cannot be used is recorded as a failure, with
        ``text`` as it came."""
        failure = None
        if isinstance(read, Unusable):
            failure = ActionFailure(
                reason=read.fault.reason,
                detail=read.fault.detail[:MOST_DETAIL],
                raw=text[:MOST_RAW],
            )
            read = self._game.rules.nothing(self._scene.question)
        return TakeAction(
            seat=self.seat, turn=self.turn, question=posed.id, action=read, failure=failure
        )
