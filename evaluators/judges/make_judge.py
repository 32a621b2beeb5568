"""From a judge's specification to the judge."""

import asyncio
from collections.abc import Sequence
from typing import Final, Protocol

from actors.models.answers.ask import UnansweredQuestion, reasks_of
from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from actors.models.recording.call_log import CallRecorder
from evaluators.judges.judge_answer import Judgement, Outcome
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.judges.model_questions import JudgeWithModel
from evaluators.judges.question_series import NotAnswered, SeriesQuestion
from evaluators.plugin import Scorer
from evaluators.registry import rubric_of
from events.base import Event
from events.evaluation import JudgeSpec, Scored, ScoreFailed
from events.untrusted.safe_text import shortened


class Judge(Protocol):
    """What reads an episode and says what each seat was worth."""

    async def evaluate(
        self, history: History, calls: CallRecorder, past: Sequence[History] = ()
    ) -> Sequence[Event]:
        """One ``Scored``, ``ScoreFailed`` or ``ScoreAbstained`` for each seat and dimension.

        ``past`` holds the earlier episodes of the chain, the first first; reading them blocks.
        Model calls go through ``calls``, so that what was paid for once is never asked again.
        Raises ``BudgetSpent`` where the run may spend no more, and nothing else for what a model
        may do wrong: that comes back as ``ScoreFailed``.
        """
        ...


class ScorerJudge:
    """A judge that asks no model."""

    def __init__(self, spec: JudgeSpec, scorer: Scorer) -> None:
        self._spec, self._scorer = spec, scorer

    async def evaluate(
        self, history: History, calls: CallRecorder, past: Sequence[History] = ()
    ) -> Sequence[Event]:
        """What the scorer says. Makes no calls."""
        episode = JudgedEpisode(history)
        if past:  # It may read them.
            found = await asyncio.to_thread(self._scorer, self._spec, episode, past)
        else:
            found = self._scorer(self._spec, episode, past)
        return [_checked(self._spec, outcome) for outcome in found]


def _checked(spec: JudgeSpec, outcome: Outcome) -> Outcome:
    """An outcome, or that there is none where a scorer gave what it may not give."""
    dimension = next((d for d in spec.dimensions if d.name == outcome.dimension), None)
    if dimension is None:
        why = f"the scorer scored {outcome.dimension!r}, which is none of the judge's dimensions"
    elif isinstance(outcome, Scored) and not dimension.low <= outcome.value <= dimension.high:
        low, high = dimension.low, dimension.high
        why = f"the scorer gave {outcome.value:g}; the score must be {low:g} to {high:g}"
    elif isinstance(outcome, Scored) and dimension.integer and outcome.value % 1:
        why = f"the scorer gave {outcome.value:g}; the score must be a whole number"
    else:
        return outcome
    return ScoreFailed(seat=outcome.seat, dimension=outcome.dimension, error=why)


class CannotJudge(ValueError):
    """A specification of which no judge can be made here."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"judge {shortened(name)!r} cannot score anything: {shortened(why, 1_000)}"
        )
        self.name, self.why = name, why


def judge_for(
    spec: JudgeSpec, caller: ModelCaller | None = None, budget: BudgetKeeper | None = None
) -> Judge:
    """The judge that ``spec`` describes; one that asks a model needs ``caller``.

    Raises ``CannotJudge``, ``registry.UnknownRubric``, ``judge_prompts.UnknownPrompt``.
    """
    if spec.kind == "imported":
        why = "its scores came in with episodes that were simulated elsewhere"
        raise CannotJudge(spec.name, why)
    if spec.kind == "person":
        raise CannotJudge(
            spec.name, "it is a person, who scores what an annotation study gives out"
        )
    rubric = rubric_of(spec)
    if spec.kind in ("rehearsal", "rule"):
        scorer = rubric.rehearsal if spec.kind == "rehearsal" else rubric.rule
        if scorer is None:
            raise _no_such(spec)
        if spec.kind == "rehearsal" and spec.temper not in rubric.tempers:
            why = f"there is no temper {spec.temper!r}; there are {', '.join(rubric.tempers)}"
            raise CannotJudge(spec.name, why)
        return ScorerJudge(spec, scorer)
    if spec.model is None:
        raise CannotJudge(spec.name, "a judge of kind 'model' has to name its model")
    if caller is None:
        raise CannotJudge(spec.name, "this process has no caller for models")
    if not rubric.asks_models:
        raise _no_such(spec)
    make = ModelJudge if rubric.series is None else SeriesJudge
    return make(spec, spec.model, rubric, caller, budget)


def _no_such(spec: JudgeSpec) -> CannotJudge:
    return CannotJudge(spec.name, f"the rubric {spec.rubric!r} has no judge of kind {spec.kind!r}")


SHORT: Final = 100
"""Events of an episode whose form is made on the loop: 0.14 ms with 45 of them."""


class ModelJudge(JudgeWithModel):
    """``Judge`` that asks a model; its rubric has a form."""

    async def evaluate(
        self, history: History, calls: CallRecorder, past: Sequence[History] = ()
    ) -> Sequence[Event]:
        """The model's scores. A score that no answer gave is ``ScoreFailed``.

        Raises ``BudgetSpent``.
        """
        episode = JudgedEpisode(history)
        assert self._rubric.form is not None, "who made the judge looked"
        if past or len(history) > SHORT:
            form = await asyncio.to_thread(self._rubric.form, self.spec, episode, past)
        else:  # A change of threads costs more than the form.
            form = self._rubric.form(self.spec, episode, past)
        if not form.asked:  # The episode is none that the rubric is about.
            return list(form.complete({}).values())
        seats = form.seats or episode.seats
        judgement = Judgement(form.asked, seats, form.read, self._prompt.phrases)
        answer = await self._ask(
            form.question(self._prompt),
            judgement.read,
            judgement.schema(form.schema, self._model.max_tokens),
            calls,
            takes_parts=True,
        )
        if isinstance(answer, UnansweredQuestion) and not judgement.found:
            judgement.fail(f"the judge's model gave no answer: {answer.detail}", answer.raw)
        return list(form.complete(judgement.found).values())


class SeriesJudge(JudgeWithModel):
    """``Judge`` that asks a model one question after the other; its rubric has a series."""

    async def evaluate(
        self, history: History, calls: CallRecorder, past: Sequence[History] = ()
    ) -> Sequence[Event]:
        """What follows from all answers.

        Raises ``BudgetSpent``.
        """
        del past
        assert self._rubric.series is not None, "who made the judge looked"
        series = await asyncio.to_thread(
            self._rubric.series, self.spec, JudgedEpisode(history), self._prompt
        )
        answers: dict[str, object] = {}
        while ready := series.ready(answers):
            for question in ready:
                answers[question.key] = await self._answer(question, calls, len(answers))
        return list(series.outcomes(answers))

    async def _answer(self, question: SeriesQuestion, calls: CallRecorder, place: int) -> object:
        """What the model says; ``place``: how many questions were put before."""
        first = place * (1 + reasks_of(self._model))
        answer = await self._ask(question.text, question.read, question.schema, calls, first=first)
        if isinstance(answer, UnansweredQuestion):
            return NotAnswered(answer.detail, answer.raw)
        return answer.value
