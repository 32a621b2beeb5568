"""What a rubric asks of a model about one episode, and how the answer to it is read."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from actors.models.schemas import Schema, object_schema, or_null
from actors.social.views import View
from evaluators import judge_question
from evaluators.judge_answer import Outcome, Outcomes, read_score
from evaluators.judge_prompts import JudgePrompt
from evaluators.past import History
from events.evaluation import Dimension, JudgeSpec

REASONED: Mapping[str, Schema] = {
    "reason": {"type": "string"},
    "evidence": {"type": "array", "items": {"type": "integer"}},
}
"""What every judgement begins with."""


class Form(Protocol):
    """A rubric's form, made out for one episode."""

    @property
    def asked(self) -> Sequence[Dimension]:
        """The dimensions that the model is asked for."""
        ...

    def question(self, prompt: JudgePrompt) -> str:
        """The whole question."""
        ...

    def schema(self, dimension: Dimension) -> Schema:
        """The shape of what stands under a seat and a dimension."""
        ...

    def read(self, seat: int, dimension: Dimension, answer: Any) -> Outcome:
        """What the answer says of a seat in a dimension; ``answer`` is what stands there."""
        ...

    def complete(self, found: Outcomes) -> Outcomes:
        """All that is to be recorded: what was asked for, and what is worked out from it."""
        ...


class MakeForm(Protocol):
    """Makes a form out for an episode. Blocking: it may have to read earlier ones."""

    def __call__(self, spec: JudgeSpec, view: View, past: Sequence[History], /) -> Form:
        """``view`` is the judge's; ``past`` holds the earlier episodes of the chain."""
        ...


class ScoreForm:
    """A number with a reason for every dimension (SOTOPIA-EVAL, and dimensions of one's own)."""

    def __init__(self, spec: JudgeSpec, view: View, past: Sequence[History] = ()) -> None:
        self.asked: Sequence[Dimension] = spec.dimensions
        self.view = view
        self.numbers = frozenset(line.number for line in view.lines)

    def question(self, prompt: JudgePrompt) -> str:
        """The episode, the rubric and the form of the answer."""
        return prompt.question(
            **judge_question.material(self.view), dimensions=judge_question.rubric(self.asked)
        )

    def schema(self, dimension: Dimension) -> Schema:
        """A reason, the numbers it rests on, and a number in the dimension's range or null."""
        score = {"type": "number", "minimum": dimension.low, "maximum": dimension.high}
        return object_schema({**REASONED, "score": or_null(score)})

    def read(self, seat: int, dimension: Dimension, answer: Any) -> Outcome:
        """A score with its reason."""
        return read_score(seat, dimension, answer, numbers=self.numbers)

    def complete(self, found: Outcomes) -> Outcomes:
        """Nothing is worked out."""
        return found
