"""The form of a judge that asks a model several questions about one episode, of which later ones
rest on the answers to earlier ones."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from actors.models.response_formats.schemas import Schema
from evaluators.judges.judge_answer import Outcome


class SeriesQuestion(NamedTuple):
    key: str
    """By which its answer is known; different from all others'."""
    text: str
    schema: Schema
    read: Callable[[str, str], object]
    """What an answer says, as ``actors.models.answers.ask.Read``. Raises ``Unreadable``."""


class NotAnswered(NamedTuple):
    """A question to which no answer could be used, however often it was put."""

    why: str
    raw: str
    """The last answer that said something."""


class ExpectedQuestion(NamedTuple):
    """A question of an episode that is not played yet, for forecasts."""

    text: str
    """As far as it is known."""
    least: int
    """Tokens that what is said in the episode adds to it at least."""
    most: int
    """And at most."""
    answer: int
    """Tokens of a short answer."""


Answers = Mapping[str, object]
"""By the question's key what its ``read`` made of the answer, or ``NotAnswered``."""


class QuestionSeries(Protocol):
    """The questions about one episode. Pure: the same answers, the same questions."""

    def expected(self) -> Sequence[ExpectedQuestion]:
        """The most questions that there can be; of an episode of which only the beginning is
        known."""
        ...

    def ready(self, answers: Answers) -> Sequence[SeriesQuestion]:
        """The questions that can be put now and have no answer; none: all was asked."""
        ...

    def outcomes(self, answers: Answers) -> Sequence[Outcome]:
        """What is recorded: one outcome for each seat and dimension. What rests on a question that
        has no answer is ``ScoreFailed``."""
        ...
