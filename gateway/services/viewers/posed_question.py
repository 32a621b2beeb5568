"""Questions as they are sent to a person."""

from typing import Any

from actors.episodes.environment import Environment
from events.episode import Asked
from events.wire.messages import Posed
from gateway.services.viewers.frames import PosedQuestion


def posed_question(
    environment: Environment[Any], background: Any, asked: Asked | Posed
) -> PosedQuestion:
    """A question to a seat with all that a form for it is made of."""
    wording = environment.wording(asked.question, background)
    return PosedQuestion(
        id=asked.id,
        question=asked.question,
        text=wording.lead,
        options=wording.options,
        hint=wording.hint,
        answer_schema=environment.answer_schema(asked.question, background),
    )
