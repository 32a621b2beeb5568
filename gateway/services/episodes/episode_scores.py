"""The scores of an episode beside their reasons, judge by judge, and what they rest on."""

from collections.abc import Sequence
from itertools import groupby

from evaluators.scores.dimensions import in_order, is_checkpoint, known, label, optional
from events.base import Value
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EvaluationRow, ScoreRow

_KINDS = {
    "rehearsal": "rehearsal: fixed rules, no finding",
    "local": "local model: no finding",
    "rule": "fixed rules",
    "imported": "came with the episode",
}


class ShownScore(Value, frozen=True, kw_only=True):
    """One dimension of one seat."""

    key: str
    """What addresses call it: ``<seat from 1>.<dimension>``."""
    dimension: str
    """How people read its name."""
    value: str
    """As a number, ``passed``, ``not passed``, or why there is none."""
    missing: bool = False
    """There is no value."""
    range: str = ""
    """The least and the greatest value there is; empty: not known."""
    share: float | None = None
    """Where in its range the value is, from 0 to 1."""
    reason: str = ""
    evidence: tuple[int, ...] = ()
    """Numbers of events."""
    quotes: tuple[str, ...] = ()


class SeatScores(Value, frozen=True, kw_only=True):
    """One seat, as one judge scored it."""

    seat: int
    character: str
    mind: str
    scores: tuple[ShownScore, ...]


class Judge(Value, frozen=True, kw_only=True):
    """One evaluation of the episode that stands."""

    id: str
    """The evaluation's."""
    name: str
    kind: str
    """What kind of judge it is, where that is to be known of its scores; empty: a model."""
    status: str
    reason: str = ""
    """Why it was given up."""
    upto: int
    """The last event that it read."""
    asks_model: bool = False
    """Whether there are calls to be looked at."""


class Scores(Value, frozen=True, kw_only=True):
    """What the panel of scores shows."""

    judges: tuple[Judge, ...]
    chosen: Judge | None = None
    seats: tuple[SeatScores, ...] = ()
    lit: ShownScore | None = None
    """The score whose evidence is lit up."""


def scores_of(store: EventStore, episode: str, judge: str, lit: str) -> Scores:
    """The scores by one judge (an evaluation's id; the first where there is no such one), with the
    score of key ``lit`` chosen. Takes the episode's id in full."""
    rows = queries.evaluations(store, episode=episode)
    rows.sort(key=lambda row: (row.judge_kind == "rule", row.judge_kind == "rehearsal"))
    names = [row.judge for row in rows]
    judges = tuple(_judge(row, names.count(row.judge) > 1) for row in rows)
    if not judges:
        return Scores(judges=())
    chosen = next((one for one in judges if one.id == judge), judges[0])
    scores = [row for row in queries.scores(store, episode=episode) if row.evaluation == chosen.id]
    seats = tuple(_seats(scores))
    every = (score for seat in seats for score in seat.scores)
    return Scores(
        judges=judges,
        chosen=chosen,
        seats=seats,
        lit=next((score for score in every if score.key == lit), None),
    )


def _judge(row: EvaluationRow, several: bool) -> Judge:
    return Judge(
        id=row.id,
        name=f"{row.judge} ({row.judge_hash[:6]})" if several else row.judge,
        kind=_KINDS.get(row.judge_kind, ""),
        status=row.status,
        reason=row.reason,
        upto=row.upto,
        asks_model=row.judge_kind in ("model", "local"),
    )


def _seats(rows: Sequence[ScoreRow]) -> list[SeatScores]:
    order = in_order(row.dimension for row in rows)
    by_seat = sorted(rows, key=lambda row: (row.seat, order.index(row.dimension)))
    found = []
    for seat, some in groupby(by_seat, key=lambda row: row.seat):
        scores = list(some)
        found.append(
            SeatScores(
                seat=seat,
                character=scores[0].character,
                mind=scores[0].mind,
                scores=tuple(
                    _shown(row)
                    for row in scores
                    # Of what concerns only some seats nothing is missing in the others.
                    if row.status != "abstained" or row.dimension not in optional()
                ),
            )
        )
    return found


def _shown(row: ScoreRow) -> ShownScore:
    scale = known().get(row.dimension)
    value: str = row.status
    share, range_ = None, ""
    if row.status == "scored" and row.value is not None:
        if is_checkpoint(row.dimension, [row.value]):
            value = "passed" if row.value else "not passed"
        else:
            value = f"{round(row.value, 3):g}"
            if scale is not None and scale.low <= row.value <= scale.high:
                share = (row.value - scale.low) / ((scale.high - scale.low) or 1)
                range_ = f"{scale.low:g} to {scale.high:g}"
    return ShownScore(
        key=f"{row.seat + 1}.{row.dimension}",
        dimension=label(row.dimension),
        value=value.replace("-", "−"),
        missing=row.status != "scored",
        range=range_.replace("-", "−"),
        share=share,
        reason=row.reason,
        evidence=row.evidence,
        quotes=row.quotes,
    )
