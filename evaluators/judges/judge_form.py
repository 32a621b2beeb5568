"""What a rubric asks of a model about one episode, and how the answer to it is read."""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import ceil, floor
from typing import Any, Final, NamedTuple, Protocol

from actors.episodes.port.words import Entry, Portrait
from actors.models.response_formats.schemas import (
    Schema,
    list_schema,
    object_schema,
    or_null,
    whole_number,
)
from actors.text.quotes import continued
from evaluators.judges.judge_answer import AnswerBounds, Outcome, Outcomes, read_score, seat_key
from evaluators.judges.judge_prompts import JudgePrompt
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.registry import rubric_of
from events.evaluation import Dimension, JudgeSpec

MOST_EVIDENCE: Final = 10
"""Event numbers that one judgement may give."""


def evidence_schema(numbers: Collection[int], room: AnswerBounds) -> Schema:
    """The schema of which of the ``numbers`` a judgement rests on."""
    if len(numbers) <= room.values:
        number: Schema = {"type": "integer", "enum": sorted(numbers)}
    else:
        number = {"type": "integer", "minimum": min(numbers), "maximum": max(numbers)}
    return list_schema(number, MOST_EVIDENCE)


class Form(Protocol):
    """A rubric's form, made out for one episode."""

    asked: Sequence[Dimension]
    """The dimensions that the model is asked for; none: none is asked, and ``complete`` says what
    is recorded."""
    seats: int | None = None
    """How many seats are judged, from the first on; None: all."""

    def question(self, prompt: JudgePrompt) -> str: ...

    def schema(self, seat: int, dimension: Dimension, room: AnswerBounds) -> Schema:
        """The shape of what stands under a seat and a dimension."""
        ...

    def read(self, seat: int, dimension: Dimension, answer: Any) -> Outcome:
        """What the answer says of a seat in a dimension; ``answer`` is what stands there."""
        ...

    def complete(self, found: Outcomes) -> Outcomes:
        """All that is to be recorded: what was asked for, and what is worked out from it."""
        return found


class NothingAsked(Form):
    """The form of an episode that a rubric has no question about: nothing is recorded."""

    asked: Sequence[Dimension] = ()

    def question(self, prompt: JudgePrompt) -> str:
        """None."""
        raise NotImplementedError

    def schema(self, seat: int, dimension: Dimension, room: AnswerBounds) -> Schema:
        raise NotImplementedError

    def read(self, seat: int, dimension: Dimension, answer: Any) -> Outcome:
        """None."""
        raise NotImplementedError


class ScoreForm(Form):
    """A number with a reason for every dimension."""

    def __init__(
        self, spec: JudgeSpec, material: Mapping[str, object], numbers: Sequence[int]
    ) -> None:
        """``material``: the episode, as the template wants it; ``numbers``: the event numbers that
        may be given as evidence."""
        self.asked: Sequence[Dimension] = spec.dimensions
        self.material = material
        self.numbers = frozenset(numbers)
        self._schemas: tuple[AnswerBounds, Schema, dict[str, Schema]] | None = None
        """What fits into some room: that of evidence, and by dimension."""

    def question(self, prompt: JudgePrompt) -> str:
        """The episode, the rubric and the form of the answer."""
        return prompt.question(**self.material, dimensions=ranged(self.asked))

    def schema(self, seat: int, dimension: Dimension, room: AnswerBounds) -> Schema:
        """A reason, the numbers it rests on, and a number in the dimension's range or null."""
        del seat  # All seats' are alike.
        if self._schemas is None or self._schemas[0] != room:
            self._schemas = room, evidence_schema(self.numbers, room), {}
        _, shown_by, known = self._schemas
        if dimension.name not in known:
            low, high = dimension.low, dimension.high
            score: Schema = {"type": "number", "minimum": low, "maximum": high}
            if dimension.integer:
                score = whole_number(ceil(low), floor(high))
            known[dimension.name] = object_schema(
                {"reason": room.reason, "evidence": shown_by, "score": or_null(score)}
            )
        return known[dimension.name]

    def read(self, seat: int, dimension: Dimension, answer: Any) -> Outcome:
        """A score with its reason."""
        return read_score(seat, dimension, answer, numbers=self.numbers)


def score_form(spec: JudgeSpec, episode: JudgedEpisode, _past: Sequence[History] = ()) -> ScoreForm:
    """Asks about an episode of any environment, by its account; looks at nothing earlier."""
    account, quoting = episode.account, quoting_of(spec)
    material = {
        "situation": quoting.text(account.situation),
        "seats": [_seat(portrait, quoting) for portrait in account.portraits],
        "notes": [(quoting.text(heading), quoting.text(text)) for heading, text in account.notes],
        "transcript": [_happened(entry, quoting) for entry in account.entries],
        "ending": quoting.text(account.ending),
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


class Quoting(NamedTuple):
    """How what is shown of an episode is put into a template."""

    text: Callable[[str], str]
    """What was written for the episode: situation, goals, names."""
    line: Callable[[str], str]
    """What was said and done."""


QUOTED: Final = Quoting(continued, continued)
"""Nothing can begin a line."""


def quoting_of(spec: JudgeSpec) -> Quoting:
    """How the judge's template wants it."""
    prompt = JudgePrompt(rubric_of(spec), spec.prompt_version)
    return QUOTED if prompt.fenced else _AS_IT_WAS


def _inert(text: str) -> str:
    for tag in ("episode", "earlier"):
        text = text.replace(f"</{tag}>", f"(/{tag})")
    return text


def _inert_line(text: str) -> str:
    return _inert(text).replace("\n", "\n    ")


_AS_IT_WAS: Final = Quoting(_inert, _inert_line)
"""For templates whose tags anybody can write; what is asked by them never changes."""


def _seat(portrait: Portrait, quoting: Quoting) -> dict[str, object]:
    return {
        "key": seat_key(portrait.seat),
        "name": quoting.text(portrait.name),
        "facts": [quoting.text(f"{what}: {value}") for what, value in portrait.facts],
        "secret": quoting.text(portrait.secret),
        "goal": quoting.text(portrait.goal),
    }


def _happened(entry: Entry, quoting: Quoting) -> dict[str, object]:
    return {"number": entry.number, "turn": entry.turn, "what": quoting.line(entry.line)}
