"""What ``show`` and ``replay`` show: computed once, printed as tables or as JSON."""

from msgspec import structs

from actors.episodes.environment import Viewer
from actors.episodes.rules import INITIAL, State, evolve
from actors.runs.state import load_run
from actors.social.sight import view
from actors.social.views import View
from evaluators.seat_scores import Judged, SeatScores, dimensions, judges, seat_scores
from evaluators.summary import MindRow, by_mind
from events.base import Event, Value
from events.episode import EpisodeStarted
from events.fingerprints import judge_hash
from gateway.errors import BadArgument
from store import queries
from store.history import Numbered, read_history
from store.log import EventStore
from store.records import CallTotals, ChainRow, EpisodeRow, EvaluationRow, RunRow, ScoreRow


class JudgedTable(Value, frozen=True, kw_only=True):
    """One judge's table of a run."""

    judge: Judged
    rehearsal: bool
    """Its scores are a rehearsal's: no language model judged this."""
    kind: str = ""
    """What kind of judge it is: ``model``, ``rehearsal``, ``rule`` or ``imported``."""
    dimensions: tuple[str, ...]
    minds: tuple[MindRow, ...]


class Counts(Value, frozen=True, kw_only=True):
    """What went wrong in a run, each with what it is out of."""

    episodes: int
    """Planned; forks are not among them."""
    episodes_ended: int
    episodes_failed: int
    turns: int
    """Taken, in all episodes."""
    actions_failed: int
    """Turns in which a mind gave no action that could be used, so that its seat did nothing."""
    evaluations: int
    """Due by now: one for each ended episode and judge."""
    evaluations_missing: int
    """Given up altogether or not made yet: all their scores are missing and uncounted below."""
    scores_asked: int
    """Scores that some judge was to give: the seats times the dimensions."""
    scores_failed: int
    scores_abstained: int


class RunShown(Value, frozen=True, kw_only=True):
    """A run and where it stands."""

    run: RunRow
    counts: Counts
    episodes: tuple[EpisodeRow, ...]
    chains: tuple[ChainRow, ...]
    """Their episodes are among the run's."""
    tables: tuple[JudgedTable, ...]
    calls: tuple[CallTotals, ...]
    rehearsal_minds: tuple[str, ...]
    """Minds of the plan that are no language models."""
    rehearsal_judges: tuple[str, ...]
    """Judges that are no language models: their scores are no findings."""


class EpisodeShown(Value, frozen=True, kw_only=True):
    """An episode as a viewer may see it, with its scores."""

    episode: EpisodeRow
    """Without what the viewer may not know: names, minds, what the scenario is called."""
    view: View
    scores: tuple[ScoreRow, ...]
    """For the narrator only."""


class Happened(Value, frozen=True, kw_only=True):
    """One event of a history, in short."""

    number: int
    tag: str
    stream: str


class ReplayShown(Value, frozen=True, kw_only=True):
    """An episode as it was after one event."""

    episode: str
    at: int
    last: int
    """The last event number there is."""
    events: tuple[Happened, ...]
    """Up to ``at``; for the narrator only."""
    state: State | None
    """For the narrator only."""
    view: View


def run_shown(store: EventStore, given: str) -> RunShown:
    """A run's rows and tables. Raises ``UnknownId``."""
    run = queries.run(store, given)
    state = load_run(store, run.id)
    minds = state.plan.minds if state else ()
    episodes = queries.episodes(store, run=run.id)
    scores = queries.scores(store, run=run.id)
    tables = judged_tables(scores)
    return RunShown(
        run=run,
        counts=_counts(
            run,
            episodes,
            queries.evaluations(store, run=run.id),
            scores,
            {judge_hash(judge) for judge in state.plan.judges} if state else set(),
        ),
        episodes=tuple(episodes),
        chains=tuple(queries.chains(store, run=run.id)),
        tables=tuple(tables),
        calls=tuple(queries.call_totals(store, run=run.id)),
        rehearsal_minds=tuple(mind.name for mind in minds if mind.kind == "rehearsal"),
        rehearsal_judges=tuple(table.judge.label for table in tables if table.rehearsal),
    )


def _counts(
    run: RunRow,
    episodes: list[EpisodeRow],
    evaluations: list[EvaluationRow],
    scores: list[ScoreRow],
    planned_judges: set[str],
) -> Counts:
    # An evaluation that was given up before it began has no row: what is due is counted from the
    # plan, not from what there is.
    ended = {row.id for row in episodes if row.status == "ended"}
    due = {(episode, judge) for episode in ended for judge in planned_judges}
    due |= {(row.episode, row.judge_hash) for row in evaluations}
    made = {(row.episode, row.judge_hash) for row in evaluations if row.status == "ended"}
    return Counts(
        episodes=run.episodes_planned,
        episodes_ended=run.episodes_ended,
        episodes_failed=run.episodes_failed,
        turns=sum(row.turns for row in episodes),
        actions_failed=sum(row.failures for row in episodes),
        evaluations=len(due),
        evaluations_missing=len(due - made),
        scores_asked=len(scores),
        scores_failed=sum(row.status == "failed" for row in scores),
        scores_abstained=sum(row.status == "abstained" for row in scores),
    )


def judged_tables(scores: list[ScoreRow]) -> list[JudgedTable]:
    """One table for each judge behind some scores."""
    kinds = {row.judge_hash: row.judge_kind for row in scores}
    found: list[SeatScores] = seat_scores(scores)
    tables = []
    for judge in judges(scores):
        names = dimensions(subject for subject in found if subject.judge == judge.hash)
        tables.append(
            JudgedTable(
                judge=judge,
                rehearsal=kinds[judge.hash] == "rehearsal",
                kind=kinds[judge.hash],
                dimensions=tuple(names),
                minds=tuple(by_mind(found, judge.hash, names)),
            )
        )
    return tables


def episode_shown(store: EventStore, given: str, viewer: str) -> EpisodeShown:
    """An episode as ``viewer`` may see it. Raises ``UnknownId``, ``BadArgument``."""
    episode = queries.episode(store, given)
    history = _history(store, episode)
    who = parse_viewer(viewer, len(episode.characters))
    seen = _view(store, history, who)
    if who != "narrator":
        return EpisodeShown(episode=_veiled(episode, seen), view=seen, scores=())
    scores = queries.scores(store, episode=episode.id)
    return EpisodeShown(episode=episode, view=seen, scores=tuple(scores))


def _veiled(row: EpisodeRow, seen: View) -> EpisodeRow:
    """A row with only what the view's viewer may know: a scenario's name can give away a goal."""
    return structs.replace(
        row,
        scenario_id="",
        scenario="",
        task="",
        characters=seen.labels,
        minds=(),
        end_reason=seen.ended,
        failures=0,
    )


def replay_shown(store: EventStore, given: str, at: int | None, viewer: str) -> ReplayShown:
    """An episode as it was after event ``at``. Raises ``UnknownId``, ``BadArgument``."""
    episode = queries.episode(store, given)
    history = _history(store, episode)
    last = history[-1].number
    if at is not None and not 0 <= at <= last:
        raise BadArgument("--at", str(at), f"the events of {episode.id} are numbered 0 to {last}")
    past = history[: (last if at is None else at) + 1]
    who = parse_viewer(viewer, len(episode.characters))
    state = INITIAL
    for numbered in past:
        state = evolve(state, numbered.event)
    told = who == "narrator"
    return ReplayShown(
        episode=episode.id,
        at=past[-1].number,
        last=last,
        events=tuple(
            Happened(number=n.number, tag=n.envelope.tag, stream=n.envelope.stream)
            for n in past
            if told
        ),
        state=state if told else None,
        view=_view(store, past, who),
    )


def parse_viewer(text: str, seats: int) -> Viewer:
    """``narrator``, ``spectator``, or a seat as people count, from 1."""
    if text in ("narrator", "spectator"):
        return "narrator" if text == "narrator" else "spectator"
    if text.isdigit() and 1 <= int(text) <= seats:
        return int(text) - 1
    raise BadArgument("--as", text, f"give a seat from 1 to {seats}, narrator or spectator")


def _history(store: EventStore, episode: EpisodeRow) -> list[Numbered]:
    if episode.started_at is None:
        if episode.status == "failed":
            why = f"was given up before it began ({episode.end_reason}); there is nothing to show"
        else:
            why = f"has not begun yet; `troupe watch {episode.id}` waits for it"
        raise BadArgument("episode", episode.id, why)
    return read_history(store, episode.id)


def _view(store: EventStore, history: list[Numbered], viewer: Viewer) -> View:
    """What a viewer may see of a history; a seat of a chain with what it remembers."""
    started = next((n.event for n in history if isinstance(n.event, EpisodeStarted)), None)
    if started is None:
        why = "the episode had not begun by then; give a later event"
        raise BadArgument("--at", str(history[-1].number), why)
    if not started.chain or not isinstance(viewer, int):
        return view(_events(history), viewer)
    # Only here: it counts tokens, and what does that takes its time to load.
    from actors.lifelong.memory.recall import memory_text

    memory = memory_text(store, started.chain, viewer, started.index)
    return view(_events(history), viewer, memory)


def _events(history: list[Numbered]) -> list[Event]:
    return [numbered.event for numbered in history]
