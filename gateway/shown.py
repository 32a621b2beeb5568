"""What ``show`` and ``replay`` show: computed once, printed as tables or as JSON."""

from actors.runs.state import load_run
from actors.social.rules import INITIAL, State, evolve
from actors.social.views import View, Viewer
from actors.social.visibility import view
from evaluators.subjects import Judged, Subject, dimensions, judges, subjects
from evaluators.summary import MindRow, by_mind
from events.base import Event, Value
from gateway.errors import BadArgument
from store import queries
from store.history import Numbered, read_history
from store.log import EventStore
from store.records import CallTotals, EpisodeRow, RunRow, ScoreRow


class JudgedTable(Value, frozen=True, kw_only=True):
    """One judge's table of a run."""

    judge: Judged
    rehearsal: bool
    """No language model judged this."""
    dimensions: tuple[str, ...]
    minds: tuple[MindRow, ...]


class RunShown(Value, frozen=True, kw_only=True):
    """A run and where it stands."""

    run: RunRow
    episodes: tuple[EpisodeRow, ...]
    tables: tuple[JudgedTable, ...]
    calls: tuple[CallTotals, ...]
    rehearsal_minds: tuple[str, ...]
    """Minds of the plan that are no language models."""


class EpisodeShown(Value, frozen=True, kw_only=True):
    """An episode as a viewer may see it, with its scores."""

    episode: EpisodeRow
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
    return RunShown(
        run=run,
        episodes=tuple(queries.episodes(store, run=run.id)),
        tables=tuple(judged_tables(queries.scores(store, run=run.id))),
        calls=tuple(queries.call_totals(store, run=run.id)),
        rehearsal_minds=tuple(mind.name for mind in minds if mind.kind == "rehearsal"),
    )


def judged_tables(scores: list[ScoreRow]) -> list[JudgedTable]:
    """One table for each judge behind some scores."""
    kinds = {row.judge_hash: row.judge_kind for row in scores}
    found: list[Subject] = subjects(scores)
    tables = []
    for judge in judges(scores):
        names = dimensions(subject for subject in found if subject.judge == judge.hash)
        tables.append(
            JudgedTable(
                judge=judge,
                rehearsal=kinds[judge.hash] == "rehearsal",
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
    scores = queries.scores(store, episode=episode.id) if who == "narrator" else []
    return EpisodeShown(episode=episode, view=view(_events(history), who), scores=tuple(scores))


def replay_shown(store: EventStore, given: str, at: int | None, viewer: str) -> ReplayShown:
    """An episode as it was after event ``at``. Raises ``UnknownId``, ``BadArgument``."""
    episode = queries.episode(store, given)
    history = _history(store, episode)
    last = history[-1].number
    if at is not None and not 0 <= at <= last:
        raise BadArgument("--at", str(at), f"event numbers of {episode.id} are 0 to {last}")
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
        view=view(_events(past), who),
    )


def parse_viewer(text: str, seats: int) -> Viewer:
    """``narrator``, ``spectator``, or a seat as people count, from 1."""
    if text in ("narrator", "spectator"):
        return "narrator" if text == "narrator" else "spectator"
    if text.isdigit() and 1 <= int(text) <= seats:
        return int(text) - 1
    raise BadArgument("--as", text, f"give a seat from 1 to {seats}, narrator or spectator")


def _history(store: EventStore, episode: EpisodeRow) -> list[Numbered]:
    if episode.status == "planned":
        raise BadArgument("episode", episode.id, "has not begun yet, so there is nothing to show")
    return read_history(store, episode.id)


def _events(history: list[Numbered]) -> list[Event]:
    return [numbered.event for numbered in history]
