"""What ``show`` shows of a run: computed once, printed as tables or as JSON."""

from collections.abc import Collection

import numpy as np

from actors.runs.state import Hold, Note, load_run
from evaluators.agreement.constant_judges import flat_judges
from evaluators.scores.dimensions import optional
from evaluators.scores.score_columns import ScoreColumns, assemble, columns_of, read_columns
from evaluators.scores.seat_scores import Judged
from evaluators.statistics.clusters import usual
from evaluators.statistics.populations import Population
from evaluators.statistics.summary import MindRow, by_mind
from events.base import Value, replace
from events.serialization.fingerprints import judge_hash
from gateway.services.runs.run_marks import run_marks
from gateway.services.runs.run_status import Standing
from store.log.event_store import EventStore
from store.projections import tables as t
from store.read_model import queries
from store.read_model.read_scores import read_scores
from store.read_model.records import (
    CallTotals,
    ChainRow,
    EpisodeRow,
    EpisodeTotals,
    RunRow,
    SecondTries,
)
from store.read_model.score_arrays import ABSTAINED, FAILED, ScoreArrays


class JudgedTable(Value, frozen=True, kw_only=True):
    """One judge's table of a run."""

    judge: Judged
    rehearsal: bool
    """Its scores are a rehearsal's: no language model judged this."""
    kind: str = ""
    """What kind of judge it is: ``model``, ``local``, ``rehearsal``, ``rule`` or ``imported``."""
    dimensions: tuple[str, ...]
    minds: tuple[MindRow, ...]
    """One for each mind, and in chains for each mind with each memory."""
    population: Population = "scenarios"
    """What the intervals speak of."""
    episodes: int = 0
    """Episodes that it was to score."""
    clean: int = 0
    """Of them, those in which no action failed: means are over these, and over all beside them."""
    flat: str = ""
    """That it tells nothing apart, as a sentence; empty: it does."""


class Counts(Value, frozen=True, kw_only=True):
    """What went wrong in a run, each with what it is out of."""

    episodes: int
    """Planned; forks are not among them."""
    episodes_ended: int
    episodes_failed: int
    turns: int
    """Taken, in all episodes."""
    actions_failed: int
    """Questions to which a mind gave no answer that could be used; a turn may have several."""
    evaluations: int
    """Due by now: one for each ended episode and judge."""
    evaluations_missing: int
    """Given up, or never made: all their scores are missing and uncounted below."""
    evaluations_open: int
    """Not made yet, of a run that has not ended: no part of those missing."""
    scores_asked: int
    """Scores that some judge was to give: the seats times the dimensions, without those that a
    dimension does not concern (``evaluators.scores.dimensions.optional``)."""
    scores_failed: int
    scores_abstained: int
    notes: int = 0
    """That models were asked for, in chains."""
    notes_failed: int = 0
    """Of them, those that there are not: no answer could be used."""
    answers: int = 0
    """Of models."""
    answers_unreadable: int = 0
    """Of them, those that could not be used, as far as that was recorded."""
    calls_unanswered: int = 0
    """Questions to models with neither an answer nor a failure: under way, or lost with a process
    that was killed."""


class RunDetails(Value, frozen=True, kw_only=True):
    """A run and where it stands."""

    run: RunRow
    imported: str
    """What its episodes came in, where they were simulated elsewhere; empty: they were not."""
    counts: Counts
    holds: tuple[Hold, ...]
    """Models that are held back at present, because they fail."""
    notes: tuple[Note, ...]
    """What became of its models while it went on."""
    episodes: tuple[EpisodeRow, ...]
    """Those that stand, in the plan's order, then forks."""
    superseded: int
    """Episodes in whose place others were played."""
    unlisted: int = 0
    """Episodes that are left out of ``episodes``: for people, a list of all would be too long."""
    chains: tuple[ChainRow, ...]
    """Their episodes are among the run's."""
    tables: tuple[JudgedTable, ...]
    calls: tuple[CallTotals, ...]
    mended: tuple[SecondTries, ...]
    """What was done about answers that could not be used."""
    rehearsal_minds: tuple[str, ...]
    """Minds of the plan that are no language models."""
    rehearsal_judges: tuple[str, ...]
    """Judges that are no language models: their scores are no findings."""
    local_minds: tuple[str, ...] = ()
    """Minds of the plan that are local models."""
    local_judges: tuple[str, ...] = ()
    """Judges that are: their scores are no findings, either."""
    mark: str = ""
    """How its episodes are played, in a word or two, where that is not as usual; empty: as usual,
    or none has begun."""
    standing: Standing | None = None
    """Whether anybody carries it out; None where nobody asked."""


def run_details(
    store: EventStore,
    given: str,
    *,
    listed: int | None = None,
    population: Population | None = None,
) -> RunDetails:
    """A run's rows and tables. Raises ``UnknownId``.

    ``listed``: at most so many of its episodes of no chain and of those that were given up; None:
    all episodes. ``population``: what intervals speak of; None: what is usual for these scores.
    """
    run = queries.run(store, given)
    state = load_run(store, run.id)
    minds = state.plan.minds if state else ()
    arrays = read_scores(store, (run.id,))
    columns = assemble(arrays)
    tables = judged_tables(columns, population)
    totals = queries.episode_totals(store, run.id)
    episodes = _listed(store, run.id, listed)
    calls = tuple(queries.call_totals(store, run=run.id))
    chains = tuple(queries.chains(store, run=run.id))
    counts = _counts(
        run, totals, arrays, {judge_hash(judge) for judge in state.plan.judges} if state else ()
    )
    notes, missing = queries.notes_of_run(store, run.id) if chains else (0, 0)
    return RunDetails(
        run=run,
        imported=state.imported if state else "",
        counts=replace(
            counts,
            notes=notes,
            notes_failed=missing,
            answers=sum(one.answered for one in calls),
            answers_unreadable=sum(one.unreadable for one in calls),
            calls_unanswered=sum(one.unanswered for one in calls),
        ),
        holds=state.holds if state else (),
        notes=state.notes if state else (),
        episodes=tuple(episodes),
        superseded=totals.superseded,
        unlisted=totals.episodes - len(episodes),
        chains=chains,
        tables=tuple(tables),
        calls=calls,
        mended=tuple(queries.second_tries(store, run.id)),
        rehearsal_minds=tuple(mind.name for mind in minds if mind.kind == "rehearsal"),
        rehearsal_judges=tuple(table.judge.label for table in tables if table.rehearsal),
        local_minds=tuple(mind.name for mind in minds if mind.offline == "local"),
        local_judges=tuple(table.judge.label for table in tables if table.kind == "local"),
        mark=run_marks(store, [run.id]).get(run.id, ""),
    )


def _listed(store: EventStore, run: str, most: int | None) -> list[EpisodeRow]:
    if most is None:
        return queries.episodes(store, run=run)
    own, failed = t.episodes.c.chain == "", t.episodes.c.status == "failed"
    some = queries.episodes(store, run=run, where=own, most=most)
    there = {row.id for row in some}
    more = queries.episodes(store, run=run, where=failed, most=most)
    return some + [row for row in more if row.id not in there]


def _counts(
    run: RunRow, totals: EpisodeTotals, arrays: ScoreArrays, planned_judges: Collection[str]
) -> Counts:
    # An evaluation that was given up before it began has no row: what is due is counted from the
    # plan, not from what there is.
    judges = {row.judge_hash for row in arrays.evaluations} | set(planned_judges)
    due: dict[str, set[str]] = {judge: set() for judge in judges}
    made: dict[str, set[str]] = {judge: set() for judge in judges}
    failed: dict[str, set[str]] = {judge: set() for judge in judges}
    ended = [one.id for one in arrays.episodes if one.ended]
    for judge in planned_judges:
        due[judge].update(ended)
    for row in arrays.evaluations:
        due[row.judge_hash].add(row.episode)
        if row.status == "ended":
            made[row.judge_hash].add(row.episode)
        elif row.status == "failed":
            failed[row.judge_hash].add(row.episode)
    left = sum(len(due[judge] - made[judge]) for judge in judges)
    going_on = run.status != "ended"
    open_ = sum(len(due[one] - made[one] - failed[one]) for one in judges) if going_on else 0
    declined = arrays.status == ABSTAINED
    concern_some = [n for n, name in enumerate(arrays.dimensions) if name in optional()]
    not_needed = declined & np.isin(arrays.dimension, concern_some)
    return Counts(
        episodes=run.episodes_planned,
        episodes_ended=run.episodes_ended,
        episodes_failed=run.episodes_failed,
        turns=totals.turns,
        actions_failed=totals.failed_actions,
        evaluations=sum(map(len, due.values())),
        evaluations_missing=left - open_,
        evaluations_open=open_,
        scores_asked=int((~not_needed).sum()),
        scores_failed=int((arrays.status == FAILED).sum()),
        scores_abstained=int((declined & ~not_needed).sum()),
    )


def scores_of(store: EventStore, episodes: Collection[str], run: str = "") -> ScoreColumns:
    """The scores of some episodes (ids in full), of one run where it is named."""
    if not run:
        rows = [row for id_ in episodes for row in queries.scores(store, episode=id_)]
        return columns_of(rows, [queries.episode(store, id_) for id_ in episodes])
    columns = read_columns(store, run)
    return columns.where(columns.episode.among(*episodes))


def judged_tables(columns: ScoreColumns, population: Population | None = None) -> list[JudgedTable]:
    """One table for each judge behind some scores of dimensions that tables show."""
    speaks_of = population or usual(columns)
    tables = []
    flat = flat_judges(columns)
    for judge in columns.judges:
        mine = columns.of(judge.hash)
        names = mine.dimensions()
        if not names:
            continue
        kind = columns.kinds[judge.hash]
        tables.append(
            JudgedTable(
                judge=judge,
                rehearsal=kind == "rehearsal",
                kind=kind,
                dimensions=tuple(names),
                minds=tuple(by_mind(mine, judge.hash, names, speaks_of)),
                population=speaks_of,
                episodes=mine.episode.different,
                clean=mine.episode[mine.clean].different,
                flat=flat.get(judge.hash, ""),
            )
        )
    return tables
