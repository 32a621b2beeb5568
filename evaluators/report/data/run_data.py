"""Collects all data of a report from the store and its read model."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial

import msgspec

from actors.episodes.port.words import Account
from actors.episodes.registry import UnknownEnvironment, game_of
from actors.episodes.rules.failed_actions import failed_actions as failed_in
from actors.episodes.rules.failed_actions import with_failures
from actors.episodes.rules.people import PERSON
from actors.episodes.views.inconsistent_history import OddHistory, telling
from actors.runs.planned_catalog import planned_catalog
from evaluators.report.data.failed_actions import failed_actions
from evaluators.scores.score_columns import ScoreColumns, assemble
from evaluators.scores.seat_scores import Judged, judged_of
from events.agent import ModelAsked
from events.base import Event, replace
from events.environments import Catalog
from events.episode import ActionTaken, EpisodeForked, EpisodeStarted
from events.evaluation import EvaluationStarted, JudgeSpec
from events.ids import digest_of
from events.minds import MindSpec
from events.run import RunPlanned
from events.serialization.codec import event_of
from events.untrusted.redacted_urls import settings_without_secrets
from events.wire.subjects import agent_stream, stream_name
from store.database.id_batches import in_batches
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.projections import tables as t
from store.read_model import queries
from store.read_model.catalogs import WrongCatalog
from store.read_model.episode_history import read_history
from store.read_model.read_scores import read_scores
from store.read_model.records import (
    CallTotals,
    ChainRow,
    EpisodeRow,
    EvaluationRow,
    MemoryRow,
    RunRow,
    ScoreRow,
    SecondTries,
)
from store.read_model.score_arrays import EvaluationFacts
from store.read_model.tagged_events import AT_ONCE, own_events


class JudgeUsed(msgspec.Struct, frozen=True, kw_only=True):
    """A judge that read episodes of the run, and what came of it."""

    judged: Judged
    spec: JudgeSpec
    evaluations: int
    ended: int
    failed: int


class MindUsed(msgspec.Struct, frozen=True, kw_only=True):
    """A mind that played, or was to."""

    spec: MindSpec
    seats: int
    """Seats it was planned for, or took over in a fork."""


class Reseated(msgspec.Struct, frozen=True, kw_only=True):
    """A seat in which somebody else acted than was planned: what it scored is no finding about
    either."""

    episode: str
    seat: int
    """From 0."""
    planned: str
    """A mind's name."""
    sat: str
    """Who acted there, by name; of several ``calm + person``: what tables call them."""


class RunData(msgspec.Struct, kw_only=True):
    """A run, read once."""

    run: RunRow
    planned: RunPlanned
    plan_digest: str
    """Fingerprint of the plan file's text; empty where there is none."""
    minds: list[MindUsed]
    judges: list[JudgeUsed]
    episodes: list[EpisodeRow]
    """With the minds that sat there in truth."""
    evaluations: int
    given_up: list[EvaluationRow]
    """Of the evaluations those that were given up."""
    columns: ScoreColumns
    dimensions: list[str]
    actions: int
    """Actions taken, failed ones among them; a fork's shared past is left out."""
    failed_actions: Counter[str]
    """Of them, how many failed, by reason."""
    calls: list[CallTotals]
    mended: list[SecondTries]
    """What was done about answers that could not be used."""
    chains: list[ChainRow]
    memories: list[MemoryRow]
    prompts: dict[str, list[str]]
    """For each mind that asks a model, the versions of its prompt, as the calls of its first and
    last episode recorded them."""
    reseated: list[Reseated] = []
    """Seats in which a person acted where another mind was planned, or the other way round."""
    calls_of: Callable[[str], Sequence[CallTotals]] = lambda _episode: ()
    """Reads what the models of one episode were asked."""
    asked_again: Callable[[], Mapping[tuple[str, int], int]] = dict
    """Reads, by episode and seat, how many answers of models could not be used and were asked for
    again; a seat of which none was is left out."""
    told: Callable[[], Sequence[ScoreRow]] = tuple
    """Reads the scores with their reasons."""
    taken: Callable[[], Iterable[tuple[str, ActionTaken]]] = tuple
    """Reads the actions of the episodes that are no forks, each with its episode's id."""
    catalogs: Callable[[], Mapping[str, Catalog]] = dict
    """Reads, by run, the catalogs as they were when their runs were planned; one that is not here
    is left out."""

    @property
    def scenario_titles(self) -> dict[str, str]:
        """What lists call each scenario, by its id."""
        return {
            row.scenario_id or row.scenario or row.id: (
                row.scenario or row.task or row.scenario_id or row.id
            )
            for row in self.episodes
        }

    def offline_names(self, judges: Container[str]) -> dict[str, tuple[str, ...]]:
        """Names of what checks the machinery: rehearsals and local models among its minds and among
        these judges (their hashes)."""
        asked = [one for one in self.judges if one.judged.hash in judges]
        return {
            f"{kind}_{what}": names
            for kind in ("rehearsal", "local")
            for what, names in (
                ("minds", tuple(m.spec.name for m in self.minds if m.spec.offline == kind)),
                ("judges", tuple(j.judged.label for j in asked if j.spec.offline == kind)),
            )
        }


class EpisodeTranscript(msgspec.Struct, kw_only=True):
    """One episode as the narrator may know it, with the failures of its seats."""

    row: EpisodeRow
    account: Account | None
    """None for an episode that was never begun."""
    raw: dict[int, str]
    """What minds said that no action could be made of, by event number."""


def gather(store: EventStore, run: str) -> RunData:
    """Collect a run but for its transcripts. Raises ``store.id_lookup.UnknownId``."""
    row = queries.run(store, run)
    planned = queries.plan(store, row.id)
    episodes = queries.episodes(store, run=row.id)
    arrays = read_scores(store, (row.id,))
    columns = assemble(arrays)
    planned_rows = episodes
    sat = {one.id: one.minds for one in arrays.episodes}
    episodes = [replace(row, minds=sat.get(row.id, row.minds)) for row in episodes]
    source = planned.plan.source
    shown = replace(planned.plan, source=settings_without_secrets(source))
    planned = replace(planned, plan=shown)
    minds = _minds(store, planned, planned_rows, episodes)
    chains = queries.chains(store, run=row.id)
    return RunData(
        run=row,
        planned=planned,
        plan_digest=digest_of(source.encode()) if source else "",
        minds=minds,
        judges=_judges(store, arrays.evaluations),
        episodes=episodes,
        reseated=[
            Reseated(episode=row.id, seat=seat, planned=name, sat=other)
            for row, there in zip(planned_rows, episodes, strict=True)
            for seat, (name, other) in enumerate(zip(row.minds, there.minds, strict=True))
            if name != other
        ],
        evaluations=len(arrays.evaluations),
        given_up=queries.evaluations(store, run=row.id, status="failed"),
        columns=columns,
        dimensions=columns.dimensions(),
        actions=queries.actions_taken(store, row.id),
        failed_actions=Counter(reason for _, reason in failed_actions(store, episodes)),
        calls=queries.call_totals(store, run=row.id),
        mended=queries.second_tries(store, row.id),
        chains=chains,
        memories=queries.memories_of_run(store, row.id),
        prompts={
            mind.spec.name: _prompts(store, mind.spec.name, planned_rows)
            for mind in minds
            if mind.spec.asks
        },
        calls_of=lambda episode: queries.call_totals(store, episode=episode),
        asked_again=partial(asked_again, store, row.id),
        told=partial(queries.scores, store, run=row.id),
        taken=partial(actions_in, store, episodes),
        catalogs=partial(catalogs_of, store, (row.id,)),
    )


def catalogs_of(store: EventStore, runs: Iterable[str]) -> dict[str, Catalog]:
    """By run the catalogs as they were when their runs were planned; one that is not here, or that
    nothing installed can read, is left out."""
    found = {}
    for run in runs:
        with suppress(UnknownId, WrongCatalog, UnknownEnvironment):
            found[run] = planned_catalog(store, run)
    return found


def asked_again(store: EventStore, run: str) -> Counter[tuple[str, int]]:
    """By episode and seat of a run (its id in full): second questions for an action."""
    c = t.calls.c
    mending = (c.run == run) & (c.purpose == "act") & (c.mends != "")
    return Counter(
        (row.episode, row.seat)
        for row in queries.calls_where(store, mending)
        if row.seat is not None
    )


def rehearsal_of(judges: Iterable[JudgeUsed]) -> list[JudgeUsed]:
    """Those of some judges that are no language model."""
    return [judge for judge in judges if judge.spec.kind == "rehearsal"]


def actions_in(
    store: EventStore, episodes: Sequence[EpisodeRow]
) -> Iterator[tuple[str, ActionTaken]]:
    """The actions of those of some episodes that are no forks, each with its episode's id."""
    own = [row for row in episodes if row.parent is None and row.started_at is not None]
    for some in in_batches(own, AT_ONCE):
        for row, event, _, _ in own_events(store, some, ActionTaken.__name__):
            if isinstance(event, ActionTaken):
                yield row.id, event


def histories(
    store: EventStore, episodes: Iterable[EpisodeRow]
) -> Iterator[tuple[EpisodeRow, list[Event]]]:
    """The episodes one after the other, each read when it is its turn; without events where one
    was never begun."""
    for row in episodes:
        begun = row.started_at is not None
        yield row, [numbered.event for numbered in read_history(store, row.id)] if begun else []


def transcripts(store: EventStore, episodes: Iterable[EpisodeRow]) -> Iterator[EpisodeTranscript]:
    for row, history in histories(store, episodes):
        failed = failed_in(history)
        account = account_of(history)
        if account is not None:
            account = with_failures(account, failed)
        yield EpisodeTranscript(
            row=row, account=account, raw={one.number: one.failure.raw for one in failed}
        )


def account_of(history: Sequence[Event]) -> Account | None:
    """An episode as the narrator may know it; None where it never began or cannot be told."""
    started = next((event for event in history if isinstance(event, EpisodeStarted)), None)
    if started is not None:
        with suppress(OddHistory), telling(started.environment):
            game = game_of(started)
            return game.words.account(game.sight.view(history, "narrator"))
    return None


def _judges(store: EventStore, evaluations: Sequence[EvaluationFacts]) -> list[JudgeUsed]:
    first: dict[str, EvaluationFacts] = {}
    counts: dict[str, Counter[str]] = {}
    for row in evaluations:
        first.setdefault(row.judge_hash, row)
        counts.setdefault(row.judge_hash, Counter())[row.status] += 1
    used = []
    for judged in judged_of({hash_: row.judge for hash_, row in first.items()}):
        # The plan need not know the judge: an episode may be scored again at any time.
        begun = event_of(store.read(stream_name("evaluation", first[judged.hash].id), 0, 0)[0])
        if isinstance(begun, EvaluationStarted):
            mine = counts[judged.hash]
            used.append(
                JudgeUsed(
                    judged=judged,
                    spec=begun.judge,
                    evaluations=mine.total(),
                    ended=mine["ended"],
                    failed=mine["failed"],
                )
            )
    # One annotator of several has scored less than a judge has, and is not who is looked for first.
    return sorted(used, key=lambda one: one.spec.kind == "person")


def _minds(
    store: EventStore, planned: RunPlanned, rows: list[EpisodeRow], sat: list[EpisodeRow]
) -> list[MindUsed]:
    """``rows``: as they were planned; ``sat``: with those who sat there in truth."""
    specs = {spec.name: spec for spec in planned.plan.minds}
    seats = Counter(name for row in sat for name in row.minds)
    for row in rows:
        if row.parent is not None or not specs.keys() >= set(row.minds):
            specs = {**{spec.name: spec for spec in _of_episode(store, row)}, **specs}
    for row, there in zip(rows, sat, strict=True):
        for name, other in zip(row.minds, there.minds, strict=True):
            if other not in specs:
                specs[other] = replace(specs.get(name, PERSON), name=other)
    return [MindUsed(spec=spec, seats=seats[name]) for name, spec in sorted(specs.items())]


def _of_episode(store: EventStore, row: EpisodeRow) -> tuple[MindSpec, ...]:
    envelopes = store.read(stream_name("episode", row.id), 0, 0)
    first = event_of(envelopes[0]) if envelopes else None
    return first.minds if isinstance(first, EpisodeStarted | EpisodeForked) else ()


def _prompts(store: EventStore, mind: str, episodes: list[EpisodeRow]) -> list[str]:
    streams = [
        agent_stream(row.id, seat)
        for row in episodes
        for seat, name in enumerate(row.minds)
        if name == mind and row.status != "planned"
    ]
    versions: dict[str, None] = {}
    for stream in {*streams[:1], *streams[-1:]}:
        for envelope in store.read(stream):
            event = event_of(envelope)
            if isinstance(event, ModelAsked) and event.prompt_version:
                versions[event.prompt_version] = None
    return sorted(versions)
