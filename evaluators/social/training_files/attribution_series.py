"""The judge that attributes a seat's goal to its actions by asking a model, seat by seat."""

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import Final

import msgspec

from actors.models.answers.structured import AnswerReader, Fields, renamed
from actors.models.errors import Unreadable
from actors.models.response_formats.schemas import (
    Schema,
    choice_schema,
    list_schema,
    object_schema,
    whole_number,
    wording,
)
from actors.social.narration import NARRATED
from actors.social.views import View
from evaluators.judges.judge_answer import Outcome, failed
from evaluators.judges.judge_form import quoting_of
from evaluators.judges.judge_prompts import JudgePrompt
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.judges.question_series import (
    Answers,
    ExpectedQuestion,
    NotAnswered,
    SeriesQuestion,
)
from evaluators.social.template_values import told
from evaluators.social.training_files.attribution import REDUNDANT, in_words, scale_of
from events.evaluation import JudgeSpec, ScoreAbstained, Scored

MOST_WHY: Final = 200
"""Characters of a reason that a model is held to; it is read at any length."""
SHORT_ATTRIBUTION: Final = 25
"""Tokens of one with a short reason."""
TOKENS_OF_A_TURN: Final = (10, 120)
"""Tokens that a turn adds to the question, at least and at most, for forecasts."""
NOTHING_DONE: Final = "it did nothing that a model or a person chose, so there is nothing to judge"


class OneAttribution(msgspec.Struct, frozen=True):
    """What one action did for the goal."""

    action: int
    """The event's number."""
    value: int
    why: str = ""


class AllAttributions(msgspec.Struct, frozen=True):
    """Those of a seat."""

    attributions: list[OneAttribution]


def _prepare(fields: Fields) -> Fields:
    return renamed(fields, {"attributions": "attributions", "actions": "attributions"})


ATTRIBUTIONS: Final = AnswerReader(AllAttributions, _prepare)


def actions_of(view: View) -> list[list[int]]:
    """By seat the event numbers of what it did; what failed is no choice of the character's."""
    found: list[list[int]] = [[] for _ in view.profiles]
    for line in view.lines:
        if not line.failure and line.kind != NARRATED:
            found[line.seat].append(line.number)
    return found


def schema_for(numbers: Sequence[int], scale: int) -> Schema:
    """One attribution for each of some actions."""
    one = object_schema(
        {
            "action": choice_schema(numbers),
            "why": wording(MOST_WHY),
            "value": whole_number(REDUNDANT, scale),
        }
    )
    return object_schema({"attributions": list_schema(one, len(numbers), len(numbers))})


def read_attributions(
    text: str, label: str, *, numbers: Sequence[int], scale: int
) -> dict[int, int]:
    """The attributions in an answer, by event number. Raises ``Unreadable`` where an action has
    none or two, or one that is off the scale."""
    found: dict[int, int] = {}
    for one in ATTRIBUTIONS.read(text, label).attributions:
        if one.action not in numbers:
            known = ", ".join(map(str, numbers))
            raise Unreadable(f"[{one.action}] is no action of the character: {known}", text)
        if one.action in found:
            raise Unreadable(f"[{one.action}] has two attributions; give one", text)
        if not REDUNDANT <= one.value <= scale:
            why = (
                f"[{one.action}] has {one.value}; it is a whole number from {REDUNDANT} to {scale}"
            )
            raise Unreadable(why, text)
        found[one.action] = one.value
    if missing := [number for number in numbers if number not in found]:
        listed = ", ".join(f"[{number}]" for number in missing)
        raise Unreadable(f"these actions have no attribution: {listed}", text)
    return found


def score_of(
    seat: int, judge: JudgeSpec, found: Mapping[int, int], numbers: Sequence[int]
) -> Outcome:
    """A seat's attributions as one score: their mean, with all of them in its reason."""
    name = judge.dimensions[0].name
    if not numbers:
        return ScoreAbstained(seat=seat, dimension=name, reason=NOTHING_DONE)
    return Scored(
        seat=seat,
        dimension=name,
        value=fmean(found.values()),
        reason=in_words(found, scale_of(judge)),
        evidence=tuple(sorted(found)),
    )


class AttributionSeries:
    """``evaluators.judges.question_series.QuestionSeries``: a question a seat."""

    def __init__(self, spec: JudgeSpec, episode: JudgedEpisode, prompt: JudgePrompt) -> None:
        self._spec, self._prompt = spec, prompt
        self._scale = scale_of(spec)
        self._view: View = episode.view
        self._numbers = actions_of(self._view)
        self._turns = max(1, episode.started.setup.rules.turn_cap)

    def expected(self) -> Sequence[ExpectedQuestion]:
        """One a seat. A seat has a turn of every two, or all of them."""
        seats = len(self._numbers)
        least, most = TOKENS_OF_A_TURN
        answer = SHORT_ATTRIBUTION * max(1, self._turns // seats)
        return [
            ExpectedQuestion(self._text(seat), least, most * self._turns, answer)
            for seat in range(seats)
        ]

    def ready(self, answers: Answers) -> Sequence[SeriesQuestion]:
        """All of them at once: none rests on another."""
        return [
            SeriesQuestion(
                _key(seat),
                self._text(seat),
                schema_for(numbers, self._scale),
                partial(read_attributions, numbers=numbers, scale=self._scale),
            )
            for seat, numbers in enumerate(self._numbers)
            if numbers and _key(seat) not in answers
        ]

    def outcomes(self, answers: Answers) -> Sequence[Outcome]:
        """One score a seat."""
        return [self._outcome(seat, answers) for seat in range(len(self._numbers))]

    def _outcome(self, seat: int, answers: Answers) -> Outcome:
        found = answers.get(_key(seat), {})
        if isinstance(found, NotAnswered):
            why = f"the actions got no attributions: {found.why}"
            return failed(seat, self._spec.dimensions[0], why, found.raw)
        assert isinstance(found, dict), "it is NotAnswered, or what was read"
        return score_of(seat, self._spec, found, self._numbers[seat])

    def _text(self, seat: int) -> str:
        quoting = quoting_of(self._spec)
        values = told(self._view, quoting)
        seats = values["seats"]
        assert isinstance(seats, list), "it is one value a seat"
        return self._prompt.question(
            scenario=values["scenario"],
            transcript=values["transcript"],
            names=[one["name"] for one in seats],
            who=seats[seat]["name"],
            goal=seats[seat]["goal"],
            ended=self._view.ended,
            numbers=self._numbers[seat],
            scale=self._scale,
            redundant=REDUNDANT,
        )


def _key(seat: int) -> str:
    return f"seat {seat}"


def attribution_series(
    spec: JudgeSpec, episode: JudgedEpisode, prompt: JudgePrompt
) -> AttributionSeries:
    """``evaluators.plugin.MakeSeries``."""
    return AttributionSeries(spec, episode, prompt)
