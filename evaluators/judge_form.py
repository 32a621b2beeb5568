"""What a rubric asks of a model about one episode, and how the answer to it is read."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from actors.episodes.environment import Entry, Portrait
from actors.models.schemas import Schema, object_schema, or_null
from evaluators.judge_answer import Outcome, Outcomes, read_score, seat_key
from evaluators.judge_prompts import JudgePrompt
from evaluators.judged_episode import History, JudgedEpisode
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


class ScoreForm:
    """A number with a reason for every dimension."""

    def __init__(
        self, spec: JudgeSpec, material: Mapping[str, Any], numbers: Sequence[int]
    ) -> None:
        """``material``: the episode, as the template wants it; ``numbers``: the event numbers that
        may be given as evidence."""
        self.asked: Sequence[Dimension] = spec.dimensions
        self.material = material
        self.numbers = frozenset(numbers)

    def question(self, prompt: JudgePrompt) -> str:
        """The episode, the rubric and the form of the answer."""
        return prompt.question(**self.material, dimensions=ranged(self.asked))

    def schema(self, dimension: Dimension) -> Schema:
        """A reason, the numbers it rests on, and a number in the dimension's range or null."""
        kind = "integer" if dimension.integer else "number"
        score = {"type": kind, "minimum": dimension.low, "maximum": dimension.high}
        return object_schema({**REASONED, "score": or_null(score)})

    def read(self, seat: int, dimension: Dimension, answer: Any) -> Outcome:
        """A score with its reason."""
        return read_score(seat, dimension, answer, numbers=self.numbers)

    def complete(self, found: Outcomes) -> Outcomes:
        """Nothing is worked out."""
        return found


def score_form(spec: JudgeSpec, episode: JudgedEpisode, _past: Sequence[History] = ()) -> ScoreForm:
    """Asks about an episode of any environment, by its account; looks at nothing earlier."""
    account = episode.account
    material = {
        "situation": inert(account.situation),
        "seats": [_seat(portrait) for portrait in account.portraits],
        "notes": [(inert(heading), inert(text)) for heading, text in account.notes],
        "transcript": [_happened(entry) for entry in account.entries],
        "ending": inert(account.ending),
    }
    return ScoreForm(spec, material, [entry.number for entry in account.entries])


def ranged(dimensions: Sequence[Dimension]) -> list[dict[str, str]]:
    """Dimensions, for a template."""
    return [
        {
            "name": dimension.name,
            "low": f"{dimension.low:g}",
            "high": f"{dimension.high:g}",
            "description": dimension.description,
            "kind": "a whole number" if dimension.integer else "a number",
        }
        for dimension in dimensions
    ]


def inert(text: str) -> str:
    """The text with the tags that end the material taken out of it."""
    for tag in ("episode", "earlier"):
        text = text.replace(f"</{tag}>", f"(/{tag})")
    return text


def one_line(text: str) -> str:
    """The text, inert and with its further lines indented, so that none of them can pass for an
    entry of its own."""
    return inert(text).replace("\n", "\n    ")


def _seat(portrait: Portrait) -> dict[str, Any]:
    return {
        "key": seat_key(portrait.seat),
        "name": inert(portrait.name),
        "facts": [inert(f"{what}: {value}") for what, value in portrait.facts],
        "secret": inert(portrait.secret),
        "goal": inert(portrait.goal),
    }


def _happened(entry: Entry) -> dict[str, Any]:
    return {"number": entry.number, "turn": entry.turn, "what": one_line(entry.line)}
