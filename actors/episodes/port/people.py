"""How a person at a keyboard is asked a question, and how the typed answer is read."""

from typing import Generic, TypeVar

from actors.episodes.port.prompts import Prompts
from actors.episodes.port.sight import Notice
from actors.episodes.typed_answers import Wording, answer_text, plain_wording
from events.environments import Action, Question

Q = TypeVar("Q", bound=Question)
A = TypeVar("A", bound=Action)
B = TypeVar("B")
N = TypeVar("N", bound=Notice)


class PeoplePrompts(Generic[Q, A, B, N]):
    """By the JSON Schema of the answer; a game that has better words brings a subclass."""

    def __init__(self, prompts: Prompts[Q, A, B, N]) -> None:
        self.prompts = prompts

    def wording(self, question: Q, background: B) -> Wording:
        """What is asked, what can be chosen from, and how it is typed."""
        return plain_wording(question, self.prompts.schema(question, background))

    def typed(self, question: Q, background: B, text: str) -> A:
        """The action that a line means which a person has typed. Raises ``ValueError`` with what is
        wrong, for the person to mend."""
        schema = self.prompts.schema(question, background)
        return self.prompts.read(question, background, answer_text(text, schema), "person")

    def carried_over(self, question: Q, action: A, other: Q) -> A | None:
        """What a person who answered one question so is taken to answer to another one of the same
        turn, where that asks the same in other words; None: they are asked."""
        del question, action, other
        return None
