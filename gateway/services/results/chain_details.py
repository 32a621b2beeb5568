"""What ``troupe chains``, ``memory`` and ``curves`` show."""

from collections.abc import Sequence
from pathlib import Path

from actors.lifelong.continuation import chain_so_far
from actors.lifelong.formats import read_baselines
from actors.lifelong.memory.recall import memory_text
from evaluators.report.charts import curve_charts
from evaluators.report.data.run_data import RunData, gather
from evaluators.report.data.score_scales import scale_of
from evaluators.scores.dimensions import kept
from evaluators.scores.questions import By
from evaluators.scores.seat_scores import find_judge
from evaluators.statistics import chain_curves
from evaluators.statistics.chain_curves import DimensionCurves
from evaluators.tables.plain_tables import file_name
from events.base import Value
from events.memory import MemoryWritten, Note
from events.serialization.codec import event_of
from events.untrusted.safe_text import harmless
from events.wire.subjects import memory_stream
from gateway.errors import BadArgument, did_you_mean
from store.files.atomic_files import atomic_write_text
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import ChainRow, EpisodeRow, MemoryRow


class ChainDetails(Value, frozen=True, kw_only=True):
    """A chain, its episodes in order, and what its seats remembered."""

    chain: ChainRow
    episodes: tuple[EpisodeRow, ...]
    memories: tuple[MemoryRow, ...]


class Remembered(Value, frozen=True, kw_only=True):
    """What one seat kept of one episode of a chain, and what it was reminded of before it."""

    row: MemoryRow
    note: Note | None
    """None where the memory keeps no notes, or has not written this one yet."""
    reminded: str = ""
    """The words it was reminded with; only where one index was asked for."""


class RunCurves(Value, frozen=True, kw_only=True):
    """The curves of a run."""

    run: str
    figures: tuple[DimensionCurves, ...]
    rehearsal_minds: tuple[str, ...]
    rehearsal_judges: tuple[str, ...]
    local_minds: tuple[str, ...] = ()
    local_judges: tuple[str, ...] = ()


def chains_listed(store: EventStore, run: str = "", *, archived: bool = False) -> list[ChainRow]:
    """The chains of a run, or of all, in the order of their plans. ``archived``: of all, those of
    runs that lists leave out, too. Raises ``UnknownId``."""
    rows = queries.chains(store, run=run or None)
    if run or archived:
        return rows
    hidden = {row.id for row in queries.runs(store) if row.archived}
    return [row for row in rows if row.run not in hidden]


def chain_details(store: EventStore, given: str) -> ChainDetails:
    """A chain. Raises ``UnknownId``."""
    chain = queries.chain(store, given)
    episodes = queries.episodes(store, chain=chain.id)
    if len(episodes) < chain.length and (behind := chain_so_far(store, chain.id)):
        # Of one that went on from another, what that one has behind it.
        own = {row.id for row in episodes}
        episodes += [queries.episode(store, id_) for id_ in behind.episodes if id_ not in own]
    return ChainDetails(
        chain=chain,
        episodes=tuple(sorted(episodes, key=lambda row: row.index)),
        memories=tuple(queries.memories(store, chain.id)),
    )


def remembered(
    store: EventStore, given: str, seat: int | None, index: int | None
) -> list[Remembered]:
    """What the seats of a chain kept; of one seat (from 1), of one index, where they are given.

    Raises ``UnknownId``, ``BadArgument``.
    """
    chain = queries.chain(store, given)
    seats = len(chain.characters)
    if seat is not None and not 1 <= seat <= seats:
        raise BadArgument("--seat", str(seat), f"the seats of this chain are 1 to {seats}")
    if index is not None and not 0 <= index < chain.length:
        why = f"the episodes of this chain are 0 to {chain.length - 1}"
        raise BadArgument("--index", str(index), why)
    rows = [
        row
        for row in queries.memories(store, chain.id)
        if (seat is None or row.seat == seat - 1) and (index is None or row.index == index)
    ]
    notes = {number: _notes(store, chain.id, number) for number in {row.seat for row in rows}}
    return [
        Remembered(
            row=row,
            note=notes[row.seat].get(row.index),
            reminded="" if index is None else memory_text(store, chain.id, row.seat, row.index),
        )
        for row in rows
    ]


def run_curves(
    store: EventStore,
    given: str,
    judges: Sequence[str],
    dimensions: Sequence[str],
    people: Path | None,
    by: By = "memory",
    *,
    unclean: bool = False,
) -> tuple[RunData, RunCurves]:
    """The curves of a run by these judges in these dimensions; none given: all.

    ``by``: what the memories are told apart by. ``unclean``: with episodes in which an action
    failed.

    Raises ``UnknownId``, ``UnknownJudgeOfRun``, ``BadFile``, ``BadArgument``.
    """
    gathered = gather(store, given)
    run = gathered.run.id
    if not gathered.chains:
        why = "plays no chains; a plan with [chains] does (docs/reference/plan.md)"
        raise BadArgument("run", run, why)
    known = [judge.judged for judge in gathered.judges]
    wanted = [find_judge(known, judge) for judge in judges] or known
    for dimension in dimensions:
        if dimension not in (*gathered.dimensions, *kept()):
            why = f"nothing here was scored in it{did_you_mean(dimension, gathered.dimensions)}"
            raise BadArgument("--dimension", dimension, why)
    if by != "memory" and by not in chain_curves.ablations(gathered.planned.plan.memories):
        what = "are as long" if by == "length" else "have the same parts"
        why = f"the memories of run {run} that keep notes all {what}, or there is but one"
        raise BadArgument("--by", by, why)
    baselines = read_baselines(people) if people else ()
    figures = chain_curves.of_columns(
        gathered.columns,
        judges=wanted,
        dimensions=dimensions,
        baselines=baselines,
        memories=gathered.planned.plan.memories,
        by=by,
        unclean=unclean,
    )
    return gathered, RunCurves(
        run=run,
        figures=tuple(figures),
        **gathered.offline_names({judge.hash for judge in wanted}),
    )


def draw(gathered: RunData, figures: Sequence[DimensionCurves], folder: Path) -> list[Path]:
    """Write each figure as an SVG file into a folder; the files. Raises ``OSError``."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for one in figures:
        by = "" if one.by == "memory" else f"-by-{one.by}"
        name = file_name(f"{one.judge.label}-{one.dimension}{by}")
        scale = scale_of(gathered, one.dimension)
        path = folder / f"{name}.svg"
        drawn = curve_charts.curve(name, one.title, scale, one.curves, alone=True)
        atomic_write_text(path, harmless(drawn))
        written.append(path)
    return written


def _notes(store: EventStore, chain: str, seat: int) -> dict[int, Note | None]:
    events = (event_of(envelope) for envelope in store.read(memory_stream(chain, seat)))
    return {event.index: event.note for event in events if isinstance(event, MemoryWritten)}
