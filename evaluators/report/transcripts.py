"""One episode of a report: what its row in the list says and what opens below it."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from evaluators import sotopia_eval
from evaluators.dimensions import in_order, is_checkpoint
from evaluators.report.gather import Gathered, JudgeUsed, Told
from evaluators.subjects import Subject
from store.records import EpisodeRow, ScoreRow

DOING = {
    "non_verbal": "without words",
    "physical": "does",
    "none": "does nothing",
    "leave": "leaves",
}
ENDINGS = {
    "turn_cap": "the turn cap was reached",
    "left": "fewer than two were left",
    "stale": "nobody did anything any more",
    "stopped": "it was stopped",
    "failed": "it was given up.",
}


class OverallMark(msgspec.Struct, frozen=True):
    """A seat's overall score, for the row."""

    seat: int
    character: str
    judge: str
    value: float


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What one judge said of one seat in one dimension."""

    status: str
    value: float | None
    reason: str
    evidence: tuple[int, ...] = ()
    quotes: tuple[str, ...] = ()
    checkpoint: bool = False
    """1 is passed and 0 is not."""
    derived: bool = False
    """Worked out from the others, as the overall score is."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """An episode in the list."""

    row: EpisodeRow
    marks: list[str]
    overall: float | None
    """Mean over its seats, by the first judge that scores overall."""
    overalls: list[OverallMark]
    body: Markup


class Transcripts:
    """Makes the items of a report, one after the other."""

    def __init__(self, gathered: Gathered, environment: Environment) -> None:
        self._judges = gathered.judges
        self._body = environment.get_template("transcript.html.j2")
        self._scores: dict[str, list[ScoreRow]] = {}
        for score in gathered.scores:
            self._scores.setdefault(score.episode, []).append(score)
        self._subjects: dict[str, list[Subject]] = {}
        for subject in gathered.subjects:
            self._subjects.setdefault(subject.episode, []).append(subject)

    def item(self, told: Told) -> Item:
        """The episode's row and body, escaped."""
        row = told.row
        subjects = self._subjects.get(row.id, [])
        overalls = self._overalls(subjects)
        body = self._body.render(
            told=told,
            judges=self._judges,
            verdicts=list(self._verdicts(row, subjects)),
            doing=DOING,
            endings=ENDINGS,
        )
        values = [mark.value for mark in overalls]
        return Item(
            row=row,
            marks=_marks(row, subjects),
            overall=sum(values) / len(values) if values else None,
            overalls=overalls,
            body=Markup(body),  # noqa: S704
        )

    def _overalls(self, subjects: Sequence[Subject]) -> list[OverallMark]:
        for judge in self._judges:
            mine = [
                OverallMark(s.seat, s.character, judge.judged.label, s.values[sotopia_eval.OVERALL])
                for s in subjects
                if s.judge == judge.judged.hash and sotopia_eval.OVERALL in s.values
            ]
            if mine:
                return sorted(mine, key=lambda mark: mark.seat)
        return []

    def _verdicts(self, row: EpisodeRow, subjects: Sequence[Subject]) -> Iterable[dict[str, Any]]:
        given = {
            (s.judge_hash, s.seat, s.dimension): Verdict(
                status=s.status,
                value=s.value,
                reason=s.reason,
                evidence=s.evidence,
                quotes=s.quotes,
                checkpoint=s.value is not None and is_checkpoint(s.dimension, [s.value]),
            )
            for s in self._scores.get(row.id, [])
        }
        for subject in subjects:
            if sotopia_eval.OVERALL in subject.values:
                given[subject.judge, subject.seat, sotopia_eval.OVERALL] = Verdict(
                    status="scored",
                    value=subject.values[sotopia_eval.OVERALL],
                    reason="",
                    derived=True,
                )
        for seat in sorted({subject.seat for subject in subjects}):
            first = next(subject for subject in subjects if subject.seat == seat)
            yield {
                "character": first.character,
                "mind": first.mind,
                "dimensions": list(self._dimensions(seat, given)),
            }

    def _dimensions(
        self, seat: int, given: dict[tuple[str, int, str], Verdict]
    ) -> Iterable[dict[str, Any]]:
        asked = {name for _, of, name in given if of == seat}
        for name in in_order(asked):
            yield {
                "label": sotopia_eval.label(name),
                "verdicts": [given.get((j.judged.hash, seat, name)) for j in self._judges],
            }


def rehearsal_of(judges: Iterable[JudgeUsed]) -> list[JudgeUsed]:
    """Those of some judges that are no language model."""
    return [judge for judge in judges if judge.spec.kind == "rehearsal"]


def _marks(row: EpisodeRow, subjects: Sequence[Subject]) -> list[str]:
    """What the list can be narrowed down to."""
    marks = []
    if row.failures:
        marks.append("failures")
    if any(subject.failed or subject.abstained for subject in subjects):
        marks.append("missing")
    if row.status == "failed":
        marks.append("failed")
    if row.parent is not None:
        marks.append("fork")
    return marks
