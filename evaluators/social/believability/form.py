"""Believability extended as a model is asked for it: a score, eight checkpoints, and for what
failed a quote, unless the fault is that something was left undone."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from actors.models.schemas import Schema, object_schema, or_null
from actors.social.views import View
from evaluators.judge_answer import (
    Outcome,
    Outcomes,
    failed,
    read_evidence,
    seat_key,
    shown,
    why_unreadable,
)
from evaluators.judge_form import REASONED, ScoreForm, quoting_of, ranged
from evaluators.judge_prompts import JudgePrompt
from evaluators.judged_episode import History, JudgedEpisode
from evaluators.quotes import Quoted
from evaluators.registry import rubric_of
from evaluators.social.believability.checkpoints import Checkpoints
from evaluators.social.believability.earlier import Earlier, in_words, look_back
from evaluators.social.believability.extended import with_extended
from evaluators.social.believability.quotes import quotable
from evaluators.social.believability.rubric import PAPER
from evaluators.social.believability.strict_rubric import STRICT
from evaluators.social.briefing import briefing, told
from evaluators.social.material import material
from events.evaluation import Dimension, JudgeSpec, ScoreAbstained, Scored


def paper_form(
    spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]
) -> "BelievabilityForm":
    """``evaluators.judging.MakeForm`` of the rubric ``believability``."""
    prompt = JudgePrompt(rubric_of(spec), spec.prompt_version)
    quoting = quoting_of(spec)

    def told_before(index: int, view: View) -> str:
        return prompt.part("before", index + 1, told(view, quoting))

    return BelievabilityForm(
        spec,
        episode,
        past,
        PAPER,
        briefing(episode, past, quoting),
        look_back(past, spec.past_tokens, told_before),
    )


def strict_form(
    spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]
) -> "BelievabilityForm":
    """The same of the rubric ``believability-strict``."""
    quoting = quoting_of(spec)
    shown = material(episode.view, quoting)
    earlier = look_back(past, spec.past_tokens, partial(in_words, quoting=quoting))
    return BelievabilityForm(spec, episode, past, STRICT, shown, earlier)


class BelievabilityForm(ScoreForm):
    """``evaluators.judge_form.Form`` of a rubric with checkpoints."""

    def __init__(
        self,
        spec: JudgeSpec,
        episode: JudgedEpisode,
        past: Sequence[History],
        rubric: Checkpoints,
        material: Mapping[str, Any],
        earlier: Earlier,
    ) -> None:
        """``material``: the episode, and ``earlier`` what was before it, as the template wants
        them."""
        view = episode.view
        super().__init__(spec, material, [line.number for line in view.lines])
        worked_out = {dimension.name for dimension in rubric.worked_out}
        self.asked = tuple(d for d in spec.dimensions if d.name not in worked_out)
        self._rubric = rubric
        self._earlier = earlier
        self._quotable = quotable(view, earlier.views)
        self._number = len(past) + 1

    def question(self, prompt: JudgePrompt) -> str:
        """What was before, the episode, the rubric and the form of the answer."""
        words = {**self.material, "number": self._number}
        return prompt.question(
            **words,
            dimensions=ranged(self.asked),
            checkpoints=self._rubric.names,
            absent=[d.name for d in self.asked if d.name in self._rubric.by_absence],
            earlier=self._earlier.texts,
            left_out=self._earlier.left_out,
        )

    def schema(self, dimension: Dimension) -> Schema:
        """A score, or whether a checkpoint was passed, with quotes where it was not."""
        if dimension.name not in self._rubric.names:
            return super().schema(dimension)
        quotes = {"type": "array", "items": {"type": "string"}}
        return object_schema({**REASONED, "quotes": quotes, "passed": or_null({"type": "boolean"})})

    def read(self, seat: int, dimension: Dimension, answer: Any) -> Outcome:
        """A score, or a checkpoint that was passed, failed or declined."""
        if dimension.name not in self._rubric.names:
            return super().read(seat, dimension, answer)
        why = why_unreadable(answer, "passed")
        if why:
            return failed(seat, dimension, why, answer)
        reason, passed = answer["reason"].strip(), answer["passed"]
        evidence = read_evidence(answer, self.numbers)
        if passed is None:
            return ScoreAbstained(seat=seat, dimension=dimension.name, reason=reason)
        if not isinstance(passed, bool):
            why = f"passed must be true, false or null, is {shown(passed)}"
            return failed(seat, dimension, why, answer)
        quotes: list[Quoted] = []
        if not passed:
            quotes, why = self._quotes(seat, dimension.name, answer.get("quotes"), evidence)
            if why:
                return failed(seat, dimension, why, answer)
        return Scored(
            seat=seat,
            dimension=dimension.name,
            value=float(passed),
            reason=reason,
            evidence=evidence or _events(quotes),
            quotes=tuple(quote.text for quote in quotes),
        )

    def complete(self, found: Outcomes) -> Outcomes:
        """What the checkpoints come to is worked out for each seat."""
        return with_extended(found, self._rubric)

    def _quotes(
        self, seat: int, checkpoint: str, given: Any, evidence: Sequence[int]
    ) -> tuple[list[Quoted], str]:
        """The quotes where they stand, and what is wrong with them; empty if nothing is."""
        absence = checkpoint in self._rubric.by_absence
        texts = [given] if isinstance(given, str) else given
        if absence and not texts:
            return [], ""
        if not isinstance(texts, list) or not texts:
            return [], "a checkpoint that failed needs a quote that shows it, as quotes"
        look_back = checkpoint in self._rubric.look_back
        found: list[Quoted] = []
        for text in texts:
            places = (
                self._quotable.find(text, seat, near=evidence, look_back=look_back)
                if isinstance(text, str)
                else []
            )
            if not places:
                where = "in this episode or an earlier one" if look_back else "in this episode"
                return [], f"the quote {shown(text)} does not stand {where}; quote word for word"
            found += places
        if absence or checkpoint in self._rubric.by_passing_over:
            # Who passes over a question in silence leaves nothing to quote but the question.
            return found, ""
        if not any(quote.seat == seat and quote.number is not None for quote in found):
            return [], f"no quote is of what {seat_key(seat)} said or did in this episode"
        return found, ""


def _events(quotes: Sequence[Quoted]) -> tuple[int, ...]:
    return tuple(sorted({quote.number for quote in quotes if quote.number is not None}))
