"""The state of a run: what was planned, whether it should continue, and its budget."""

from collections.abc import Container
from typing import Literal

import msgspec

from events.base import Envelope, Event, Value
from events.run import (
    AnswersUnusable,
    Budget,
    EpisodesRetried,
    FormLowered,
    ModelHeld,
    ModelReleased,
    Plan,
    PlannedChain,
    PlannedEpisode,
    RunArchived,
    RunEnded,
    RunPaused,
    RunPlanned,
    RunRestored,
    RunResumed,
)
from events.serialization.codec import event_of
from store.log.event_store import EventStore
from store.log.imported_events import imported_events


class Hold(Value, frozen=True, kw_only=True):
    """A model that one process holds back, because it fails."""

    held: ModelHeld
    since: int
    """Microseconds since 1970, UTC."""


class Note(Value, frozen=True, kw_only=True):
    """What became of a model while the run went on."""

    note: FormLowered | AnswersUnusable
    since: int
    """Microseconds since 1970, UTC."""


class RunState(msgspec.Struct, frozen=True, kw_only=True):
    """The fold of a run's stream."""

    plan: Plan
    episodes: tuple[PlannedEpisode, ...]
    status: Literal["running", "paused", "ended"]
    budget: Budget
    detached: bool
    """Whether a server is to carry it out."""
    version: int
    """The stream's last version."""
    chains: tuple[PlannedChain, ...] = ()
    holds: tuple[Hold, ...] = ()
    """Models that are held as far as was recorded, the first first; none while it does not run."""
    notes: tuple[Note, ...] = ()
    """What became of its models, the first first."""
    imported: str = ""
    """What its episodes came in, where they were simulated elsewhere."""
    study: str = ""
    """The study with people whose episodes it holds, which looks after them; empty: none."""
    archived: bool = False
    """Whether lists leave it out."""
    planned_at: int = 0
    """The position of its plan in the store."""
    awaits_consent: bool = False
    """Whether something of its stream has come in from outside since somebody here last had it go
    on: nothing is played or asked for it until somebody does, having seen what is sent where."""

    def episode(self, id_: str) -> PlannedEpisode | None:
        return next((episode for episode in self.episodes if episode.id == id_), None)

    def chain_of(self, episode: str) -> PlannedChain | None:
        """The planned chain an episode belongs to."""
        return next((chain for chain in self.chains if episode in chain.episodes), None)


def run_stream(run: str) -> str:
    return f"run-{run}"


def fold_run(envelopes: list[Envelope], imported: Container[int] = ()) -> RunState | None:
    """The state after a run's events; None when there are none. ``imported``: positions of what
    came in from outside."""
    state: RunState | None = None
    for envelope in envelopes:
        event = event_of(envelope)
        state = _evolve(state, event, envelope)
        if envelope.position in imported:
            state = msgspec.structs.replace(state, awaits_consent=True)
        elif isinstance(event, RunResumed):
            state = msgspec.structs.replace(state, awaits_consent=False)
    return state


def load_run(store: EventStore, run: str) -> RunState | None:
    """The run's state as the store has it."""
    return fold_run(store.read(run_stream(run)), imported_events(store))


def awaits_consent(store: EventStore, run: str) -> bool:
    """Whether a run came in from outside, and nobody here has had it go on."""
    state = load_run(store, run)
    return state is not None and state.awaits_consent


def _evolve(state: RunState | None, event: Event, envelope: Envelope) -> RunState:
    version = envelope.version
    if isinstance(event, RunPlanned):
        return RunState(
            plan=event.plan,
            episodes=event.episodes,
            status="running",
            budget=event.plan.budget,
            detached=event.detached,
            version=version,
            chains=event.chains,
            imported=event.imported,
            study=event.study,
            planned_at=envelope.position,
        )
    if state is None:
        raise ValueError(f"a run's stream begins with RunPlanned, not {type(event).__name__}")
    change = msgspec.structs.replace
    match event:
        case RunPaused():
            return change(state, status="paused", version=version, holds=())
        case RunResumed(budget=budget, detached=detached):
            return change(
                state,
                status="running",
                budget=budget or state.budget,
                detached=detached,
                version=version,
                holds=(),
                archived=False,
            )
        case RunEnded():
            return change(state, status="ended", version=version, holds=())
        case RunArchived() | RunRestored():
            return change(state, version=version, archived=isinstance(event, RunArchived))
        case EpisodesRetried(episodes=retried):
            instead = {one.instead_of: one.episode for one in retried}
            episodes = tuple(instead.get(planned.id, planned) for planned in state.episodes)
            return change(state, episodes=episodes, version=version)
        case ModelHeld():
            hold = Hold(held=event, since=envelope.recorded_at)
            return change(state, holds=(*_others(state, event), hold), version=version)
        case ModelReleased():
            return change(state, holds=_others(state, event), version=version)
        case FormLowered() | AnswersUnusable():
            others = (one for one in state.notes if note_key(one.note) != note_key(event))
            note = Note(note=event, since=envelope.recorded_at)
            return change(state, notes=(*others, note), version=version)
        case _:
            raise ValueError(f"{type(event).__name__} does not belong in a run's stream")


def note_key(note: FormLowered | AnswersUnusable) -> tuple[str, str, str]:
    """What two notes that say the same have in common, whichever process noticed."""
    return type(note).__name__, note.model, note.now if isinstance(note, FormLowered) else ""


def _others(state: RunState, event: ModelHeld | ModelReleased) -> tuple[Hold, ...]:
    """What is held but for an event's model, by its process."""
    own = (event.model, event.worker)
    return tuple(hold for hold in state.holds if (hold.held.model, hold.held.worker) != own)
