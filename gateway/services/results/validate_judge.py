"""Samples for people to label, and what their labels say of a judge."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from actors.episodes.port.words import Account
from actors.text.quotes import continued, indented
from evaluators.agreement.checkpoint_validation import Positive, Validated, Verdict, validated
from evaluators.judges.earlier_episodes import EarlierEpisodes, past_of
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.label_sheet import CheckpointSample, Split, draw, read_labels, write_sheet
from evaluators.scores.dimensions import in_order, is_checkpoint
from evaluators.scores.score_columns import ScoreColumns, read_columns
from evaluators.scores.seat_scores import Judged, SeatScores, find_judge, judged_of, seat_scores
from events.evaluation import EvaluationStarted
from events.serialization.codec import event_of
from events.untrusted.safe_text import harmless, shortened
from events.wire.subjects import stream_name
from gateway.errors import BadArgument
from store.files.atomic_files import atomic_write
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history


class NoCheckpoints(LookupError):
    """A judge that lets nobody pass or fail."""

    def __init__(self, judge: str, wanted: Sequence[str] = ()) -> None:
        which = f" {', '.join(wanted)}" if wanted else ""
        super().__init__(
            f"the judge {shortened(judge)} has decided no checkpoint{which} here; only dimensions "
            "that are passed or failed can be validated so"
        )
        self.judge, self.wanted = judge, tuple(wanted)


class SheetWritten(msgspec.Struct, frozen=True, kw_only=True):
    judge: Judged
    sheet: str
    """Its path."""
    transcripts: str
    """The folder with what is to be read."""
    samples: int
    drawn: tuple[CheckpointSample, ...]
    """For each checkpoint how many that the judge let pass, and how many that it did not."""


class Validation(msgspec.Struct, frozen=True, kw_only=True):
    """What labels say of a judge."""

    judge: Judged
    kind: str
    """``model``, ``rehearsal``, ``rule`` or ``imported``."""
    positive: Positive
    checkpoints: tuple[Validated, ...]


def write_samples(
    store: EventStore,
    judge: str,
    sheet: Path,
    *,
    runs: Sequence[str] = (),
    checkpoints: Sequence[str] = (),
    passed: int = 50,
    failed: int = 50,
    seed: int = 0,
) -> SheetWritten:
    """Draw samples of what a judge decided, in some runs or all, and write a sheet of them, with
    the episodes beside it. A sheet that is there is never written over: somebody may have filled it
    in. Raises ``BadArgument``, ``UnknownJudgeOfRun``, ``NoCheckpoints``, ``UnknownId``."""
    if sheet.exists():
        why = "it is there already, and may have been filled in; choose another name"
        raise BadArgument("--out", str(sheet), why)
    found, _ = _judge(store, judge, runs)
    columns = _columns(store, found, runs)
    decided = {
        name: sides for name, sides in _decided(columns) if not checkpoints or name in checkpoints
    }
    if not decided:
        raise NoCheckpoints(found.label, checkpoints)
    samples, drawn = draw(decided, passed=passed, failed=failed, seed=seed)
    folder = sheet.with_name(f"{sheet.stem}-episodes")
    written = _Transcripts(store, folder)
    transcripts = {sample.episode: written.write(sample.episode) for sample in samples}
    write_sheet(
        sheet,
        samples,
        characters=_characters(columns),
        questions=_questions(store, found),
        transcripts=transcripts,
    )
    return SheetWritten(
        judge=found,
        sheet=str(sheet),
        transcripts=str(folder),
        samples=len(samples),
        drawn=tuple(drawn),
    )


def validate(
    store: EventStore, judge: str, sheet: Path, positive: Positive = "passed"
) -> Validation:
    """What the labels in a sheet say of a judge: of the one it was drawn for, or of any other that
    scored the same episodes. Raises ``UnknownJudgeOfRun``, ``NoCheckpoints``, ``BadSheet``."""
    labels = read_labels(sheet)
    found, kind = _judge(store, judge)
    said: dict[tuple[str, int], SeatScores] = {}
    for episode in sorted({sample.episode for sample in labels}):
        rows = queries.scores(store, episode=episode, judge=found.hash)
        said |= {(one.episode, one.seat): one for one in seat_scores(rows)}
    pairs: dict[str, list[tuple[Verdict, bool]]] = defaultdict(list)
    for sample, label in labels.items():
        seat = said.get((sample.episode, sample.seat))
        value = seat.values.get(sample.checkpoint) if seat else None
        if value not in (None, 0, 1):
            raise NoCheckpoints(found.label, (sample.checkpoint,))
        pairs[sample.checkpoint].append((None if value is None else value == 1, label))
    decided = {name for one in said.values() for name in one.asked}
    if not decided & set(pairs):
        raise NoCheckpoints(found.label, in_order(pairs))
    return Validation(
        judge=found, kind=kind, positive=positive, checkpoints=tuple(validated(pairs, positive))
    )


def in_words(account: Account, title: str) -> str:
    """An episode as somebody reads it who is to judge it: all of it, secrets and goals too."""
    lines = [title, "", "What is given", indented(account.situation)]
    lines += [f"- {continued(one)}" for one in account.relationships]
    for portrait in account.portraits:
        lines += ["", f"Seat {portrait.seat + 1}: {continued(portrait.name)}"]
        lines += [continued(f"{what}: {value}") for what, value in portrait.facts]
        lines += [continued(f"Secret: {portrait.secret}")] * bool(portrait.secret)
        lines += [continued(f"Private goal: {portrait.goal}")] * bool(portrait.goal)
    lines += ["", "What happened"]
    lines += [
        continued(f"[{entry.number}] turn {entry.turn}: {entry.line}") for entry in account.entries
    ]
    lines += [continued(f"The end: {account.ending}.")] * bool(account.ending)
    return "\n".join(lines) + "\n"


class _Transcripts:
    """The episodes of a sheet, and those before them in their chains, a file each."""

    def __init__(self, store: EventStore, folder: Path) -> None:
        self._store, self._folder = store, folder
        self._written: set[str] = set()

    def write(self, episode: str) -> str:
        """Write an episode and all before it; its path beside the sheet."""
        history = read_history(self._store, episode)
        judged = JudgedEpisode(history)
        past = past_of(self._store, history)
        title = f"Episode {episode}"
        if judged.started.chain:
            title += f", number {judged.started.index + 1} of a chain"
        before = [
            name
            for index in range(len(past))
            if (name := self._earlier(f"{judged.started.chain}-{index + 1}", past, index))
        ]
        title += f"; before it: {', '.join(before)}" if before else ""
        return f"{self._folder.name}/{self._put(episode, judged, title)}"

    def _earlier(self, name: str, past: EarlierEpisodes, index: int) -> str:
        """Write an earlier episode of a chain, once; empty where it was never played."""
        if f"{name}.txt" in self._written:
            return f"{name}.txt"
        history = past[index]
        if not history:
            return ""
        title = f"Number {index + 1} of a chain"
        return self._put(name, JudgedEpisode(history), title)

    def _put(self, name: str, episode: JudgedEpisode, title: str) -> str:
        path = self._folder / f"{name}.txt"
        if path.name not in self._written:
            self._written.add(path.name)
            with atomic_write(path) as unfinished:
                text = harmless(in_words(episode.account, title))
                unfinished.write_text(text, encoding="utf-8")
        return path.name


def _judge(store: EventStore, given: str, runs: Sequence[str] = ()) -> tuple[Judged, str]:
    """The judge of that name or hash, and its kind."""
    rows = [row for run in runs or (None,) for row in queries.evaluations(store, run=run)]
    found = find_judge(judged_of({row.judge_hash: row.judge for row in rows}), given)
    return found, next(row.judge_kind for row in rows if row.judge_hash == found.hash)


def _columns(store: EventStore, judge: Judged, runs: Sequence[str]) -> ScoreColumns:
    """All that the judge scored, in some runs or in all that it scored."""
    found = [queries.find_run(store, run) for run in runs] or dict.fromkeys(
        row.run for row in queries.evaluations(store, judge=judge.hash)
    )
    return read_columns(store, *found).of(judge.hash)


def _decided(columns: ScoreColumns) -> Iterator[tuple[str, Split]]:
    """The judge's checkpoints, and whom it let pass them."""
    for name in in_order(columns.dimension.there()):
        rows = columns.where(columns.dimension.among(name) & columns.scored)
        if len(rows) and is_checkpoint(name, np.unique(rows.value)):
            yield (
                name,
                Split(_seats(rows.where(rows.value == 1)), _seats(rows.where(rows.value == 0))),
            )


def _seats(rows: ScoreColumns) -> list[tuple[str, int]]:
    return list(zip(rows.episode.words(), map(int, rows.seat), strict=True))


def _characters(columns: ScoreColumns) -> dict[tuple[str, int], str]:
    return dict(zip(_seats(columns), columns.character.words(), strict=True))


def _questions(store: EventStore, judge: Judged) -> dict[str, str]:
    """What each checkpoint asks, in the judge's own words."""
    row = next(row for row in queries.evaluations(store, judge=judge.hash))
    started = event_of(store.read(stream_name("evaluation", row.id), 0, 0)[0])
    assert isinstance(started, EvaluationStarted), "an evaluation begins with it"
    return {d.name: f"1 (passed) or 0 (failed)? {d.description}" for d in started.judge.dimensions}
