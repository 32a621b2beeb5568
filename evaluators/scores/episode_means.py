"""What each judge gave each episode: its means over the seats, kept in a table, so that 100,000
episodes are in the order of their scores at once.

The table follows from the log as those of projections do, and its position is moved in the
transaction that writes its rows, too. It is none of theirs because which score is worked out from
others (``Overall``) only evaluators know: where that is changed, it is filled anew.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import compress
from threading import Lock
from typing import Any, Final, NamedTuple

import msgspec
import sqlalchemy as sa

from evaluators.plugin import OVERALL
from evaluators.registry import judgings
from evaluators.scores.dimensions import optional, overall_of
from events.base import Envelope
from events.episode import EpisodeForked, EpisodeStarted
from events.evaluation import EvaluationEnded, EvaluationFailed, EvaluationStarted
from events.ids import digest_of
from events.run import EpisodesRetried
from events.serialization.codec import event_of
from events.wire.subjects import split_stream, stream_name
from store.database.engines import writing
from store.database.id_batches import in_batches
from store.log.event_store import EventStore
from store.log.rows import listed
from store.projections import tables as t
from store.projections.episodes import EPISODES
from store.projections.maintenance.projector import SKIP_AHEAD, catch_up, move_position, reached_by
from store.projections.projection import MOVES
from store.projections.score_texts import SeatScore, scores_in
from store.projections.scores import SCORES
from store.projections.upserts import upsert
from store.read_model.selections import evaluation_run, standing_evaluation

TAGS: Final = (
    EvaluationEnded.__name__,
    EvaluationFailed.__name__,
    EpisodesRetried.__name__,
    # An evaluation may belong to a run by its episode alone.
    EpisodeStarted.__name__,
    EpisodeForked.__name__,
    *MOVES,
)
BATCH: Final = 1_000
"""Events a transaction."""


class MeansOfRun(NamedTuple):
    """The episodes of a run that a judge has scored in a dimension, or should have, by id; all
    columns are of one length."""

    episodes: list[str]
    means: list[float | None]
    """Over the seats that were scored; None: none was."""
    missing: list[bool]
    """Whether a score is missing."""


class EpisodeMeans:
    """The table, of one process. Blocking; safe from several threads and in several processes."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self._asked: dict[str, tuple[str, ...]] = {}
        """The dimensions that a judge declares, by its hash."""
        self._lock = Lock()

    def keep_up(self) -> None:
        """Bring the table up to the log's present end."""
        upto = self.store.head()
        if reached_by(self.store, _name()) >= upto:
            return
        with self._lock:
            catch_up(self.store, EPISODES, SCORES)
            while self._advance(upto):
                pass

    def of(self, run: str, judge: str, dimension: str) -> MeansOfRun:
        """Of a run (id in full) by a judge (hash)."""
        self.keep_up()
        c = t.episode_means.c
        rows = (
            sa.select(
                c.episode,
                sa.type_coerce(c.means, sa.Text).label("means"),
                sa.type_coerce(c.missing, sa.Text).label("missing"),
            )
            .where(c.run == run, c.judge == judge)
            .order_by(c.episode)
            .subquery()
        )
        texts = sa.func.aggregate_strings
        name = msgspec.json.encode(dimension).decode()
        lost = sa.case((rows.c.missing.contains(name, autoescape=True), "1"), else_="0")
        with self.store.engine.connect() as connection:
            names = listed(connection, rows.c.episode)
            query = sa.select(names, texts(rows.c.means, ","), texts(lost, ""))
            ids, means, missing = connection.execute(query).one()
        return _columns(ids or "[]", means or "", missing or "", dimension)

    def _advance(self, upto: int) -> bool:
        """Take in the next batch; False when there was none."""
        name = _name()
        start = reached_by(self.store, name)
        found = self.store.read_all(start, tags=TAGS, limit=BATCH)
        full = len(found) == BATCH
        envelopes = [one for one in found if one.position <= upto]
        reached = envelopes[-1].position if full and envelopes else max(start, upto)
        if not envelopes and reached - start < SKIP_AHEAD:
            return False
        moved = [_stem(one) for one in envelopes if one.tag in MOVES]
        rows = self._rows(self._episodes(envelopes, moved))
        write = upsert(self.store.backend, t.episode_means, ("means", "missing"), ())
        with writing(self.store.engine) as connection:
            if not move_position(connection, name, start, reached):
                return True
            if moved:
                gone = t.episode_means.c.run.in_(moved)
                connection.execute(t.episode_means.delete().where(gone))
            if rows:
                write.run(connection, rows)
        return full

    def _episodes(self, envelopes: Sequence[Envelope], moved: Collection[str]) -> set[str]:
        """The episodes whose rows may have changed."""
        found: set[str] = set()
        evaluations: list[str] = []
        for envelope in envelopes:
            if envelope.tag == EpisodesRetried.__name__:
                event = event_of(envelope)
                assert isinstance(event, EpisodesRetried)
                found.update(one.instead_of for one in event.episodes)
            elif envelope.tag.startswith("Evaluation"):
                evaluations.append(_stem(envelope))
            elif envelope.tag not in MOVES:
                found.add(_stem(envelope))
        e = t.evaluations.c
        with self.store.engine.connect() as connection:
            for some in in_batches(evaluations):
                query = sa.select(e.episode).where(e.id.in_(some))
                found.update(connection.execute(query).scalars())
            for run in moved:
                own = sa.select(t.episodes.c.id).where(t.episodes.c.run == run)
                found.update(connection.execute(own).scalars())
                found.update(connection.execute(sa.select(e.episode).where(e.run == run)).scalars())
        return found

    def _rows(self, episodes: Collection[str]) -> list[tuple[Any, ...]]:
        """The rows of some episodes, those with nothing in them for what counts no longer."""
        return [row for some in in_batches(list(episodes)) for row in self._rows_of(some)]

    def _rows_of(self, episodes: Sequence[str]) -> Iterable[tuple[Any, ...]]:
        e, s = t.evaluations.c, t.scores.c
        query = (
            sa.select(
                evaluation_run,
                e.judge_hash,
                e.episode,
                e.id,
                standing_evaluation,
                s.kinds,
                s.numbers,
            )
            .select_from(
                t.evaluations.join(t.scores, s.evaluation == e.id).outerjoin(
                    t.episodes, t.episodes.c.id == e.episode
                )
            )
            .where(e.episode.in_(episodes), e.judge_hash != "")
            .order_by(e.started_at, e.id)
        )
        with self.store.engine.connect() as connection:
            found = connection.execute(query).all()
        evaluated: dict[tuple[str, str, str, str], list[SeatScore]] = {}
        rows: dict[tuple[str, str, str], tuple[dict[str, float], set[str]]] = {}
        for run, judge, episode, evaluation, stands, kinds, numbers in found:
            rows.setdefault((run, judge, episode), ({}, set()))
            if stands:
                evaluated[run, judge, episode, evaluation] = list(scores_in(kinds, numbers))
        for (run, judge, episode, evaluation), scores in evaluated.items():
            means, missing = rows[run, judge, episode]
            for name, mean, gone in _means(scores, self._declared(judge, evaluation)):
                # Of an episode that was read twice the last counts that has a value.
                if mean is not None:
                    means[name] = mean
                elif name in means:
                    continue
                (missing.add if gone else missing.discard)(name)
        return [(*key, means, tuple(sorted(missing))) for key, (means, missing) in rows.items()]

    def _declared(self, judge: str, evaluation: str) -> tuple[str, ...]:
        """All dimensions that a judge declares."""
        if judge not in self._asked:
            first = self.store.read(stream_name("evaluation", evaluation), 0, 0)
            event = event_of(first[0]) if first else None
            found = event.judge.dimensions if isinstance(event, EvaluationStarted) else ()
            self._asked[judge] = tuple(dimension.name for dimension in found)
        return self._asked[judge]


def _means(
    scores: Iterable[SeatScore], asked: Collection[str]
) -> Iterable[tuple[str, float | None, bool]]:
    """Of one evaluation each dimension's mean over the seats, and whether a score is missing."""
    values: dict[str, list[float]] = {}
    missing: set[str] = set()
    seats: dict[int, dict[str, float]] = {}
    for seat, dimension, status, value in scores:
        there = values.setdefault(dimension, [])
        of_seat = seats.setdefault(seat, {})
        if value is not None:
            there.append(value)
            of_seat[dimension] = value
        # What a judge declines is missing unless it concerned only some seats.
        elif status == "failed" or dimension not in optional():
            missing.add(dimension)
    for dimension, found in values.items():
        yield dimension, _mean(found), dimension in missing
    overall = overall_of(asked)
    if overall is not None:
        worked_out = [overall.value(of_seat) for of_seat in seats.values()]
        there = [value for value in worked_out if value is not None]
        yield OVERALL, _mean(there), len(there) < len(worked_out)


def _columns(ids: str, means: str, missing: str, dimension: str) -> MeansOfRun:
    """From a JSON array, objects with commas between, and a digit each."""
    # So many objects would have the collector look through all that the process has.
    one = msgspec.defstruct(
        "One", [("mean", float | None, None)], rename={"mean": dimension}, gc=False
    )
    objects: list[Any] = msgspec.json.decode(f"[{means}]", type=list[one])  # type: ignore[valid-type]
    found = [each.mean for each in objects]
    gone = [digit == "1" for digit in missing]
    # What counts no longer, and what says nothing of this dimension, is left out.
    there = [lacks or mean is not None for lacks, mean in zip(gone, found, strict=True)]
    episodes = msgspec.json.decode(ids, type=list[str])
    return MeansOfRun(
        [*compress(episodes, there)], [*compress(found, there)], [*compress(gone, there)]
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _stem(envelope: Envelope) -> str:
    return split_stream(envelope.stream)[1]


@cache
def _name() -> str:
    """The table's, as positions are kept; another where scores are worked out otherwise."""
    overalls: Mapping[str, Any] = {
        name: [
            judging.overall.short,
            sorted(dimension.name for dimension in judging.overall.dimensions),
        ]
        for name, judging in judgings().items()
        if judging.overall is not None
    }
    rule = msgspec.json.encode([overalls, sorted(optional())], order="deterministic")
    return f"episode_means-{digest_of(rule)}"
