"""A run's own state: what was planned, whether it is to go on, what it may spend."""

from typing import Literal

import msgspec

from events.base import Envelope, Event
from events.codec import event_of
from events.run import (
    Budget,
    Plan,
    PlannedChain,
    PlannedEpisode,
    RunEnded,
    RunPaused,
    RunPlanned,
    RunResumed,
)
from store.log import EventStore


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

    def episode(self, id_: str) -> PlannedEpisode | None:
        """The planned episode with this id."""
        return next((episode for episode in self.episodes if episode.id == id_), None)

    def chain_of(self, episode: str) -> PlannedChain | None:
        """The planned chain an episode belongs to."""
        return next((chain for chain in self.chains if episode in chain.episodes), None)


def run_stream(run: str) -> str:
    """The run's stream."""
    return f"run-{run}"


def fold_run(envelopes: list[Envelope]) -> RunState | None:
    """The state after a run's events; None when there are none."""
    state: RunState | None = None
    for envelope in envelopes:
        state = _evolve(state, event_of(envelope), envelope.version)
    return state


def load_run(store: EventStore, run: str) -> RunState | None:
    """The run's state as the store has it."""
    return fold_run(store.read(run_stream(run)))


def _evolve(state: RunState | None, event: Event, version: int) -> RunState:
    if isinstance(event, RunPlanned):
        return RunState(
            plan=event.plan,
            episodes=event.episodes,
            status="running",
            budget=event.plan.budget,
            detached=event.detached,
            version=version,
            chains=event.chains,
        )
    if state is None:
        raise ValueError(f"a run's stream begins with RunPlanned, not {type(event).__name__}")
    change = msgspec.structs.replace
    match event:
        case RunPaused():
            return change(state, status="paused", version=version)
        case RunResumed(budget=budget, detached=detached):
            return change(
                state,
                status="running",
                budget=budget or state.budget,
                detached=detached,
                version=version,
            )
        case RunEnded():
            return change(state, status="ended", version=version)
        case _:
            raise ValueError(f"{type(event).__name__} does not belong in a run's stream")
