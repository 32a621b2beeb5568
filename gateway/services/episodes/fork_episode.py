"""Forking an episode from the command line: which past, which minds."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from actors.episodes.registry import environment_of
from actors.episodes.rules.decide import EpisodeState, Fork, decide
from actors.episodes.views.inconsistent_history import state_after
from actors.runs.execution.work import Work
from actors.runs.state import load_run
from events.base import Event
from events.episode import EpisodeForked
from events.ids import EPISODE, derived_number, new_id
from events.minds import MindSpec
from events.serialization.codec import event_of
from events.wire.subjects import stream_name
from gateway.errors import BadArgument, GatewayError
from gateway.services.episodes.mind_words import KnownMinds, parse_seat
from store.log.event_store import NEW, EventStore
from store.projections.tables import episodes
from store.read_model import queries
from store.read_model.episode_history import read_history
from store.read_model.records import EpisodeRow


class PreparedFork(NamedTuple):
    """A fork that may begin, under the id it will have."""

    id: str
    parent: str
    events: tuple[Event, ...]
    minds: tuple[MindSpec, ...]
    """One a seat."""
    run: str
    """The run whose plan's minds could be named; empty: none."""
    substitute: MindSpec | None = None
    """Who takes seats that people leave, where the parent's beginning names somebody."""

    @property
    def may_sit(self) -> tuple[MindSpec, ...]:
        """All who may come to sit there."""
        return self.minds if self.substitute is None else (*self.minds, self.substitute)


class SameForks(GatewayError):
    """Forks that would be repeated to no purpose."""

    def __init__(self, minds: Sequence[MindSpec]) -> None:
        told = "; ".join(f"seat {seat}: {sameness(mind)}" for seat, mind in enumerate(minds, 1))
        super().__init__(f"--repeats: nothing differs from fork to fork ({told})")
        self.minds = tuple(minds)


def prepare_fork(
    store: EventStore,
    given: str,
    at: int,
    seats: Sequence[str],
    others: Mapping[int, MindSpec] | None = None,
) -> PreparedFork:
    """What a fork after event ``at`` begins with; appends nothing. ``seats`` are ``N=MIND``;
    ``others`` sit in further seats, from 0.

    Raises ``UnknownId``, ``NoSuchEvent``, ``CommandRefused``, ``BadArgument``,
    ``OddHistory``.
    """
    episode = queries.find_episode(store, given)
    state = state_after(numbered.event for numbered in read_history(store, episode, at))
    minds = list(state.minds_without_people)
    known = KnownMinds(
        {mind.name: mind for mind in (*_planned(store, state), *state.minds, *minds)},
        environment_of(state.started).tempers if state.started else (),
    )
    taken: set[int] = set()
    for argument in seats:
        seat, mind = parse_seat(store, argument, len(minds), known)
        if seat in taken:
            raise BadArgument("--seat", argument, f"seat {seat + 1} is given twice")
        taken.add(seat)
        minds[seat] = mind
    for seat, mind in (others or {}).items():
        if not 0 <= seat < len(minds):
            raise BadArgument("seat", str(seat + 1), f"give a seat from 1 to {len(minds)}")
        minds[seat] = mind
    events = decide(state, Fork(parent=episode, minds=tuple(minds)))
    run = state.started.run if state.started else ""
    substitute = state.started.people.substitute if state.started else None
    return PreparedFork(new_id(EPISODE), episode, tuple(events), tuple(minds), run, substitute)


def repeated(store: EventStore, prepared: PreparedFork, count: int) -> tuple[PreparedFork, ...]:
    """The same fork so many times, each with other seeds; other ones, too, than those of forks that
    were made there before. Raises ``SameForks`` where every mind does what it did."""
    if count > 1 and all(mind.kind == "recorded" for mind in prepared.minds):
        raise SameForks(prepared.minds)
    (forked,) = prepared.events
    assert isinstance(forked, EpisodeForked), "a fork begins with nothing else"
    there = queries.episodes_where(store, episodes.c.parent == prepared.parent)
    first = sum(row.forked_at == forked.at for row in there)
    found = []
    for place in range(first, first + count):
        minds = tuple(
            _reseeded(mind, derived_number(prepared.parent, *map(str, (forked.at, seat, place))))
            for seat, mind in enumerate(prepared.minds)
        )
        events = (msgspec.structs.replace(forked, minds=minds),)
        found.append(prepared._replace(id=new_id(EPISODE), events=events, minds=minds))
    return tuple(found)


def sameness(mind: MindSpec) -> str:
    """Why a mind does in a repeated fork what it does in the others, or nearly so; empty: by chance
    it does something else."""
    match mind.kind:
        case "recorded":
            return "recorded, so it does the same in every fork"
        case "model" | "generative" if all(model.temperature == 0 for model in mind.models):
            return f"{mind.name} is asked at temperature 0, so it does nearly the same"
        case "remote" | "person":
            return f"{mind.kind}, so whoever plays there decides"
    return ""


def repeats_of(store: EventStore, fork: EpisodeRow) -> list[EpisodeRow]:
    """The forks that differ from one in nothing but the seeds, it among them, the oldest first."""
    if fork.parent is None:
        return []
    like = _without_seeds(store, fork.id)
    rows = queries.episodes_where(store, episodes.c.parent == fork.parent)
    near = [row for row in rows if (row.forked_at, row.minds) == (fork.forked_at, fork.minds)]
    return [row for row in near if _without_seeds(store, row.id) == like]


def _without_seeds(store: EventStore, fork: str) -> Event:
    forked = event_of(store.read(stream_name("episode", fork), 0, 0)[0])
    assert isinstance(forked, EpisodeForked), "a fork's stream begins with it"
    minds = tuple(_reseeded(mind, 0) for mind in forked.minds)
    return msgspec.structs.replace(forked, minds=minds)


def _reseeded(mind: MindSpec, seed: int) -> MindSpec:
    change = msgspec.structs.replace
    if mind.kind == "rehearsal":
        return change(mind, seed=seed)
    if mind.model is not None and mind.model.seed is not None:
        mind = change(mind, model=change(mind.model, seed=seed))
    thinks = mind.generative
    if thinks is not None and thinks.background is not None and thinks.background.seed is not None:
        background = change(thinks.background, seed=seed)
        mind = change(mind, generative=change(thinks, background=background))
    return mind


def fork_episode(store: EventStore, prepared: PreparedFork) -> str:
    """Begin a prepared fork; its id.

    It belongs to no run: it spends nobody's budget and changes nobody's table.
    """
    store.append(stream_name("episode", prepared.id), NEW, prepared.events)
    return prepared.id


def begin_forks(store: EventStore, forks: Iterable[PreparedFork]) -> Work:
    """Begin prepared forks; what is to be done for them."""
    return Work.continuing([fork_episode(store, one) for one in forks])


def minds_in(store: EventStore, episode: str) -> tuple[MindSpec, ...]:
    """Who sits in an episode, after its last fork; who did before a person, where one sits. Takes
    an id in full."""
    state = state_after(numbered.event for numbered in read_history(store, episode))
    return state.minds_without_people


def _planned(store: EventStore, state: EpisodeState) -> tuple[MindSpec, ...]:
    """The minds of the plan that the episode was played for."""
    run = load_run(store, state.started.run) if state.started and state.started.run else None
    return run.plan.minds if run else ()
