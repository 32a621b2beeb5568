"""A run: a plan carried out. Stream ``run-<id>``."""

from typing import Any, Generic, Literal

from typing_extensions import TypeVar

from events.base import Event, Value
from events.environments import Settings
from events.episode import PeopleRules
from events.evaluation import JudgeSpec
from events.memory import MemorySpec
from events.minds import MindSpec

P = TypeVar("P", bound=Settings, default=Any)


class Budget(Value, frozen=True, kw_only=True):
    """What a run may spend; 0: no limit. A spent budget pauses the run."""

    usd: float = 0.0
    """US dollars, for all calls to models, judges' included."""
    tokens: int = 0
    """Prompt and answer tokens together."""


class PlannedEpisode(Value, frozen=True, kw_only=True):
    """One episode of a plan."""

    id: str
    """The episode's id."""
    task: str
    """The task's id in the plan's catalog."""
    minds: tuple[str, ...]
    """Names of the minds, one a seat."""
    seed: int = 0
    """What the environment makes of chance begins here."""
    scenario: str = ""
    """The scenario, for an episode of a chain; ``task`` then names no task of the catalog."""
    chain: str = ""
    """The chain it belongs to; empty: none."""
    index: int = 0
    """Its place in the chain: 0, 1, 2, …"""
    hard: bool = False
    """It is of the part that ends the chain: its scenario needs what came up in earlier episodes.
    False, too, where the run was planned before this was recorded."""


class PlannedChain(Value, frozen=True, kw_only=True):
    """One chain of a plan. Its episodes are among the run's, in order; where it goes on from a
    chain of another run, that one's come first."""

    id: str
    """The chain's id."""
    characters: tuple[str, ...]
    """Ids, in the order of the seats."""
    relationships: tuple[str, ...] = ()
    """Ids of the relationships between them."""
    minds: tuple[str, ...]
    """Names of the minds, one a seat."""
    memory: str
    """Name of the memory module."""
    episodes: tuple[str, ...]
    """The episodes' ids, in order."""


class Plan(Value, Generic[P], frozen=True, kw_only=True):
    """A plan with everything resolved."""

    name: str
    """How lists call the run."""
    catalog: str
    """The catalog's name."""
    minds: tuple[MindSpec, ...]
    """All minds that sit anywhere."""
    judges: tuple[JudgeSpec, ...] = ()
    """Each scores every episode."""
    environment: str
    """The environment of its episodes."""
    settings: P
    """The plan's section of that environment."""
    concurrency: int = 16
    """Episodes under way at once in one process."""
    budget: Budget = Budget()
    """A run that has spent it is paused."""
    source: str = ""
    """The plan file's text."""
    memories: tuple[MemorySpec, ...] = ()
    """The memory modules its chains use."""
    priority: int = 1
    """Its share of a fleet that several runs want, against theirs; 1 to 100."""
    people: PeopleRules = PeopleRules()
    """What is done where people are waited for."""
    give_up_after: int = 3
    """So many answers of one seat that fail in a row give an episode up; 0: never."""


class RunPlanned(Event, Generic[P], frozen=True, kw_only=True):
    """A run begins: what is to be played, all of it."""

    SCHEMA = 2

    plan: Plan[P]
    """What was asked for."""
    episodes: tuple[PlannedEpisode, ...]
    """All episodes, in the plan's order."""
    software: str = ""
    """Version of Troupe."""
    detached: bool = False
    """Left to ``troupe serve``, not carried out by the process that planned it."""
    chains: tuple[PlannedChain, ...] = ()
    """All chains, in the plan's order."""
    imported: str = ""
    """What its episodes came in, where they were simulated elsewhere: ``EpisodeLog``. Nothing of
    such a run is left to do. Empty: they are played here."""
    study: str = ""
    """The study with people whose episodes it holds: they begin as participants come, and none is
    planned. Empty: none."""


class RunPaused(Event, frozen=True, kw_only=True):
    """The run waits; ``troupe resume`` goes on."""

    reason: Literal["budget", "stopped", "model"]
    """A spent budget, somebody's wish, or a model that cannot be asked."""
    detail: str = ""
    """More about it, as a sentence."""


class RunResumed(Event, frozen=True, kw_only=True):
    """The run goes on."""

    budget: Budget | None = None
    """The budget from here on, where it was changed."""
    detached: bool = False
    """Left to ``troupe serve`` from here on."""


class RunArchived(Event, frozen=True, kw_only=True):
    """Lists leave the run out from here on. Nothing of it is deleted."""


class RunRestored(Event, frozen=True, kw_only=True):
    """Lists name the run again."""


class RetriedEpisode(Value, frozen=True, kw_only=True):
    """An episode that is played again under another id."""

    episode: PlannedEpisode
    """What is played: the same task, minds and seed."""
    instead_of: str
    """The id of the episode whose place it takes."""
    place: int
    """That place in the run's plan, from 0."""


class EpisodesRetried(Event, frozen=True, kw_only=True):
    """Episodes are played again, because actions in them failed. What was played stays in the log;
    tables take the newest."""

    episodes: tuple[RetriedEpisode, ...]
    """At least one, none of a chain."""


class ModelHeld(Event, frozen=True, kw_only=True):
    """A model fails so often that questions to it wait until it answers again."""

    model: str
    """The model's name."""
    worker: str
    """The process that noticed: each finds out for itself."""
    reason: str = ""
    """What most of its last calls met, in a word."""
    detail: str = ""
    """The last of it, as a sentence."""
    waiting: int = 0
    """Questions that waited when this was recorded."""


class ModelReleased(Event, frozen=True, kw_only=True):
    """A model that was held has answered."""

    model: str
    """The model's name."""
    worker: str
    """The process that noticed."""


class FormLowered(Event, frozen=True, kw_only=True):
    """A model is asked for its answers in a form that holds it to less from here on."""

    model: str
    """The model's name."""
    worker: str
    """The process that noticed: each finds out for itself, or from what the store remembers."""
    before: str
    """``schema``: a JSON Schema as it is; ``simple``: without bounds; ``json``: any JSON object;
    ``none``: as it likes."""
    now: str
    """One of the same."""
    why: str = ""
    """As a sentence."""


class AnswersUnusable(Event, frozen=True, kw_only=True):
    """More than a fifth of a model's first answers could not be used."""

    model: str
    """The model's name."""
    worker: str
    """The process that noticed."""
    answers: int
    """First answers that had come by then."""
    unusable: int
    """Of them, those after which it was asked again."""


class RunEnded(Event, frozen=True, kw_only=True):
    """Every episode and every evaluation of the plan is done or given up, or is not to be done."""

    episodes_ended: int
    """Episodes that came to an end."""
    episodes_failed: int
    """Episodes that were given up."""
    evaluations_ended: int
    """Evaluations that came to an end."""
    evaluations_failed: int
    """Evaluations that were given up."""
    stopped: bool = False
    """Somebody ended the run for good before all was done."""
