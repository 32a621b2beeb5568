"""One episode of a report: what its row in the list says and what opens below it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from actors.episodes.port.words import Entry
from evaluators.plugin import OVERALL
from evaluators.report.data.headlines import headlines
from evaluators.report.data.run_data import EpisodeTranscript, RunData, transcripts
from evaluators.scores.dimensions import in_order, is_checkpoint, label
from evaluators.scores.seat_scores import SeatScores, seat_scores
from store.database.id_batches import in_batches
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EpisodeRow, ScoreRow

_AT_ONCE = 50
"""Episodes whose scores are held as objects."""


class ScoreCell(msgspec.Struct, frozen=True, kw_only=True):
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


class TranscriptEntry(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened, as the page shows it."""

    entry: Entry
    anchor: bool
    """It is the first of its event, to which links lead."""
    raw: str
    """Of a failed action, what the mind said; empty: nothing."""


class EpisodeEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An episode in the list."""

    row: EpisodeRow
    marks: list[str]
    scores: list[list[float | None]]
    """For each of the report's headlines what each seat got; None: nothing."""
    body: Markup
    why: str = ""
    """Why it was chosen; empty where all are shown."""


class Transcripts:
    """Makes the items of a report, one after the other."""

    def __init__(self, store: EventStore, gathered: RunData, jinja: Environment) -> None:
        self._store = store
        self._judges = gathered.judges
        self._headlines = headlines(gathered)
        self._body = jinja.get_template("transcript.html.j2")

    def items(self, rows: Sequence[EpisodeRow], why: Mapping[str, str]) -> Iterator[EpisodeEntry]:
        """The episodes in their order, a few read at a time."""
        for some in in_batches(rows, _AT_ONCE):
            given: dict[str, list[ScoreRow]] = {row.id: [] for row in some}
            for score in queries.scores_of(self._store, list(given)):
                given[score.episode].append(score)
            for transcript in transcripts(self._store, some):
                id_ = transcript.row.id
                yield self._item(transcript, given[id_], why.get(id_, ""))

    def _item(
        self, transcript: EpisodeTranscript, scores: Sequence[ScoreRow], why: str
    ) -> EpisodeEntry:
        """The episode's row and body, escaped."""
        row, account = transcript.row, transcript.account
        seats = seat_scores(scores)
        body = self._body.render(
            row=row,
            account=account,
            shown=_shown(transcript),
            names=[portrait.name for portrait in account.portraits] if account else [],
            judges=self._judges,
            verdicts=list(self._verdicts(scores, seats)),
        )
        return EpisodeEntry(
            row=row,
            marks=_marks(row, seats),
            scores=self._scores(row, seats),
            body=Markup(body),  # noqa: S704
            why=why,
        )

    def _scores(self, row: EpisodeRow, seats: Sequence[SeatScores]) -> list[list[float | None]]:
        given = {(one.judge, one.seat): one.values for one in seats}
        return [
            [
                given.get((headline.judge.judged.hash, seat), {}).get(headline.dimension)
                for seat in range(len(row.minds))
            ]
            for headline in self._headlines
        ]

    def _verdicts(
        self, scores: Sequence[ScoreRow], seats: Sequence[SeatScores]
    ) -> Iterable[dict[str, object]]:
        given = {
            (s.judge_hash, s.seat, s.dimension): ScoreCell(
                status=s.status,
                value=s.value,
                reason=s.reason,
                evidence=s.evidence,
                quotes=s.quotes,
                checkpoint=s.value is not None and is_checkpoint(s.dimension, [s.value]),
            )
            for s in scores
        }
        for one in seats:
            if OVERALL in one.values:
                given[one.judge, one.seat, OVERALL] = ScoreCell(
                    status="scored",
                    value=one.values[OVERALL],
                    reason="",
                    derived=True,
                )
        for seat in sorted({one.seat for one in seats}):
            first = next(one for one in seats if one.seat == seat)
            yield {
                "seat": seat,
                "character": first.character,
                "mind": first.mind,
                "dimensions": list(self._dimensions(seat, given)),
            }

    def _dimensions(
        self, seat: int, given: dict[tuple[str, int, str], ScoreCell]
    ) -> Iterable[dict[str, object]]:
        asked = {name for _, of, name in given if of == seat}
        for name in in_order(asked):
            yield {
                "label": label(name),
                "verdicts": [given.get((j.judged.hash, seat, name)) for j in self._judges],
            }


def _shown(transcript: EpisodeTranscript) -> list[TranscriptEntry]:
    """All that happened, in order, with what minds said that no action could be made of."""
    found: list[TranscriptEntry] = []
    anchored: set[int] = set()
    for entry in transcript.account.entries if transcript.account else ():
        raw = transcript.raw.get(entry.number, "") if entry.failed else ""
        found.append(TranscriptEntry(entry=entry, anchor=entry.number not in anchored, raw=raw))
        anchored.add(entry.number)
    return found


def _marks(row: EpisodeRow, seats: Sequence[SeatScores]) -> list[str]:
    """What the list can be narrowed down to."""
    marks = []
    if row.failed_actions:
        marks.append("failures")
    if any(seat.failed or seat.abstained for seat in seats):
        marks.append("missing")
    if row.status == "failed":
        marks.append("failed")
    if row.parent is not None:
        marks.append("fork")
    return marks
