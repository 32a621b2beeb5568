"""An evaluation: one judge's scores of one episode. Stream ``evaluation-<id>``."""

from typing import Final, Literal

from events.base import Event, Value
from events.minds import ModelSpec

JudgeKind = Literal["model", "rehearsal", "rule", "imported"]
DEFAULT_RUBRIC: Final = "sotopia"
"""The rubric of a judge that names none."""


class Dimension(Value, frozen=True, kw_only=True):
    """One thing that is scored, and its range."""

    name: str
    """A word of letters, digits and ``_``."""
    low: float
    """The least a score may be."""
    high: float
    """The most a score may be."""
    description: str = ""
    """What a judge is told to look for."""


class JudgeSpec(Value, frozen=True, kw_only=True):
    """A configured evaluator."""

    name: str
    """How tables call it."""
    kind: JudgeKind
    """``rule``: decided by fixed rules on what was said and done. ``imported``: the scores came
    with an episode that was simulated elsewhere."""
    dimensions: tuple[Dimension, ...]
    """What it scores, in this order."""
    model: ModelSpec | None = None
    """For ``model``; its temperature is 0 unless the judge's file says otherwise."""
    prompt_version: str = ""
    """Name and fingerprint of the rubric's template."""
    temper: str = ""
    """For ``rehearsal``: one of the rubric's."""
    seed: int = 0
    """For ``rehearsal``: decides what chance would."""
    rubric: str = DEFAULT_RUBRIC
    """The name of what it judges by; ``evaluators.registry`` knows which there are."""
    past_tokens: int = 0
    """Tokens, as counted here, of earlier episodes of the chain that a model is shown at most; the
    oldest are left out first. 0: it is shown none."""


class EvaluationStarted(Event, frozen=True, kw_only=True):
    """A judge began to read an episode."""

    episode: str
    """The episode's id."""
    upto: int
    """The last event number of the episode's history that is judged."""
    judge: JudgeSpec
    """The whole judge, so that later changes of its file do not change the past."""
    judge_hash: str
    """Fingerprint of the whole specification; same hash, same judge."""
    run: str = ""
    """Empty when it belongs to no run."""


class Scored(Event, frozen=True, kw_only=True):
    """A value for one seat in one dimension."""

    SCHEMA = 2

    seat: int
    """From 0."""
    dimension: str
    """Its name."""
    value: float
    """In the dimension's range."""
    reason: str = ""
    """The judge's, in its words."""
    evidence: tuple[int, ...] = ()
    """Event numbers of the episode's history that the score rests on."""
    quotes: tuple[str, ...] = ()
    """Words that the score rests on, as they stand there."""


class ScoreFailed(Event, frozen=True, kw_only=True):
    """No value could be had; the score is missing, not zero."""

    SCHEMA = 2

    seat: int
    """From 0."""
    dimension: str
    """Its name."""
    error: str
    """Why there is none."""
    raw: str = ""
    """What the judge answered."""


class ScoreAbstained(Event, frozen=True, kw_only=True):
    """The judge declined to score; the score is missing, not zero."""

    SCHEMA = 2

    seat: int
    """From 0."""
    dimension: str
    """Its name."""
    reason: str = ""
    """The judge's, in its words."""


class EvaluationEnded(Event, frozen=True, kw_only=True):
    """The judge is done."""

    scored: int
    """How many scores have a value."""
    failed: int
    """How many failed."""
    abstained: int
    """How many the judge declined."""


class EvaluationFailed(Event, frozen=True, kw_only=True):
    """The evaluation was given up after its actor failed again and again."""

    reason: str
    """What went wrong, as a sentence."""
    attempts: int
    """How often it was tried."""


class EvaluationReopened(Event, frozen=True, kw_only=True):
    """Somebody who has mended what was wrong has an evaluation that was given up go on after
    all."""

    detail: str = ""
    """Who asked for it."""
