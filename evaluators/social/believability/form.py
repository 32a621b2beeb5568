"""Believability extended as a model is asked for it: a score, eight checkpoints, and for what
failed a quote, unless the fault is that something was left undone.

The paper's rubric marks a failure whose quote is missing and keeps it; the lenient and the strict
have none without: such an answer is asked for again, and then is no score.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from actors.models.response_formats.schemas import (
    Schema,
    list_schema,
    object_schema,
    or_null,
    wording,
)
from actors.social.views import View
from evaluators.judges.judge_answer import (
    AnswerBounds,
    Outcome,
    Outcomes,
    failed,
    read_evidence,
    seat_key,
    shown,
    why_unreadable,
)
from evaluators.judges.judge_form import ScoreForm, evidence_schema, quoting_of, ranged
from evaluators.judges.judge_prompts import JudgePrompt
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.judges.quotes import MOST_QUOTED, MOST_QUOTES, Passage, Quotable, Quoted
from evaluators.registry import rubric_of
from evaluators.social.believability.checkpoints import Checkpoints
from evaluators.social.believability.derived_scores import with_extended
from evaluators.social.believability.earlier_episodes import Earlier, in_words, look_back
from evaluators.social.believability.rubric import PAPER
from evaluators.social.believability.strict_rubric import STRICT
from evaluators.social.first_template_values import doing, material
from evaluators.social.template_values import briefing, told
from events.evaluation import Dimension, JudgeSpec, ScoreAbstained, Scored


def paper_form(
    spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]
) -> "BelievabilityForm":
    """``evaluators.plugin.MakeForm`` of the rubric ``believability``."""
    return _form_of_paper(spec, episode, past, marks=True)


def lenient_form(
    spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]
) -> "BelievabilityForm":
    """The same of the rubric ``believability-lenient``."""
    return _form_of_paper(spec, episode, past, marks=False)


def _form_of_paper(
    spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History], *, marks: bool
) -> "BelievabilityForm":
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
        marks=marks,
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
    """``evaluators.judges.judge_form.Form`` of a rubric with checkpoints."""

    def __init__(
        self,
        spec: JudgeSpec,
        episode: JudgedEpisode,
        past: Sequence[History],
        rubric: Checkpoints,
        material: Mapping[str, Any],
        earlier: Earlier,
        *,
        marks: bool = False,
    ) -> None:
        """``material``: the episode, and ``earlier`` what was before it, as the template wants
        them. ``marks``: a failure without a quote counts and is marked, instead of being none."""
        view = episode.view
        super().__init__(spec, material, [line.number for line in view.lines])
        worked_out = {dimension.name for dimension in rubric.worked_out}
        self.asked = tuple(d for d in spec.dimensions if d.name not in worked_out)
        self._rubric = rubric
        self._earlier = earlier
        self._quotable = quotable(view, earlier.views)
        self._number = len(past) + 1
        self._marks = marks

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

    def schema(self, seat: int, dimension: Dimension, room: AnswerBounds) -> Schema:
        """A score, or whether a checkpoint was passed, with quotes where it was not. Where none
        fails without a quote, the passages that can be quoted are the values; if there are none,
        the checkpoint cannot fail."""
        name = dimension.name
        if name not in self._rubric.names:
            return super().schema(seat, dimension, room)
        shown_by = evidence_schema(self.numbers, room)
        passed: Schema = {"type": "boolean"}
        if self._marks:
            # What comes first bears on what comes after it: there the verdict does not wait for
            # words.
            quotes = list_schema(wording(MOST_QUOTED), MOST_QUOTES)
            verdict = {"passed": or_null(passed), "quotes": quotes}
            return object_schema({"reason": room.reason, "evidence": shown_by, **verdict})
        quotes = self._quotable.schema(
            lambda text: not self._quotes(seat, name, [text], ())[1],
            room.values,
            least=0 if name in self._rubric.by_absence else 1,
        )
        if not quotes["maxItems"] and name not in self._rubric.by_absence:
            passed = {"type": "boolean", "enum": [True]}
        verdict = {"evidence": shown_by, "passed": or_null(passed)}
        return object_schema({"reason": room.reason, "quotes": quotes, **verdict})

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
        missing = False
        if not passed:
            quotes, why = self._quotes(seat, dimension.name, answer.get("quotes"), evidence)
            if why and not self._marks:
                return failed(seat, dimension, why, answer)
            missing = bool(why) and not self._shown_by(quotes, seat, dimension.name)
        return Scored(
            seat=seat,
            dimension=dimension.name,
            value=float(passed),
            reason=reason,
            evidence=evidence or _events(quotes),
            quotes=tuple(quote.text for quote in quotes),
            evidence_missing=missing,
        )

    def complete(self, found: Outcomes) -> Outcomes:
        """What the checkpoints come to is worked out for each seat."""
        return with_extended(found, self._rubric)

    def _quotes(
        self, seat: int, checkpoint: str, given: Any, evidence: Sequence[int]
    ) -> tuple[list[Quoted], str]:
        """The quotes that stand somewhere, where they do, and what is first wrong with them; empty
        if nothing is."""
        absence = checkpoint in self._rubric.by_absence
        texts = [given] if isinstance(given, str) else given
        if absence and not texts:
            return [], ""
        if not isinstance(texts, list) or not texts:
            return [], "a checkpoint that failed needs a quote that shows it, as quotes"
        look_back = checkpoint in self._rubric.look_back
        found: list[Quoted] = []
        wrong = ""
        for text in texts:
            places = (
                self._quotable.find(text, seat, near=evidence, look_back=look_back)
                if isinstance(text, str)
                else []
            )
            if not places and not wrong:
                where = "in this episode or an earlier one" if look_back else "in this episode"
                wrong = f"the quote {shown(text)} does not stand {where}; quote word for word"
            found += places
        if not wrong and not self._shown_by(found, seat, checkpoint):
            wrong = f"no quote is of what {seat_key(seat)} said or did in this episode"
        return found, wrong

    def _shown_by(self, quotes: Sequence[Quoted], seat: int, checkpoint: str) -> bool:
        """Whether quotes are enough to show that a seat failed."""
        if checkpoint in self._rubric.by_absence | self._rubric.by_passing_over:
            # Who passes over a question in silence leaves nothing to quote but the question.
            return bool(quotes)
        return any(quote.seat == seat and quote.number is not None for quote in quotes)


def _events(quotes: Sequence[Quoted]) -> tuple[int, ...]:
    return tuple(sorted({quote.number for quote in quotes if quote.number is not None}))


def quotable(view: View, earlier: Sequence[View] = ()) -> Quotable:
    """An episode, and perhaps earlier ones, to be quoted from."""
    before = (line for one in earlier for line in _lines(one, numbered=False))
    return Quotable(_lines(view, numbered=True), before)


def _lines(view: View, *, numbered: bool) -> Iterator[Passage]:
    for line in view.lines:
        yield Passage(
            seat=line.seat,
            number=line.number if numbered else None,
            text=doing(line, view),
            head=f"{line.number} turn {line.turn} {line.label}",
        )
