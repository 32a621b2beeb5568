"""What the pages of chains show. Blocking."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import msgspec
from markupsafe import Markup

from evaluators.registry import judging_of
from evaluators.report.charts import curve_charts
from evaluators.report.charts.svg_charts import Chart
from evaluators.scores.dimensions import in_order, is_checkpoint, kept, label
from evaluators.scores.scales import scale_of
from evaluators.scores.score_columns import ScoreColumns, read_columns
from evaluators.scores.seat_scores import Judged, find_judge
from evaluators.statistics import chain_curves
from evaluators.tables.curve_tables import slopes_table
from evaluators.tables.plain_tables import PlainTable
from events.memory import NOTE_PARTS
from gateway.services.results.chain_details import (
    ChainDetails,
    Remembered,
    chain_details,
    remembered,
)
from store.log.event_store import EventStore
from store.projections import tables as t
from store.read_model import queries
from store.read_model.records import ChainRow, EpisodeRow, ScoreRow


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """A curve with its slopes."""

    title: str
    picture: Markup
    slopes: PlainTable | None


class JudgeCurves(msgspec.Struct, frozen=True, kw_only=True):
    """The curves of a run's chains by one judge."""

    judges: tuple[Judged, ...]
    judge: Judged | None
    """Whose they are; None: nobody has scored a chain."""
    rehearsal: bool
    dimensions: tuple[tuple[str, str], ...]
    """Those there are, with how people read them."""
    figures: tuple[Figure, ...]
    local: bool = False
    """Whether the judge is a local model."""


class Chains(msgspec.Struct, frozen=True, kw_only=True):
    """The chains of a run."""

    run: str
    name: str
    runs: tuple[tuple[str, str], ...]
    """Id and name of the runs that have chains, the newest first."""
    chains: tuple[ChainRow, ...]
    curves: JudgeCurves | None


class KeptMemory(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat was reminded of before an episode, and kept of it."""

    seat: int
    of: Remembered
    parts: tuple[tuple[str, str], ...]
    """Of the note: what it is about, and the words."""


class JudgeScore(msgspec.Struct, frozen=True, kw_only=True):
    """What one judge said of one seat."""

    judge: str
    seat: int
    values: tuple[tuple[str, ScoreRow], ...]
    """By what people read for the dimension; checkpoints are not among them."""
    checkpoints: tuple[tuple[str, ScoreRow], ...]


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """One episode of a chain."""

    row: EpisodeRow
    kept: tuple[KeptMemory, ...]
    scored: tuple[JudgeScore, ...]


class Cell(msgspec.Struct, frozen=True):
    """Whether an episode was recalled before another."""

    index: int
    """Of the episode that was about to begin."""
    of: int
    """Of the earlier one."""
    recalled: bool
    """False: it was left out, for want of room."""


class Recalls(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat was reminded of, index by index."""

    seat: int
    name: str
    size: int
    """Episodes of the chain."""
    cells: tuple[Cell, ...]


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """A chain with all that was kept of it."""

    details: ChainDetails
    names: tuple[str, ...]
    """Of its characters, one a seat."""
    links: tuple[Link, ...]
    recalls: tuple[Recalls, ...]
    curves: JudgeCurves | None


def chains_of(store: EventStore, run: str, judge: str, dimensions: Sequence[str]) -> Chains | None:
    """The chains of a run (its id, or how it begins; empty: the newest that has some) with curves
    by one judge. None: there are no chains. Raises ``UnknownId``, ``UnknownJudgeOfRun``."""
    having = {row.run for row in queries.chains(store)}
    rows = [row for row in reversed(queries.runs(store)) if row.id in having]
    chosen = queries.find_run(store, run) if run else (rows[0].id if rows else "")
    if not chosen:
        return None
    found = queries.chains(store, chosen)
    return Chains(
        run=chosen,
        name=queries.named_run(store, chosen)[1],
        runs=tuple((row.id, row.name) for row in rows),
        chains=tuple(_named(store, chosen, found)),
        curves=_curves(store, chosen, judge, dimensions) if found else None,
    )


def _named(store: EventStore, run: str, chains: Sequence[ChainRow]) -> Iterator[ChainRow]:
    """Chains with what their characters are called, as their first episodes tell; with their ids
    before that."""
    c = t.episodes.c
    first = queries.episodes(store, run=run, where=(c.chain != "") & (c.index_ == 0))
    names = {row.chain: row.characters for row in first if row.characters}
    for chain in chains:
        yield msgspec.structs.replace(chain, characters=names.get(chain.id, chain.characters))


def chain_of(
    store: EventStore, given: str, judge: str = "", dimensions: Sequence[str] = ()
) -> Chain:
    """A chain, by its id or how it begins. Raises ``UnknownId``, ``UnknownJudgeOfRun``."""
    details = chain_details(store, given)
    chain = details.chain
    memories = remembered(store, chain.id, None, None)
    by_index: dict[int, list[Remembered]] = defaultdict(list)
    for one in memories:
        by_index[one.row.index].append(one)
    scores: dict[str, list[ScoreRow]] = defaultdict(list)
    for row in queries.scores_of(store, [episode.id for episode in details.episodes]):
        scores[row.episode].append(row)
    names = next((row.characters for row in details.episodes if row.characters), chain.characters)
    return Chain(
        details=details,
        names=names,
        links=tuple(
            Link(
                row=row,
                kept=tuple(_kept(one) for one in by_index[row.index]),
                scored=tuple(_scored(scores[row.id])),
            )
            for row in details.episodes
        ),
        recalls=tuple(_recalls(memories, names, chain.length)),
        curves=_curves(store, chain.run, judge, dimensions, chain.id) if chain.run else None,
    )


def reminder(store: EventStore, given: str, seat: int, index: int) -> str:
    """The words that a seat (from 0) was reminded with before an episode. Raises ``UnknownId``,
    ``BadArgument``."""
    rows = remembered(store, given, seat + 1, index)
    return rows[0].reminded if rows else ""


def _kept(one: Remembered) -> KeptMemory:
    note = one.note
    words = {
        "overview": "What happened",
        "strategies": "Strategies",
        "knowledge": "What was learnt of the others",
    }
    parts = [(words[part], getattr(note, part)) for part in NOTE_PARTS] if note else []
    return KeptMemory(
        seat=one.row.seat, of=one, parts=tuple((what, text) for what, text in parts if text)
    )


def _scored(rows: Sequence[ScoreRow]) -> list[JudgeScore]:
    by: dict[tuple[str, str, int], list[ScoreRow]] = defaultdict(list)
    for row in rows:
        by[row.judge, row.judge_hash, row.seat].append(row)
    found = []
    order = in_order(row.dimension for row in rows)
    for (judge, _, seat), mine in sorted(by.items()):
        told = [
            (label(row.dimension), row, is_checkpoint(row.dimension, [row.value or 0]))
            for row in sorted(mine, key=lambda row: order.index(row.dimension))
            if row.dimension not in kept()
        ]
        found.append(
            JudgeScore(
                judge=judge,
                seat=seat,
                values=tuple((name, row) for name, row, passed in told if not passed),
                checkpoints=tuple((name, row) for name, row, passed in told if passed),
            )
        )
    return found


def _recalls(kept: Sequence[Remembered], names: Sequence[str], size: int) -> list[Recalls]:
    seats: Mapping[int, list[Remembered]] = defaultdict(list)
    for one in kept:
        seats[one.row.seat].append(one)
    return [
        Recalls(
            seat=seat,
            name=names[seat] if 0 <= seat < len(names) else f"seat {seat + 1}",
            size=size,
            cells=tuple(
                Cell(one.row.index, of, recalled)
                for one in rows
                for of, recalled in (
                    *((at, True) for at in one.row.recalled),
                    *((at, False) for at in one.row.dropped),
                )
            ),
        )
        for seat, rows in sorted(seats.items())
    ]


def _curves(
    store: EventStore, run: str, judge: str, dimensions: Sequence[str], chain: str = ""
) -> JudgeCurves | None:
    columns = read_columns(store, run)
    columns = columns.where(columns.chain.among(chain) if chain else ~columns.chain.among(""))
    there = [one for one in columns.judges if one.hash in columns.judge.there()]
    if not there:
        return None
    chosen = find_judge(there, judge) if judge else there[0]
    named = columns.of(chosen.hash).dimensions()
    environment = next(iter(columns.environment.there()), "")
    first = judging_of(environment).first or tuple(named)
    wanted = [name for name in dimensions if name in named] or [
        name for name in named if name in first
    ][:4]
    found = chain_curves.of_columns(columns, judges=[chosen], dimensions=wanted or named[:1])
    minds = list(dict.fromkeys(columns.mind.words()))
    return JudgeCurves(
        judges=tuple(there),
        judge=chosen,
        rehearsal=columns.kinds[chosen.hash] == "rehearsal",
        local=columns.kinds[chosen.hash] == "local",
        dimensions=tuple((name, label(name)) for name in named),
        figures=tuple(
            _figure(columns, one, place, minds, alone=bool(chain))
            for place, one in enumerate(found)
        ),
    )


def _figure(
    columns: ScoreColumns,
    one: chain_curves.DimensionCurves,
    place: int,
    minds: Sequence[str],
    *,
    alone: bool,
) -> Figure:
    scale = scale_of(columns, one.dimension)
    draw = partial(curve_charts.curve, minds=minds)
    picture = Chart(f"curve{place}", one.title, draw, scale, one.curves).svg
    # Of one chain there is no telling chance from change.
    return Figure(title=one.title, picture=picture, slopes=None if alone else slopes_table(one))
