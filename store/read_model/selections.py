"""The SELECT statements behind ``store.read_model.queries``, and their rows as records."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec
import sqlalchemy as sa

from events.agent import WORD_COUNT
from store.database.tables import log
from store.projections import tables as t
from store.projections.amounts import PICO
from store.projections.score_texts import WORDS, kinds_of, numbers_in, words_in
from store.read_model.records import (
    CallRow,
    CallTotals,
    EpisodeTotals,
    EvaluationRow,
    MemoryRow,
    ScoreRow,
    SecondTries,
)

MICRO = 1e6
_UNPLACED = 2**62
"""Behind every place in a plan."""

Select = sa.Select[Any]


_growing = t.runs.alias()
own_episode = t.episodes.c.place.is_not(None) | (
    t.episodes.c.parent.is_(None)
    & t.episodes.c.run.in_(sa.select(_growing.c.id).where(_growing.c.episodes_planned == 0))
)
"""Condition: no fork, but an episode that its run's plan names, or of the run of a study, whose
plan names none: they begin as participants come. ``RUNS`` is to be caught up with, too."""


def _own(*conditions: sa.ColumnElement[bool]) -> sa.ScalarSelect[int]:
    return (
        sa.select(sa.func.count())
        .where(
            t.episodes.c.run == t.runs.c.id,
            own_episode,
            t.episodes.c.superseded_by == "",
            *conditions,
        )
        .correlate(t.runs)
        .scalar_subquery()
    )


# What was asked for by its episode alone belongs to the episode's run.
evaluation_run = sa.case(
    (t.evaluations.c.run != "", t.evaluations.c.run),
    else_=sa.func.coalesce(t.episodes.c.run, ""),
)
_evaluated = t.evaluations.outerjoin(t.episodes, t.episodes.c.id == t.evaluations.c.episode)
_called = t.calls.outerjoin(t.evaluations, t.evaluations.c.id == t.calls.c.evaluation)
called_episode = sa.case(
    (t.calls.c.episode != "", t.calls.c.episode),
    else_=sa.func.coalesce(t.evaluations.c.episode, ""),
)

standing_episode = sa.func.coalesce(t.episodes.c.superseded_by, "") == ""
"""Condition: no other episode was played in its place."""
standing_evaluation = (t.evaluations.c.superseded_by == "") & standing_episode
"""Condition: no other evaluation counts in its place, nor another episode in that of its own."""

RUNS: Select = sa.select(
    *(
        column
        for column in t.runs.c
        if column.name not in ("taken_ended", "taken_failed", "episodes_planned")
    ),
    # Of an archived run the rows of its episodes are not here.
    sa.case(
        (t.runs.c.episodes_planned == 0, _own() + t.runs.c.taken_ended + t.runs.c.taken_failed),
        else_=t.runs.c.episodes_planned,
    ).label("episodes_planned"),
    (_own(t.episodes.c.status == "ended") + t.runs.c.taken_ended).label("episodes_ended"),
    (_own(t.episodes.c.status == "failed") + t.runs.c.taken_failed).label("episodes_failed"),
    _own(t.episodes.c.status == "ended", t.episodes.c.failed_actions > 0).label("episodes_marked"),
).order_by(t.runs.c.started_at, t.runs.c.id)

EPISODES: Select = sa.select(
    *(column for column in t.episodes.c if column.name not in ("place", "index_")),
    t.episodes.c.index_.label("index"),
).order_by(t.placed, t.episodes.c.started_at, t.episodes.c.id)

EPISODE_TOTALS: Select = sa.select(
    *(
        sa.func.coalesce(sa.func.sum(sa.case((condition, value), else_=0)), 0).label(name)
        for name, condition, value in (
            ("episodes", standing_episode, 1),
            ("turns", standing_episode, t.episodes.c.turns),
            ("failed_actions", standing_episode, t.episodes.c.failed_actions),
            ("superseded", ~standing_episode, 1),
        )
    )
)

ACTIONS_TAKEN: Select = (
    sa.select(sa.func.count())
    .select_from(t.episodes.join(log, log.c.stream == sa.literal("episode-") + t.episodes.c.id))
    .where(t.episodes.c.run == sa.bindparam("run"), standing_episode, log.c.tag == "ActionTaken")
)

CHAINS: Select = sa.select(*(column for column in t.chains.c if column.name != "place")).order_by(
    sa.func.coalesce(t.chains.c.place, _UNPLACED), t.chains.c.started_at, t.chains.c.id
)

MEMORIES: Select = sa.select(
    *(column for column in t.memories.c if column.name != "index_"),
    t.memories.c.index_.label("index"),
).order_by(t.memories.c.chain, t.memories.c.index_, t.memories.c.seat)

EVALUATIONS: Select = (
    sa.select(
        *(column for column in t.evaluations.c if column.name != "run"),
        evaluation_run.label("run"),
        sa.func.coalesce(t.scores.c.kinds, "").label("kinds"),
    )
    .select_from(_evaluated.outerjoin(t.scores, t.scores.c.evaluation == t.evaluations.c.id))
    .order_by(t.evaluations.c.started_at, t.evaluations.c.id)
)

SCORES: Select = (
    sa.select(
        t.scores,
        *(t.evaluations.c[name] for name in ("episode", "judge", "judge_kind", "judge_hash")),
        evaluation_run.label("run"),
        t.episodes.c.minds,
        t.episodes.c.characters,
    )
    .select_from(_evaluated.join(t.scores, t.scores.c.evaluation == t.evaluations.c.id))
    .order_by(t.evaluations.c.started_at, t.evaluations.c.id)
)

_NOT_OF_A_CALL = ("stream", "episode", "mends", "fault", "continued")
CALLS: Select = (
    sa.select(
        *(column for column in t.calls.c if column.name not in _NOT_OF_A_CALL),
        called_episode.label("episode"),
    )
    .select_from(_called)
    .order_by(t.calls.c.stream, t.calls.c.turn, t.calls.c.attempt)
)

_TOTALLED = (t.calls.c.run, t.calls.c.model, t.calls.c.purpose)
_SUMMED = (
    "asked",
    "answered",
    "failed",
    "input_tokens",
    "output_tokens",
    "cost_pico_usd",
    "unpriced",
    "latency_us",
)
TOTALS: Select = (
    sa.select(
        *_TOTALLED,
        *(sa.func.sum(t.calls.c[name]).label(name) for name in _SUMMED),
        sa.func.sum(sa.case((t.calls.c.fault.not_in(("", WORD_COUNT)), 1), else_=0)).label(
            "unreadable"
        ),
        sa.func.sum(
            sa.case((t.calls.c.answered + t.calls.c.failed == 0, 1), else_=0),
        ).label("unanswered"),
    )
    .select_from(_called)
    .group_by(*_TOTALLED)
    .order_by(*_TOTALLED)
)

_mended = sa.func.sum(
    sa.case(((t.calls.c.answered > 0) & (t.calls.c.fault == ""), 1), else_=0)
).label("mended")


_CUT_OFF = sa.case((t.calls.c.continued > 0, "cut_off"), else_="")


def _second_tries(way: str, fault: sa.ColumnElement[str]) -> Select:
    """Calls that have a fault to mend, counted by it."""
    by = (t.calls.c.run, t.calls.c.model, fault.label("fault"))
    counts = (sa.literal(way).label("way"), sa.func.count().label("times"), _mended)
    return sa.select(*by, *counts).select_from(_called).where(fault != "").group_by(*by)


ASKED_AGAIN: Select = _second_tries("asked again", t.calls.c.mends)
GONE_ON_WITH: Select = _second_tries("gone on with", _CUT_OFF)


def evaluations_of_run(run: str) -> sa.ColumnElement[bool]:
    """Condition: evaluations of a run."""
    by_episode = (t.evaluations.c.run == "") & (t.episodes.c.run == run)
    return (t.evaluations.c.run == run) | by_episode


def evaluations_of_runs(runs: Sequence[str]) -> Select:
    """The ids of the evaluations of some runs that stand."""
    c = t.evaluations.c
    standing = sa.select(c.id).select_from(_evaluated).where(standing_evaluation)
    # Two look-ups by index: with "or" the databases go through all evaluations there are.
    both = sa.union_all(
        standing.where(c.run.in_(runs)),
        standing.where(c.run == "", t.episodes.c.run.in_(runs)),
    ).subquery()
    return sa.select(both.c.id)


def calls_of_episode(episode: str) -> sa.ColumnElement[bool]:
    """Condition: calls of an episode's agents and of its judges."""
    judges = sa.select(t.evaluations.c.id).where(t.evaluations.c.episode == episode)
    return (t.calls.c.episode == episode) | t.calls.c.evaluation.in_(judges.correlate(None))


def evaluation(*, kinds: str, **values: Any) -> EvaluationRow:
    """The columns of a row of ``EVALUATIONS``."""
    scored, failed, abstained = _with_statuses(kinds)
    return EvaluationRow(**values, scored=scored, failed=failed, abstained=abstained)


@lru_cache(maxsize=4096)
def _with_statuses(kinds: str) -> tuple[int, int, int]:
    counts = Counter(kind.status for kind in kinds_of(kinds).kinds)
    return counts["scored"], counts["failed"], counts["abstained"]


def scores(row: sa.Row[Any]) -> Iterator[ScoreRow]:
    """The scores in a row of ``SCORES``, by seat and dimension."""
    numbers = numbers_in(row.numbers)
    reasons, evidence, quotes = (words_in(row._mapping[name]) for name in WORDS)
    for at, seat, dimension, status in kinds_of(row.kinds).kinds:
        yield ScoreRow(
            evaluation=row.evaluation,
            episode=row.episode,
            run=row.run,
            judge=row.judge,
            judge_kind=row.judge_kind,
            judge_hash=row.judge_hash,
            seat=seat,
            mind=_of_seat(row.minds, seat),
            character=_of_seat(row.characters, seat),
            dimension=dimension,
            status=status,  # type: ignore[arg-type]
            value=numbers[at],
            reason=reasons[at],
            evidence=msgspec.json.decode(evidence[at], type=tuple[int, ...]),
            quotes=msgspec.json.decode(quotes[at], type=tuple[str, ...]),
        )


def call(row: sa.Row[Any]) -> CallRow:
    """A row of ``CALLS``."""
    values = row._asdict()
    cost, unpriced = values.pop("cost_pico_usd"), values.pop("unpriced")
    known = values["answered"] and not unpriced
    return CallRow(
        cost_usd=cost / PICO if known else None,
        latency_s=values.pop("latency_us") / MICRO,
        **values,
    )


def memory(row: sa.Row[Any]) -> MemoryRow:
    """A row of ``MEMORIES``."""
    values = row._asdict()
    cost = values.pop("cost_pico_usd")
    return MemoryRow(cost_usd=None if cost is None else cost / PICO, **values)


def episode_totals(row: sa.Row[Any]) -> EpisodeTotals:
    """A row of ``EPISODE_TOTALS``."""
    # PostgreSQL answers sums of big integers as decimals.
    return EpisodeTotals(**{name: int(value) for name, value in row._asdict().items()})


def totals(row: sa.Row[Any]) -> CallTotals:
    """A row of ``TOTALS``."""
    values = row._asdict()
    # PostgreSQL answers sums of big integers as decimals.
    values |= {name: int(values[name]) for name in (*_SUMMED, "unreadable", "unanswered")}
    return CallTotals(
        cost_usd=values.pop("cost_pico_usd") / PICO,
        latency_s=values.pop("latency_us") / MICRO,
        **values,
    )


def second_tries(row: sa.Row[Any]) -> SecondTries:
    """A row of ``ASKED_AGAIN`` or ``GONE_ON_WITH``."""
    values = row._asdict()
    return SecondTries(**values | {name: int(values[name]) for name in ("times", "mended")})


def _of_seat(words: tuple[str, ...], seat: int) -> str:
    return words[seat] if 0 <= seat < len(words) else ""
