"""An evaluation: one judge's scores of one episode. Stream ``evaluation-<id>``."""

from typing import Final, Literal

from events.base import Event, Value
from events.minds import ModelSpec, Offline

JudgeKind = Literal["model", "rehearsal", "rule", "imported", "person"]
DEFAULT_RUBRIC: Final = "sotopia"
"""The rubric of a judge that names none."""


class Dimension(Value, frozen=True, kw_only=True):
    """One thing that is scored, and its range."""

    name: str
    """How scores, tables and files call it."""
    low: float
    """The least value there is."""
    high: float
    """The greatest value there is."""
    description: str = ""
    """What a judge is told to look for."""
    integer: bool = False
    """Only whole numbers are values."""


class JudgeSpec(Value, frozen=True, kw_only=True):
    """A configured evaluator."""

    name: str
    """How tables call it."""
    kind: JudgeKind
    """``rule``: decided by fixed rules on what was said and done. ``imported``: the scores came
    with an episode that was simulated elsewhere. ``person``: an annotator gave them
    (``events.annotation``)."""
    dimensions: tuple[Dimension, ...]
    """What it scores."""
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

    @property
    def offline(self) -> Offline:
        """Whether it is a rehearsal or a local model: its scores check the machinery."""
        if self.kind == "rehearsal":
            return "rehearsal"
        return "local" if self.model is not None and self.model.is_local else ""


class EvaluationStarted(Event, frozen=True, kw_only=True):
    """A judge began to read an episode."""

    episode: str
    """The episode's id."""
    upto: int
    """The last event number of the episode's history that is judged."""
    judge: JudgeSpec
    """The whole specification."""
    judge_hash: str
    """Fingerprint of the whole specification; same hash, same judge."""
    run: str = ""
    """The run it is done for; empty: the episode alone was asked for."""
    again_of: str = ""
    """The evaluation by the same judge that it is to better, because scores failed there; empty:
    none. Until it ends that one counts."""


class Scored(Event, frozen=True, kw_only=True):
    """A value for one seat in one dimension."""

    SCHEMA = 2

    seat: int
    """From 0."""
    dimension: str
    """The dimension's name."""
    value: float
    """Within the dimension's range."""
    reason: str = ""
    """Why, in the judge's words."""
    evidence: tuple[int, ...] = ()
    """Event numbers of the episode's history that the score rests on."""
    quotes: tuple[str, ...] = ()
    """Words that the score rests on, as they stand there."""
    evidence_missing: bool = False
    """The judge was asked for such words and gave none that stand there; the value counts."""


class ScoreFailed(Event, frozen=True, kw_only=True):
    """No value could be had; the score is missing, not zero."""

    SCHEMA = 2

    seat: int
    """From 0."""
    dimension: str
    """The dimension's name."""
    error: str
    """Why there is none, as a sentence."""
    raw: str = ""
    """What the judge answered."""


class ScoreAbstained(Event, frozen=True, kw_only=True):
    """The judge declined to score; the score is missing, not zero."""

    SCHEMA = 2

    seat: int
    """From 0."""
    dimension: str
    """The dimension's name."""
    reason: str = ""
    """Why, in the judge's words."""


class EvaluationEnded(Event, frozen=True, kw_only=True):
    """The judge is done."""

    scored: int
    """How many values there are."""
    failed: int
    """How many values could not be had."""
    abstained: int
    """How many values the judge declined to give."""
    supersedes: str = ""
    """The evaluation whose place it takes in tables: the one it was to better, where no more scores
    failed than there. Empty: none."""


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
