"""Lists what an imported file would send where, for a person to agree to."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from actors.models.server_addresses import destination
from actors.runs.plan.outside_models import strangers
from actors.runs.state import RunState, load_run
from events.base import Value
from events.interview import InterviewBegan
from events.minds import MindSpec, ModelSpec
from events.serialization.named_models import named_models
from events.wire.subjects import interview_stream, stream_name
from gateway.errors import GatewayError
from gateway.services.episodes.fork_episode import PreparedFork
from store.log.event_store import EventStore
from store.log.imported_events import imported_events
from store.read_model import queries
from store.read_model.episode_history import ancestors


class Destination(Value, frozen=True, kw_only=True):
    """Prompts that would be sent somewhere, and the key with them."""

    who: str
    """Whose prompts: a mind, a memory, a judge, by name."""
    model: str
    """The model's name."""
    to: str
    """Host and port, or the provider whose own servers answer."""
    key: str
    """The environment variable whose key goes along; empty: none is named."""
    episodes: int
    """For so many episodes at most."""


class Agree(Protocol):
    """Has a person agree to what would be sent where. Raises ``NotAgreed``."""

    def __call__(self, what: str, destinations: Sequence[Destination], /) -> None: ...


class NotAgreed(GatewayError):
    """Something from a file would have been sent somewhere, and nobody agreed."""

    def __init__(self, what: str, *, asked: bool) -> None:
        why = (
            "nobody agreed to what it would send, so nothing was sent"
            if asked
            else "a person at a terminal is asked before anything is sent for it; "
            "in a script say --yes"
        )
        super().__init__(f"{what} came in a file: {why}")
        self.what = what


def never(what: str, _: Sequence[Destination], /) -> None:
    """Where nobody can be asked."""
    raise NotAgreed(what, asked=False)


def destinations_of_run(state: RunState) -> list[Destination]:
    """Where a run may send something from now on, at most: that its episodes are over does not
    make a mind harmless, since they may be retried and forked without asking again."""
    planned = state.episodes
    substitute = state.plan.people.substitute
    minds = list(state.plan.minds)
    if substitute is not None and substitute not in minds:
        minds.append(substitute)
    found = [
        _destination(f"mind {mind.name}", model, sum(mind.name in one.minds for one in planned))
        for mind in minds
        for model in _asked_by(mind)
    ]
    found += [
        _destination(f"memory {one.name}", one.model, len(planned))
        for one in state.plan.memories
        if one.model is not None
    ]
    found += [
        _destination(f"judge {one.name}", one.model, len(planned))
        for one in state.plan.judges
        if one.model is not None
    ]
    return found


def destinations_of_minds(
    minds: Iterable[MindSpec], unknown: frozenset[ModelSpec], episodes: int
) -> list[Destination]:
    """Where minds would send something whose models only files name."""
    return [
        _destination(f"mind {mind.name}", model, episodes)
        for mind in minds
        for model in _asked_by(mind)
        if is_among(model, unknown)
    ]


def destinations_of_models(models: Iterable[ModelSpec], episodes: int) -> list[Destination]:
    """The addresses at which some models are asked."""
    found = [_destination("", model, episodes) for model in models]
    return list(dict.fromkeys(found))


def is_among(spec: ModelSpec, unknown: Iterable[ModelSpec]) -> bool:
    """Whether one of some models is asked at the same place, under the same account."""
    return _anywhere(spec) in map(_anywhere, unknown)


def brought_by_file(store: EventStore, streams: Sequence[str], *runs: str) -> frozenset[ModelSpec]:
    """The models that only a file says are to be asked in some streams, or for the runs that they
    are of (empty ids: of none)."""
    found, agreed = frozenset[ModelSpec](), frozenset[ModelSpec]()
    for run in filter(None, runs):
        state = load_run(store, run)
        if state is not None and state.awaits_consent:
            found |= named_models(state.plan)
        elif state is not None:
            agreed |= named_models(state.plan)
    imported = imported_events(store)
    for stream in streams:
        found |= strangers(store.read(stream), imported, None)
    return found - agreed


def destinations_of_fork(
    store: EventStore, fork: PreparedFork, forks: int = 1
) -> list[Destination]:
    """Where a fork, or so many of them, would send something that only a file says."""
    parent = queries.episode(store, fork.parent)
    past = [episode_stream(one.id) for one in (*ancestors(store, parent), parent)]
    unknown = brought_by_file(store, past, parent.run, fork.run)
    return destinations_of_minds(fork.may_sit, unknown, forks)


def destinations_of_interview(
    store: EventStore, begun: InterviewBegan, number: int
) -> list[Destination]:
    """Where the next question of an interview would go that came in a file. One that was begun
    here has been agreed to."""
    stream = interview_stream(begun.episode, number)
    if not strangers(store.read(stream), imported_events(store), None):
        return []
    unknown = brought_by_file(store, [stream], begun.run)
    return destinations_of_minds([begun.mind], unknown, 1)


def episode_stream(episode: str) -> str:
    return stream_name("episode", episode)


def _asked_by(mind: MindSpec) -> tuple[ModelSpec, ...]:
    embedding = mind.embedding_model
    return mind.models if embedding is None else (*mind.models, embedding)


def _anywhere(spec: ModelSpec) -> tuple[str, ...]:
    """What decides where a model is asked, and with which key."""
    return (spec.adapter, spec.name, spec.base_url, spec.api_key_env, spec.extra)


def _destination(who: str, spec: ModelSpec, episodes: int) -> Destination:
    return Destination(
        who=who,
        model=spec.name,
        to=destination(spec),
        key=spec.api_key_env,
        episodes=episodes,
    )
