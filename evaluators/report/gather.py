"""All that a report tells, collected from the store and from its read side."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from actors.episodes.environment import Account
from actors.episodes.registry import environment_of
from evaluators.seat_scores import Judged, SeatScores, dimensions, seat_scores
from events.agent import ModelAsked
from events.base import Event
from events.codec import event_of
from events.episode import ActionTaken, EpisodeForked, EpisodeStarted
from events.evaluation import EvaluationStarted, JudgeSpec
from events.ids import digest_of
from events.minds import MindSpec
from events.run import RunPlanned
from events.subjects import agent_stream, stream_name
from store import queries
from store.history import read_history
from store.log import EventStore
from store.records import (
    CallTotals,
    ChainRow,
    EpisodeRow,
    EvaluationRow,
    MemoryRow,
    RunRow,
    ScoreRow,
)


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


class Gathered(msgspec.Struct, kw_only=True):
    """A run, read once."""

    run: RunRow
    planned: RunPlanned
    plan_digest: str
    """Fingerprint of the plan file's text; empty where there is none."""
    minds: list[MindUsed]
    judges: list[JudgeUsed]
    episodes: list[EpisodeRow]
    evaluations: list[EvaluationRow]
    scores: list[ScoreRow]
    seats: list[SeatScores]
    dimensions: list[str]
    calls: list[CallTotals]
    chains: list[ChainRow]
    memories: list[MemoryRow]
    prompts: dict[str, list[str]]
    """For each mind that asks a model, the versions of its prompt, as the calls of its first and
    last episode recorded them."""


class EpisodeTranscript(msgspec.Struct, kw_only=True):
    """One episode as the narrator may know it, with what its seats got wrong."""

    row: EpisodeRow
    account: Account | None
    """None for an episode that was never begun."""
    failures: dict[int, ActionTaken]
    """Actions that a mind failed to give, by event number."""
    actions: int
    """Actions taken, failed ones among them; a fork's shared past is left out."""
    failed: Counter[str]
    """Of them, how many failed, by reason."""


def gather(store: EventStore, run: str) -> Gathered:
    """Collect a run but for its transcripts. Raises ``store.lookup.UnknownId``."""
    row = queries.run(store, run)
    planned = queries.plan(store, row.id)
    episodes = queries.episodes(store, run=row.id)
    evaluations = queries.evaluations(store, run=row.id)
    scores = queries.scores(store, run=row.id)
    found = seat_scores(scores)
    source = planned.plan.source
    minds = _minds(store, planned, episodes)
    chains = queries.chains(store, run=row.id)
    return Gathered(
        run=row,
        planned=planned,
        plan_digest=digest_of(source.encode()) if source else "",
        minds=minds,
        judges=_judges(store, evaluations),
        episodes=episodes,
        evaluations=evaluations,
        scores=scores,
        seats=found,
        dimensions=dimensions(found),
        calls=queries.call_totals(store, run=row.id),
        chains=chains,
        memories=queries.memories_of_run(store, row.id),
        prompts={
            mind.spec.name: _prompts(store, mind.spec.name, episodes)
            for mind in minds
            if mind.spec.kind == "model"
        },
    )


def histories(
    store: EventStore, episodes: list[EpisodeRow]
) -> Iterator[tuple[EpisodeRow, list[Event]]]:
    """The episodes one after the other, each read when it is its turn; without events where one
    was never begun."""
    for row in episodes:
        begun = row.started_at is not None
        yield row, [numbered.event for numbered in read_history(store, row.id)] if begun else []


def transcripts(store: EventStore, episodes: list[EpisodeRow]) -> Iterator[EpisodeTranscript]:
    """The same as transcripts."""
    for row, history in histories(store, episodes):
        started = next((event for event in history if isinstance(event, EpisodeStarted)), None)
        taken = [(n, event) for n, event in enumerate(history) if isinstance(event, ActionTaken)]
        own_from = -1 if row.forked_at is None else row.forked_at
        own = [event for number, event in taken if number > own_from]
        account = None
        if started is not None:
            environment = environment_of(started)
            account = environment.account(environment.view(history, "narrator"))
        yield EpisodeTranscript(
            row=row,
            account=account,
            failures={number: event for number, event in taken if event.failure},
            actions=len(own),
            failed=Counter(event.failure.reason for event in own if event.failure),
        )


def _judges(store: EventStore, evaluations: list[EvaluationRow]) -> list[JudgeUsed]:
    specs: dict[str, JudgeSpec] = {}
    for row in evaluations:
        if row.judge_hash not in specs:
            # The plan need not know the judge: an episode may be scored again at any time.
            first = event_of(store.read(stream_name("evaluation", row.id), 0, 0)[0])
            if isinstance(first, EvaluationStarted):
                specs[row.judge_hash] = first.judge
    names = [spec.name for spec in specs.values()]
    used = []
    for hash_, spec in sorted(specs.items(), key=lambda item: (item[1].name, item[0])):
        mine = [row for row in evaluations if row.judge_hash == hash_]
        label = f"{spec.name} ({hash_[:6]})" if names.count(spec.name) > 1 else spec.name
        used.append(
            JudgeUsed(
                judged=Judged(name=spec.name, hash=hash_, label=label),
                spec=spec,
                evaluations=len(mine),
                ended=sum(row.status == "ended" for row in mine),
                failed=sum(row.status == "failed" for row in mine),
            )
        )
    return used


def _minds(store: EventStore, planned: RunPlanned, episodes: list[EpisodeRow]) -> list[MindUsed]:
    specs = {spec.name: spec for spec in planned.plan.minds}
    seats = Counter(name for row in episodes for name in row.minds)
    for row in episodes:
        if row.parent is not None or not specs.keys() >= set(row.minds):
            specs = {**{spec.name: spec for spec in _of_episode(store, row)}, **specs}
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
