"""Questions as they are sent to a person."""

from actors.episodes.port.game import AnyGame
from events.episode import Asked
from events.wire.messages import Posed
from gateway.services.viewers.frames import PosedQuestion


def posed_question(game: AnyGame, background: object, asked: Asked | Posed) -> PosedQuestion:
    """A question to a seat with all that a form for it is made of."""
    wording = game.people.wording(asked.question, background)
    return PosedQuestion(
        id=asked.id,
        question=asked.question,
        text=wording.lead,
        options=wording.options,
        hint=wording.hint,
        answer_schema=game.prompts.schema(asked.question, background),
    )
