"""What ``show`` and ``replay`` show: computed once, printed as tables or as JSON."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import structs

from actors.episodes.differences import ForkMark, fork_marks
from actors.episodes.environment import Account, Viewer
from actors.episodes.failures import FailedAction, failed_actions, with_failures
from actors.episodes.registry import environment_named, environment_of
from actors.episodes.rules import INITIAL, State, evolve
from actors.runs.state import Hold, load_run
from evaluators.clusters import usual
from evaluators.dimensions import optional
from evaluators.populations import Population
from evaluators.score_columns import ScoreColumns, assemble, columns_of, read_columns
from evaluators.seat_scores import Judged
from evaluators.summary import MindRow, by_mind
from events.base import Value
from events.episode import EpisodeStarted
from events.fingerprints import judge_hash
from gateway.errors import BadArgument
from gateway.standing import Standing
from store import queries
from store.history import Numbered, read_history
from store.log import EventStore
from store.projections import tables as t
from store.records import CallTotals, ChainRow, EpisodeRow, EpisodeTotals, RunRow, ScoreRow
from store.score_arrays import ABSTAINED, FAILED, ScoreArrays
from store.score_reading import read_scores


class JudgedTable(Value, frozen=True, kw_only=True):
    """One judge's table of a run."""

    judge: Judged
    rehearsal: bool
    """Its scores are a rehearsal's: no language model judged this."""
    kind: str = ""
    """What kind of judge it is: ``model``, ``rehearsal``, ``rule`` or ``imported``."""
    dimensions: tuple[str, ...]
    minds: tuple[MindRow, ...]
    """One for each mind, and in chains for each mind with each memory."""
    population: Population = "scenarios"
    """What the intervals speak of."""
    episodes: int = 0
    """Episodes that it was to score."""
    clean: int = 0
    """Of them, those in which no action failed: means are over these, and over all beside them."""


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
    dimension does not concern (``evaluators.dimensions.optional``)."""
    scores_failed: int
    scores_abstained: int


class RunDetails(Value, frozen=True, kw_only=True):
    """A run and where it stands."""

    run: RunRow
    imported: str
    """What its episodes came in, where they were simulated elsewhere; empty: they were not."""
    counts: Counts
    holds: tuple[Hold, ...]
    """Models that are held back at present, because they fail."""
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
    rehearsal_minds: tuple[str, ...]
    """Minds of the plan that are no language models."""
    rehearsal_judges: tuple[str, ...]
    """Judges that are no language models: their scores are no findings."""
    standing: Standing | None = None
    """Whether anybody carries it out; None where nobody asked."""


class Viewed(Value, frozen=True, kw_only=True):
    """What a viewer may see of an episode."""

    environment: str
    view: Any
    """A struct of the environment's."""
    failures: tuple[FailedAction, ...] = ()
    """Actions that a mind failed to give; for the narrator only."""
    forks: tuple[ForkMark, ...] = ()
    """Where it was forked; which minds sit where from there on, for the narrator only."""

    @property
    def account(self) -> Account:
        """The view in words; what a mind failed to give says so and why, whatever environment it
        is."""
        account = environment_named(self.environment).account(self.view)
        return with_failures(account, self.failures)


class EpisodeDetails(Viewed, frozen=True, kw_only=True):
    """An episode as a viewer may see it, with its scores."""

    episode: EpisodeRow
    """Without what the viewer may not know: names, minds, what the scenario is called."""
    scores: tuple[ScoreRow, ...]
    """For the narrator only."""


class Happened(Value, frozen=True, kw_only=True):
    """One event of a history, in short."""

    number: int
    tag: str
    stream: str


class ReplayDetails(Viewed, frozen=True, kw_only=True):
    """An episode as it was after one event."""

    episode: str
    at: int
    last: int
    """The last event number there is."""
    events: tuple[Happened, ...]
    """Up to ``at``; for the narrator only."""
    state: dict[str, Any] | None
    """What the rules know, the environment's own fields among it; for the narrator only."""


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
    return RunDetails(
        run=run,
        imported=state.imported if state else "",
        counts=_counts(
            run, totals, arrays, {judge_hash(judge) for judge in state.plan.judges} if state else ()
        ),
        holds=state.holds if state else (),
        episodes=tuple(episodes),
        superseded=totals.superseded,
        unlisted=totals.episodes - len(episodes),
        chains=tuple(queries.chains(store, run=run.id)),
        tables=tuple(tables),
        calls=tuple(queries.call_totals(store, run=run.id)),
        rehearsal_minds=tuple(mind.name for mind in minds if mind.kind == "rehearsal"),
        rehearsal_judges=tuple(table.judge.label for table in tables if table.rehearsal),
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
    due = {(one.id, judge) for one in arrays.episodes if one.ended for judge in planned_judges}
    due |= {(row.episode, row.judge_hash) for row in arrays.evaluations}
    made = {(row.episode, row.judge_hash) for row in arrays.evaluations if row.status == "ended"}
    failed = {(row.episode, row.judge_hash) for row in arrays.evaluations if row.status == "failed"}
    left = due - made
    open_ = set() if run.status == "ended" else left - failed
    declined = arrays.status == ABSTAINED
    concern_some = [n for n, name in enumerate(arrays.dimensions) if name in optional()]
    not_needed = declined & np.isin(arrays.dimension, concern_some)
    return Counts(
        episodes=run.episodes_planned,
        episodes_ended=run.episodes_ended,
        episodes_failed=run.episodes_failed,
        turns=totals.turns,
        actions_failed=totals.failed_actions,
        evaluations=len(due),
        evaluations_missing=len(left - open_),
        evaluations_open=len(open_),
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
    """One table for each judge behind some scores."""
    speaks_of = population or usual(columns)
    tables = []
    for judge in columns.judges:
        mine = columns.of(judge.hash)
        if not len(mine):
            continue
        names = mine.dimensions()
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
            )
        )
    return tables


def episode_details(store: EventStore, given: str, viewer: str) -> EpisodeDetails:
    """An episode as ``viewer`` may see it. Raises ``UnknownId``, ``BadArgument``."""
    episode = queries.episode(store, given)
    history = read_begun(store, episode)
    who = parse_viewer(viewer, len(episode.characters))
    started, seen = _view(store, history, who)
    details = EpisodeDetails(
        environment=started.environment,
        view=seen,
        failures=failed_actions(n.event for n in history) if who == "narrator" else (),
        forks=_marks(history, who),
        episode=episode,
        scores=(),
    )
    if who != "narrator":
        return structs.replace(details, episode=_redacted(episode, details.account))
    return structs.replace(details, scores=tuple(queries.scores(store, episode=episode.id)))


def _marks(history: Sequence[Numbered], viewer: Viewer) -> tuple[ForkMark, ...]:
    marks = fork_marks(history)
    if viewer == "narrator":
        return marks
    return tuple(structs.replace(mark, minds=()) for mark in marks)


def _redacted(row: EpisodeRow, account: Account) -> EpisodeRow:
    """A row with only what the reader may know: a scenario's name can give away a goal."""
    return structs.replace(
        row,
        scenario_id="",
        scenario="",
        task="",
        characters=tuple(portrait.name for portrait in account.portraits),
        minds=(),
        end_reason=account.ended,
        failed_actions=0,
        summary={},
    )


def replay_details(store: EventStore, given: str, at: int | None, viewer: str) -> ReplayDetails:
    """An episode as it was after event ``at``. Raises ``UnknownId``, ``BadArgument``."""
    episode = queries.episode(store, given)
    history = read_begun(store, episode)
    last = history[-1].number
    if at is not None and not 0 <= at <= last:
        raise BadArgument("--at", str(at), f"the events of {episode.id} are numbered 0 to {last}")
    past = history[: (last if at is None else at) + 1]
    who = parse_viewer(viewer, len(episode.characters))
    state = INITIAL
    for numbered in past:
        state = evolve(state, numbered.event)
    started, seen = _view(store, past, who)
    knows_all = who == "narrator"
    return ReplayDetails(
        environment=started.environment,
        view=seen,
        failures=failed_actions(n.event for n in past) if knows_all else (),
        forks=_marks(past, who),
        episode=episode.id,
        at=past[-1].number,
        last=last,
        events=tuple(
            Happened(number=n.number, tag=n.envelope.tag, stream=n.envelope.stream)
            for n in past
            if knows_all
        ),
        state=_state(state) if knows_all else None,
    )


def _state(state: State) -> dict[str, Any]:
    """A state as plain fields."""
    fields = {name: getattr(state, name) for name in State.__struct_fields__ if name != "world"}
    del fields["unanswered"]
    own = msgspec.to_builtins(state.world)
    return (own if isinstance(own, dict) else {"world": own}) | fields | {"waiting": state.waiting}


def parse_viewer(text: str, seats: int) -> Viewer:
    """``narrator``, ``spectator``, or a seat as people count, from 1."""
    if text in ("narrator", "spectator"):
        return "narrator" if text == "narrator" else "spectator"
    if text.isdigit() and 1 <= int(text) <= seats:
        return int(text) - 1
    raise BadArgument("--as", text, f"give a seat from 1 to {seats}, narrator or spectator")


def memory_of(store: EventStore, started: EpisodeStarted, viewer: Viewer) -> str:
    """What a viewer remembers of earlier episodes, in words: a seat of a chain alone does."""
    if not started.chain or not isinstance(viewer, int):
        return ""
    # Only here: it counts tokens, and what does that takes its time to load.
    from actors.lifelong.memory.recall import memory_text

    return memory_text(store, started.chain, viewer, started.index)


def check_may_begin(row: EpisodeRow) -> None:
    """Raises ``BadArgument`` where an episode was given up before it began."""
    if row.started_at is None and row.status == "failed":
        why = f"was given up before it began ({row.end_reason}); there is nothing to show"
        raise BadArgument("episode", row.id, why)


def read_begun(store: EventStore, episode: EpisodeRow) -> list[Numbered]:
    """The history of an episode that has begun. Raises ``BadArgument`` where it has not."""
    check_may_begin(episode)
    if episode.started_at is None:
        why = f"has not begun yet; `troupe watch {episode.id}` waits for it"
        raise BadArgument("episode", episode.id, why)
    return read_history(store, episode.id)


def _view(store: EventStore, history: list[Numbered], viewer: Viewer) -> tuple[EpisodeStarted, Any]:
    """How a history began, and what a viewer may see of it."""
    events = [numbered.event for numbered in history]
    started = next((event for event in events if isinstance(event, EpisodeStarted)), None)
    if started is None:
        why = "the episode had not begun by then; give a later event"
        raise BadArgument("--at", str(history[-1].number), why)
    memory = memory_of(store, started, viewer)
    return started, environment_of(started).view(events, viewer, memory)
