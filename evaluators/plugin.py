"""The interface through which an environment provides its rubrics and judges.

An entry of the group ``troupe.evaluators``, under the environment's name, is a ``Judging``. An
environment without one can be judged by the rubric ``own``. Judge files and tables read the entry,
so its module must not import anything heavy; it refers to code that only judging needs by
``LazyFunction``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from events.base import Event
from events.evaluation import Dimension, JudgeSpec
from events.lazy_function import LazyFunction

if TYPE_CHECKING:
    from pathlib import Path

    from evaluators.guesses import Guesses
    from evaluators.judges.judge_answer import Outcome
    from evaluators.judges.judge_form import Form
    from evaluators.judges.judge_prompts import JudgePrompt
    from evaluators.judges.judged_episode import History, JudgedEpisode
    from evaluators.judges.question_series import QuestionSeries
    from evaluators.report.data.run_data import RunData
    from store.read_model.records import EpisodeRow

OVERALL: Final = "overall"
"""The name of the score that is worked out from others; no rubric has a dimension of this name."""

Scorer = Callable[[JudgeSpec, "JudgedEpisode", Sequence["History"]], "Sequence[Outcome]"]
"""Scores an episode without a language model: one outcome for each seat and dimension. The third
argument holds the earlier episodes of the chain, the first first; reading them blocks. Pure: the
same episodes and judge, the same scores."""

MakeForm = Callable[[JudgeSpec, "JudgedEpisode", Sequence["History"]], "Form"]
"""Makes out for an episode how a language model is asked; the third argument as above. Blocking."""

MakeSeries = Callable[[JudgeSpec, "JudgedEpisode", "JudgePrompt"], "QuestionSeries"]
"""Makes out for an episode the questions that a language model is asked one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """Something that episodes can be judged by."""

    name: str
    """As judge files call it; no two installed rubrics have the same."""
    dimensions: tuple[Dimension, ...] = ()
    """What is scored, in the order in which tables show it; empty: each judge declares its own."""
    whole: bool = False
    """A judge file can neither leave dimensions out nor declare others."""
    checkpoints: frozenset[str] = frozenset()
    """Dimensions that are passed (1) or failed (0)."""
    form: MakeForm | None = None
    """How a language model is asked; None: none can be, or by ``series``. ``ask_for_scores``
    fits any rubric of numbers."""
    series: MakeSeries | None = None
    """How a language model is asked in place of ``form``, where one question is not enough."""
    prompts: str = "evaluators.prompts"
    """The package of its templates."""
    prompt: str = "own-v2"
    """Its newest template: a stem, ``-v`` and a number. Judge files may name those of the same stem
    with a lower number, and those of its ``editions``, which lie in the same package."""
    looks_back: bool = False
    """Its form shows a model the earlier episodes of a chain, within ``JudgeSpec.past_tokens``."""
    rehearsal: Scorer | None = None
    """The offline judge; None: there is none."""
    tempers: tuple[str, ...] = ()
    """How it can judge, by name."""
    rule: Scorer | None = None
    """The judge by fixed rules; None: there is none."""
    kept: frozenset[str] = frozenset()
    """Dimensions that are kept and exported but left out of tables and curves, which show another
    figure made of the same."""
    words: frozenset[str] = frozenset()
    """Dimensions that a person answers with one word, once for a whole episode: its value is 1, and
    the word is the reason. They are ``kept``."""
    optional: frozenset[str] = frozenset()
    """Dimensions that concern only some seats: where the judge abstains, nothing was asked of the
    seat, so no table counts the score as missing."""
    worked_out: tuple[Dimension, ...] = ()
    """Dimensions of it that follow from the others: a person is not asked for them."""
    work_out: Callable[[Dimension, Mapping[str, float]], float | None] | None = None
    """The value of one of ``worked_out``, of values by dimension; None where one is missing."""
    by_absence: frozenset[str] = frozenset()
    """Checkpoints that can fail by something left undone, which leaves nothing to quote."""
    editions: tuple["Rubric", ...] = ()
    """What this rubric was before, the newest first. A judge that was made of one of them, as its
    prompt or else its dimensions tell, is carried out by it for ever (``registry.rubric_of``)."""

    @property
    def asks_models(self) -> bool:
        """Whether a language model can judge by it."""
        return self.form is not None or self.series is not None

    def asks_by(self, prompt: str) -> bool:
        """Whether a template, given by name, is this edition's newest or an older one of it."""
        stem, number = split_prompt(self.prompt)
        other, at = split_prompt(prompt)
        return other == stem and 0 < at <= number

    def edition(self, prompt: str) -> "Rubric":
        """The edition that is asked by a template, given by name: the oldest that can be; this one
        where none is."""
        return next((old for old in reversed(self.editions) if old.asks_by(prompt)), self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overall:
    """A score worked out from others. It is there only where all of them are: a figure over fewer
    is on another scale."""

    dimensions: tuple[Dimension, ...]
    low: float
    high: float
    of: Callable[[Mapping[str, float]], float]
    """The score, of a value for each of the dimensions."""
    short: str
    """What it is, for the head of a column: ``mean of 7``."""
    sentence: str
    """What it is, for readers of a report."""

    def fits(self, asked: Iterable[str]) -> bool:
        """Whether there could be one where these dimensions are judged."""
        return {dimension.name for dimension in self.dimensions} <= set(asked)

    def value(self, values: Mapping[str, float]) -> float | None:
        """The score; None where one that it needs is missing."""
        if any(dimension.name not in values for dimension in self.dimensions):
            return None
        return self.of(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSection:
    """A part of a run's report that one environment fills."""

    id: str
    """The anchor: a word in lower case."""
    title: str
    """As the page's navigation calls it."""
    package: str
    """The package of the template."""
    template: str
    """A file of Jinja's, for HTML; ``macros.html.j2`` and the filters of
    ``evaluators.report.formats`` are at hand, and ``in_page``: the episodes whose transcripts are
    in the same page, each at ``#<id>-top``."""
    data: Callable[
        ["RunData", Iterable[tuple["EpisodeRow", Sequence[Event]]]], Mapping[str, object]
    ]
    """What the template is filled in with: of a run, and its episodes with their histories, which
    are read as they are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatorPlugin:
    """All that evaluators know of an environment."""

    environment: str
    """Its name; empty: of any environment."""
    rubrics: tuple[Rubric, ...] = ()
    judges: tuple[JudgeSpec, ...] = ()
    """Judges that need no file."""
    continuing: tuple[JudgeSpec, ...] = ()
    """Judges that join a run whose chains go on with scenarios made of their past."""
    overall: Overall | None = None
    first: tuple[str, ...] = ()
    """Dimensions whose curves a report shows at once; those of others are folded away. Empty:
    all."""
    report: ReportSection | None = None
    abbreviations: Mapping[str, str] = field(default_factory=dict)
    """Short names of dimensions, for tables that have no room for long ones."""
    follow_ups: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By a judge's name, what is worth a look after a run that it scored: a command of the
    environment's, to be followed by the run, and what it shows."""
    guesses: "Callable[[Sequence[Event], Path], Guesses | None] | None" = None
    """What a watcher of the environment's guesses of an episode, whose history is given from its
    beginning to the event that is looked at: for the stage of researchers alone. The second
    argument is a folder that the operator may put the environment's files into, which need not
    exist. None, from it: it has no guesses of such an episode. Blocking."""
    next_steps: "Callable[[Sequence[EpisodeRow]], Iterable[tuple[str, str]]] | None" = None
    """After a run of which some episodes are given, the environment's own commands, each to be
    followed by the run, and what it shows; they stand in the place of a second judge. None: it has
    none."""


def split_prompt(prompt: str) -> tuple[str, int]:
    """A template's name as stem and number: ``own`` and 1 of ``own-v1``; 0 where it has none."""
    stem, _, number = prompt.rpartition("-v")
    return stem, int(number) if number.isdecimal() else 0


def mean_of(dimensions: Sequence[Dimension], short: str, sentence: str) -> Overall:
    """The plain mean of some dimensions."""
    return Overall(
        dimensions=tuple(dimensions),
        low=sum(dimension.low for dimension in dimensions) / len(dimensions),
        high=sum(dimension.high for dimension in dimensions) / len(dimensions),
        of=lambda values: sum(values[d.name] for d in dimensions) / len(dimensions),
        short=short,
        sentence=sentence,
    )


ask_for_scores: Final[MakeForm] = LazyFunction("evaluators.judges.judge_form:score_form")
"""For any environment: a number with a reason for each seat and dimension, over the episode's
account."""
