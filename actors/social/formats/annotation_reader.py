"""What people said of SOTOPIA's episodes: its ``AnnotationForEpisode`` as JSON, and its CSV.

JSON has an object a line, or a file an object, with the ``pk`` of the episode's log as ``episode``,
the ``annotator_id``, ``rewards`` as in a log (``episode_log_rewards``) and ``reasoning``. The CSV
is that of the platform on which people annotated: a row an annotation, with a column for each of
the two seats and seven dimensions, and one for each reason.

Which episode is meant, and how many seats it has, a file does not say: ``scores_of`` is told.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from actors.csv_file import CsvRow
from actors.csv_file import read_rows as read_csv
from actors.episodes.formats import Score, episode_key
from actors.social.formats.episode_log_rewards import Comments, comments_of, seat_scores
from actors.social.formats.episode_log_scores import SEVEN
from actors.social.formats.faults import Faults, FileRefused
from actors.social.formats.rows import RowPlace, read_rows
from actors.social.formats.texts import JsonText
from events.evaluation import Scored

CSV: Final = ".csv"
EPISODE: Final = "Input.episode_id"
ANNOTATOR: Final = "WorkerId"
_SEATS: Final = 2
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,9}(\.[0-9]{1,9})?")
_LONGEST_NAME: Final = 100
"""Characters of an annotator's name."""
_NAMES: Final = "|".join(one.name for one in SEVEN)
_PART: Final = re.compile(r"\bagent\s+(\d+)\s+comments:", re.IGNORECASE)
_REASON: Final = re.compile(rf"(?<!\S)({_NAMES}):")


class AnnotationsRefused(FileRefused):
    """A file of annotations with bad lines."""

    what = "the file of annotations"


class AnnotationRow(msgspec.Struct, kw_only=True):
    """An ``AnnotationForEpisode``."""

    episode: str
    annotator_id: str
    rewards: list[object]
    reasoning: str | None = None


class Annotation(NamedTuple):
    """What one person said of one episode."""

    place: RowPlace
    episode: str
    """As the episode's log is called, or its id."""
    annotator: str
    rewards: list[object]
    """As in a log, one a seat."""
    comments: Comments
    """Reasons by seat and dimension."""


class AnnotationScores(NamedTuple):
    """The scores in an annotation."""

    scores: tuple[Score, ...]
    notes: tuple[str, ...]
    """What is odd about it, in sentences."""


def read_annotations(path: Path, faults: Faults) -> Iterator[Annotation]:
    """The annotations of a file, or of the JSON files in a folder. What cannot be read is a fault;
    raises ``BadFile`` where a CSV file is none, or lacks columns."""
    for one in _from_csv(path, faults) if path.suffix.lower() == CSV else _from_json(path, faults):
        if _is_named(one):
            yield one


def scores_of(annotation: Annotation, seats: int) -> AnnotationScores:
    """The scores of an episode with so many seats. What cannot be a score is a fault; annotators
    give whole numbers."""
    place, rewards = annotation.place, annotation.rewards
    if len(rewards) != seats:
        place.fault("rewards", f"must be {seats}, one a seat of the episode, not {len(rewards)}")
        return AnnotationScores((), ())
    notes: list[str] = []
    scores = [
        score
        for seat, reward in enumerate(rewards)
        for score in seat_scores(
            seat, reward, annotation.comments, place, notes, source="the annotation"
        )
    ]
    for score in scores:
        if isinstance(score, Scored) and score.value % 1:
            field = f"rewards[{score.seat}].{score.dimension}"
            place.fault(field, f"must be a whole number, not {score.value:g}")
    return AnnotationScores(tuple(scores), tuple(notes))


def _is_named(one: Annotation) -> bool:
    if not one.episode:
        one.place.fault("episode", "is empty: it is the pk of an episode's log, or an id")
    name = one.annotator
    fits = name and name.isprintable() and len(name) <= _LONGEST_NAME
    if not fits:
        what = f"must be a name of 1 to {_LONGEST_NAME} characters on one line"
        one.place.fault("annotator_id", what)
    return bool(one.episode and fits)


def _from_json(path: Path, faults: Faults) -> Iterator[Annotation]:
    for text, row in read_rows(path, AnnotationRow, faults):
        yield Annotation(
            RowPlace(text, faults),
            episode_key(row.episode.strip()),
            row.annotator_id.strip(),
            row.rewards,
            _reasons(row.reasoning or ""),
        )


def _reasons(reasoning: str) -> Comments:
    """As in a log, a line a dimension; or all in one line, as SOTOPIA makes it of its CSV."""
    comments = comments_of(reasoning)
    parts = _PART.split(reasoning)
    if comments or len(parts) == 1:
        return comments
    for number, said in zip(parts[1::2], parts[2::2], strict=True):
        pieces = _REASON.split(said)
        for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
            comments.setdefault((int(number) - 1, name), text.strip())
    return comments


def _from_csv(path: Path, faults: Faults) -> Iterator[Annotation]:
    columns = [_column(seat, one.name) for seat in range(_SEATS) for one in SEVEN]
    for row in read_csv(path, [EPISODE, ANNOTATOR, *columns]):
        line = int(row.where.rpartition(" ")[2])
        place = RowPlace(JsonText(path.name, line, b""), faults)
        yield Annotation(
            place,
            episode_key(row.fields[EPISODE]),
            row.fields[ANNOTATOR],
            [[None, _values(row, seat, place)] for seat in range(_SEATS)],
            {
                (seat, one.name): said
                for seat in range(_SEATS)
                for one in SEVEN
                if (said := row.fields.get(f"{_column(seat, one.name)}_rationale"))
            },
        )


def _column(seat: int, dimension: str) -> str:
    return f"Answer.agent{seat + 1}_{dimension}"


def _values(row: CsvRow, seat: int, place: RowPlace) -> dict[str, float]:
    """The values of a seat; an empty cell is a missing one."""
    found = {}
    for dimension in SEVEN:
        column = _column(seat, dimension.name)
        cell = row.fields[column]
        if not cell:
            continue
        value = float(cell) if _NUMBER.fullmatch(cell) else float("nan")
        if dimension.low <= value <= dimension.high and not value % 1:
            found[dimension.name] = value
        else:
            span = f"{dimension.low:g} to {dimension.high:g}"
            place.fault(column, f"must be a whole number of {span}, not {cell!r}")
    return found
