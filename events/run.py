"""A run: a plan carried out. Stream ``run-<id>``."""

from typing import Literal

from events.base import Event, Value
from events.episode import EpisodeRules
from events.evaluation import JudgeSpec
from events.minds import MindSpec


class Budget(Value, frozen=True, kw_only=True):
    """What a run may spend; 0: no limit. A spent budget pauses the run."""

    usd: float = 0.0
    tokens: int = 0


class PlannedEpisode(Value, frozen=True, kw_only=True):
    """One episode of a plan."""

    id: str
    task: str
    minds: tuple[str, ...]
    """Names of the minds, one a seat."""
    seed: int = 0


class Plan(Value, frozen=True, kw_only=True):
    """A plan with everything resolved."""

    name: str
    catalog: str
    minds: tuple[MindSpec, ...]
    judges: tuple[JudgeSpec, ...] = ()
    rules: EpisodeRules = EpisodeRules()
    concurrency: int = 16
    """Episodes under way at once in one process."""
    budget: Budget = Budget()
    source: str = ""
    """The plan file's text."""


class RunPlanned(Event, frozen=True, kw_only=True):
    """A run begins: what is to be played, all of it."""

    plan: Plan
    episodes: tuple[PlannedEpisode, ...]
    software: str = ""
    """Version of Troupe."""
    detached: bool = False
    """Left to ``troupe serve``, not carried out by the process that planned it."""


class RunPaused(Event, frozen=True, kw_only=True):
    """The run waits; ``troupe resume`` goes on."""

    reason: Literal["budget", "stopped"]
    detail: str = ""


class RunResumed(Event, frozen=True, kw_only=True):
    """The run goes on."""

    budget: Budget | None = None
    """The budget from here on, where it was changed."""
    detached: bool = False
    """Left to ``troupe serve`` from here on."""


class RunEnded(Event, frozen=True, kw_only=True):
    """Every episode and every evaluation of the plan is done or given up."""

    episodes_ended: int
    episodes_failed: int
    evaluations_ended: int
    evaluations_failed: int
