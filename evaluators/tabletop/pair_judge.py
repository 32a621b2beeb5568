"""The judge of information exchange that asks a model (AntEval, sections 3.2 and 4.1): it reduces
the knowledge and each player's answer to points, and pairs those that say the same."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Final

import msgspec

from actors.models.answers.copied_phrases import is_copied
from actors.models.answers.structured import AnswerReader, Fields, renamed
from actors.models.errors import Unreadable
from actors.models.response_formats.schemas import (
    Schema,
    list_schema,
    object_schema,
    text_schema,
    whole_number,
)
from actors.tabletop.render import knowledge
from actors.tabletop.setup import MOST_LEARNED, Session
from actors.tabletop.sight import AnswerSeen, TableView
from evaluators.judges.judge_answer import CHARACTERS_A_TOKEN, Outcome, failed
from evaluators.judges.judge_form import quoting_of
from evaluators.judges.judge_prompts import JudgePrompt
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.judges.question_series import (
    Answers,
    ExpectedQuestion,
    NotAnswered,
    SeriesQuestion,
)
from evaluators.tabletop.information import answers_of, matched_points, precision
from events.evaluation import Dimension, JudgeSpec, ScoreAbstained, Scored, ScoreFailed

KNOWLEDGE: Final = "knowledge"
LONGEST_POINT: Final = 300
"""Characters of a point that a model is held to; it is read at any length."""
SHORT_POINT: Final = 15
"""Tokens of a short point."""
SHORT_PAIR: Final = 10
_MOMENTS: Final = {"learned": "after", "guessed": "before"}
"""By dimension the question whose answer it scores."""
_WHY_NOT: Final = {
    "after": "the session did not come to its end",
    "before": "the player was not asked before the first turn",
}


class ReducedPoints(msgspec.Struct, frozen=True):
    """What a text says, a fact a point."""

    points: list[str]


class PointPair(msgspec.Struct, frozen=True):
    """Two points that say the same, by their numbers from 1."""

    answer: Annotated[int, msgspec.Meta(ge=1)]
    key: Annotated[int, msgspec.Meta(ge=1)]


class PointPairs(msgspec.Struct, frozen=True):
    """The pairs of two lists."""

    pairs: list[PointPair]


def _points(fields: Fields) -> Fields:
    return renamed(fields, {"points": "points", "facts": "points", "key points": "points"})


def _pairs(fields: Fields) -> Fields:
    pairs = fields.get("pairs")
    if isinstance(pairs, list):
        two = [isinstance(one, list) and len(one) == 2 for one in pairs]
        if pairs and all(two):
            # The paper writes them as (answer point, key point).
            return {**fields, "pairs": [{"answer": a, "key": b} for a, b in pairs]}
    return fields


REDUCED: Final = AnswerReader(ReducedPoints, _points)
PAIRED: Final = AnswerReader(PointPairs, _pairs)


def reduction_schema(k: int, least: int) -> Schema:
    """``least`` to ``k`` points."""
    return object_schema({"points": list_schema(text_schema(LONGEST_POINT), k, least)})


def pairs_schema(answers: int, k: int) -> Schema:
    """Pairs of so many answer points and ``k`` key points."""
    pair = object_schema({"answer": whole_number(1, answers), "key": whole_number(1, k)})
    return object_schema({"pairs": list_schema(pair, min(answers, k))})


class InformationSeries:
    """``evaluators.judges.question_series.QuestionSeries`` of an exchange session."""

    def __init__(
        self, spec: JudgeSpec, view: TableView, session: Session, prompt: JudgePrompt
    ) -> None:
        """``session``: one with a sheet."""
        assert session.sheet is not None, "the caller looked"
        self._spec, self._session, self._prompt = spec, session, prompt
        self._quoting = quoting_of(spec)
        self._k = len(session.sheet.points)
        told = [one for one in view.noticed if isinstance(one, AnswerSeen)]
        self._told: Mapping[str, dict[int, AnswerSeen]] = {
            moment: answers_of(told, moment) for moment in _MOMENTS.values()
        }

    def expected(self) -> Sequence[ExpectedQuestion]:
        """One reduction of the knowledge; of each answer one, and one comparison."""
        session, k = self._session, self._k
        count = session.players * (1 + session.settings.baseline)
        said = MOST_LEARNED // CHARACTERS_A_TOKEN
        most = k * LONGEST_POINT // CHARACTERS_A_TOKEN
        reduced, paired = k * SHORT_POINT, k * SHORT_PAIR
        first = ExpectedQuestion(self._reduction_text(KNOWLEDGE, self._knowledge()), 0, 0, reduced)
        answer = ExpectedQuestion(self._reduction_text("answer", ""), 0, said, reduced)
        compare = ExpectedQuestion(self._pairs_text([], []), reduced, 2 * most, paired)
        return [first, *count * [answer], *count * [compare]]

    def ready(self, answers: Answers) -> Sequence[SeriesQuestion]:
        """The reduction of the knowledge; those of the answers; then the comparisons. What the
        knowledge could not be reduced for is not asked."""
        if KNOWLEDGE not in answers:
            return [self._of_knowledge()] if any(self._given()) else ()
        if isinstance(answers[KNOWLEDGE], NotAnswered):
            return ()
        found = [one for one in self._reductions() if one.key not in answers]
        return found or [one for one in self._comparisons(answers) if one.key not in answers]

    def outcomes(self, answers: Answers) -> Sequence[Outcome]:
        """p of each player; the non-player character is asked nothing."""
        return [
            self._outcome(seat, dimension, answers)
            for seat in range(len(self._session.characters))
            for dimension in self._spec.dimensions
        ]

    def _knowledge(self) -> str:
        return knowledge(self._session)

    def _given(self) -> Iterator[tuple[str, AnswerSeen]]:
        """Answers that say something, by the key of their reduction."""
        for moment, by_seat in self._told.items():
            for seat, answer in sorted(by_seat.items()):
                if not answer.failed and answer.text.strip():
                    yield _key(moment, seat), answer

    def _of_knowledge(self) -> SeriesQuestion:
        k = self._k
        return SeriesQuestion(
            KNOWLEDGE,
            self._reduction_text(KNOWLEDGE, self._knowledge()),
            reduction_schema(k, k),
            partial(self._read_points, least=k),
        )

    def _reductions(self) -> Iterator[SeriesQuestion]:
        for key, answer in self._given():
            yield SeriesQuestion(
                key,
                self._reduction_text("answer", answer.text),
                reduction_schema(self._k, 0),
                partial(self._read_points, least=0),
            )

    def _comparisons(self, answers: Answers) -> Iterator[SeriesQuestion]:
        known = answers.get(KNOWLEDGE)
        if not isinstance(known, list):
            return
        for key, _ in self._given():
            own = answers.get(key)
            if isinstance(own, list) and own:
                yield SeriesQuestion(
                    _pairs_key(key),
                    self._pairs_text(own, known),
                    pairs_schema(len(own), self._k),
                    partial(self._read_pairs, answers=len(own)),
                )

    def _reduction_text(self, task: str, text: str) -> str:
        quote = self._quoting
        return self._prompt.question(
            task=task, topic=quote.text(self._session.topic), k=self._k, text=quote.line(text)
        )

    def _pairs_text(self, own: Sequence[str], known: Sequence[str]) -> str:
        quote = self._quoting
        return self._prompt.question(
            task="compare",
            topic=quote.text(self._session.topic),
            k=self._k,
            answer=[quote.line(one) for one in own],
            key=[quote.line(one) for one in known],
        )

    def _read_points(self, text: str, label: str, *, least: int) -> list[str]:
        said = [" ".join(one.split()) for one in REDUCED.read(text, label).points]
        for number, point in enumerate(said, 1):
            if is_copied(point, self._prompt.phrases):
                raise Unreadable(f"point {number} says nothing; write a sentence", text)
        points = list({one.casefold(): one for one in said}.values())
        if not least <= len(points) <= self._k:
            wanted = f"exactly {self._k}" if least else f"at most {self._k}"
            raise Unreadable(
                f"it has {len(points)} different points; there are to be {wanted}", text
            )
        return points

    def _read_pairs(self, text: str, label: str, *, answers: int) -> list[tuple[int, int]]:
        pairs = [(one.answer, one.key) for one in PAIRED.read(text, label).pairs]
        for own, key in pairs:
            if own > answers:
                raise Unreadable(f"there is no answer point {own}; there are {answers}", text)
            if key > self._k:
                raise Unreadable(f"there is no key point {key}; there are {self._k}", text)
        return pairs

    def _outcome(self, seat: int, dimension: Dimension, answers: Answers) -> Outcome:
        name, moment = dimension.name, _MOMENTS[dimension.name]
        if seat == self._session.players:
            why = "the non-player character is asked nothing"
            return ScoreAbstained(seat=seat, dimension=name, reason=why)
        told = self._told[moment].get(seat)
        if told is None and moment == "before":
            return ScoreAbstained(seat=seat, dimension=name, reason=_WHY_NOT[moment])
        if told is None or told.failed:
            why = f"no answer: {told.failed}" if told else _WHY_NOT[moment]
            return ScoreFailed(seat=seat, dimension=name, error=why)
        key = _key(moment, seat)
        own = answers.get(key, [])
        known = answers.get(KNOWLEDGE) if told.text.strip() else None
        for what, needed in (("the knowledge", known), ("the answer", own)):
            if isinstance(needed, NotAnswered):
                why = f"{what} could not be reduced to points: {needed.why}"
                return failed(seat, dimension, why, needed.raw)
        pairs = answers.get(_pairs_key(key), [])
        if isinstance(pairs, NotAnswered):
            why = f"the points could not be compared: {pairs.why}"
            return failed(seat, dimension, why, pairs.raw)
        assert isinstance(own, list), "it is NotAnswered, or what was read"
        assert isinstance(pairs, list), "the same"
        s = matched_points(pairs, self._k)
        listed = ", ".join(f"{a}-{b}" for a, b in pairs) or "none"
        return Scored(
            seat=seat,
            dimension=name,
            value=precision(s, self._k),
            reason=f"{s} of {self._k}; answer points: {len(own)}; pairs (answer-key): {listed}",
            evidence=(told.number,),
        )


class _NoInformation:
    """A session in which nothing is to be found out."""

    def expected(self) -> Sequence[ExpectedQuestion]:
        """None."""
        return ()

    def ready(self, answers: Answers) -> Sequence[SeriesQuestion]:
        """None."""
        return ()

    def outcomes(self, answers: Answers) -> Sequence[Outcome]:
        """None."""
        return ()


def information_series(
    spec: JudgeSpec, episode: JudgedEpisode, prompt: JudgePrompt
) -> InformationSeries | _NoInformation:
    """``evaluators.plugin.MakeSeries``."""
    setup = episode.started.setup
    if not isinstance(setup, Session) or setup.sheet is None:
        return _NoInformation()
    return InformationSeries(spec, episode.view, setup, prompt)


def _key(moment: str, seat: int) -> str:
    return f"{moment} {seat}"


def _pairs_key(key: str) -> str:
    return f"{key} pairs"
