"""Sheets on which people label what a judge decided: sampled, written as CSV, and read back.

A sheet does not show the judge's decisions, and the order of its rows does not reveal them.
"""

import csv
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from evaluators.tables.plain_tables import csv_text
from events.untrusted.limits import MOST_TABLE_LINE
from events.untrusted.safe_text import shortened
from store.files.atomic_files import atomic_write
from store.files.bounded_lines import LineTooLong, bounded_lines
from store.files.regular_files import open_regular

COLUMNS: Final = (
    "episode",
    "seat",
    "character",
    "checkpoint",
    "question",
    "transcript",
    "label",
    "annotator",
    "comment",
)
"""``seat`` counts from 1, ``transcript`` is a path beside the sheet, and ``label`` is what people
fill in; the last two are theirs to use."""

LABELS: Final = {"1": True, "passed": True, "0": False, "failed": False}
"""What may stand under ``label``, in any case."""


class BadSheet(ValueError):
    """A sheet that cannot be read."""

    def __init__(self, path: Path, line: int, why: str) -> None:
        super().__init__(f"{shortened(str(path))}, line {line}: {shortened(why, 1_000)}")
        self.path, self.line, self.why = path, line, why


class Sample(NamedTuple):
    """One seat of one episode at one checkpoint."""

    episode: str
    seat: int
    """From 0."""
    checkpoint: str


class CheckpointSample(NamedTuple):
    """What was drawn for one checkpoint."""

    checkpoint: str
    passed: int
    failed: int


class Split(NamedTuple):
    """The seats (episode, and seat from 0) that a judge let pass a checkpoint, and the others."""

    passed: Sequence[tuple[str, int]]
    failed: Sequence[tuple[str, int]]


def draw(
    decided: Mapping[str, Split], *, passed: int, failed: int, seed: int = 0
) -> tuple[list[Sample], list[CheckpointSample]]:
    """For each checkpoint so many samples that one judge let pass and so many that it did not, or
    all where there are fewer. The same decisions and seed, the same samples."""
    chance = Random(seed)  # noqa: S311 - nothing here is a secret
    samples: list[Sample] = []
    drawn: list[CheckpointSample] = []
    for name, sides in decided.items():
        counts = []
        for seats, wanted in ((sides.passed, passed), (sides.failed, failed)):
            taken = chance.sample(sorted(seats), min(wanted, len(seats)))
            samples += [Sample(*seat, name) for seat in taken]
            counts.append(len(taken))
        drawn.append(CheckpointSample(name, *counts))
    chance.shuffle(samples)
    # An episode's rows stand together, so that nobody has to read it twice.
    places = {sample.episode: place for place, sample in enumerate(reversed(samples))}
    return sorted(samples, key=lambda sample: places[sample.episode]), drawn


def write_sheet(
    path: Path,
    samples: Sequence[Sample],
    *,
    characters: Mapping[tuple[str, int], str],
    questions: Mapping[str, str],
    transcripts: Mapping[str, str],
) -> None:
    """The sheet to be filled in: ``characters`` by episode and seat, ``questions`` by checkpoint,
    ``transcripts`` (paths) by episode."""
    with (
        atomic_write(path) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for sample in samples:
            writer.writerow(
                {
                    "episode": sample.episode,
                    "seat": sample.seat + 1,
                    "character": csv_text(characters[sample.episode, sample.seat]),
                    "checkpoint": sample.checkpoint,
                    "question": csv_text(questions[sample.checkpoint]),
                    "transcript": transcripts[sample.episode],
                }
            )


def read_labels(path: Path) -> dict[Sample, bool]:
    """The labels in a sheet; rows without one are left out. Raises ``BadSheet``: the line and what
    would be right."""
    # Spreadsheets put a mark before the first word.
    with TextIOWrapper(open_regular(path), "utf-8-sig", newline="") as file:
        rows = csv.DictReader(bounded_lines(file, MOST_TABLE_LINE))
        try:
            labels = _labels(rows, path)
        except (csv.Error, LineTooLong, UnicodeDecodeError) as error:
            raise BadSheet(path, rows.line_num + 1, f"cannot be read as CSV ({error})") from error
    if not labels:
        raise BadSheet(path, 1, "no row has a label yet: 1 (passed) or 0 (failed)")
    return labels


def _labels(rows: "csv.DictReader[str]", path: Path) -> dict[Sample, bool]:
    missing = {"episode", "seat", "checkpoint", "label"} - set(rows.fieldnames or ())
    if missing:
        names = ", ".join(sorted(missing))
        raise BadSheet(path, 1, f"a sheet has the columns {names}; the first line names them")
    labels: dict[Sample, bool] = {}
    for row in rows:
        text = (row["label"] or "").strip().lower()
        if not text:
            continue
        label = LABELS.get(text)
        if label is None:
            why = f"a label is 1 (passed) or 0 (failed), not {shortened(text)!r}"
            raise BadSheet(path, rows.line_num, why)
        sample = _sample(row, path, rows.line_num)
        if sample in labels:
            why = "this seat, episode and checkpoint have a label already; one is enough"
            raise BadSheet(path, rows.line_num, why)
        labels[sample] = label
    return labels


def _sample(row: Mapping[str, str | None], path: Path, line: int) -> Sample:
    episode, checkpoint = (row["episode"] or "").strip(), (row["checkpoint"] or "").strip()
    seat = (row["seat"] or "").strip()
    if not episode or not checkpoint:
        raise BadSheet(path, line, "a label needs its episode and its checkpoint")
    if not seat.isdecimal() or len(seat) > 9 or int(seat) < 1:
        raise BadSheet(path, line, f"a seat is a number from 1 on, not {shortened(seat)!r}")
    return Sample(episode, int(seat) - 1, checkpoint)
