"""Plan files: the TOML a person writes to say what a run shall do (``docs/plan.md``)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from actors.episodes.chains import ChainSection
from actors.models.settings import ModelSettings
from actors.runs.chain_sections import (
    MemoryEntry,
    Problem,
    chain_problems,
    memory_entry_problems,
)
from actors.social.setup import EpisodeRules, TurnOrder
from actors.toml_file import BadFile, read_toml
from events.minds import MindSpec
from events.run import Budget

HIGHEST_PRIORITY = 100


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The root of a plan file's sections: a misspelt setting is refused, not ignored."""


class TaskChoice(_Section, frozen=True):
    """Which tasks of the catalog are played."""

    tags: tuple[str, ...] = ()
    """Only tasks that carry all of these."""
    ids: tuple[str, ...] = ()
    """Only these; empty: all."""
    limit: int = 0
    """At most so many, drawn at random with ``seed``; 0: all."""
    seed: int = 0


class MindEntry(ModelSettings, frozen=True, forbid_unknown_fields=True):
    """One ``[minds.<name>]`` section."""

    kind: Literal["model", "rehearsal", "recorded", "remote"]
    temper: str = ""
    episode: str = ""


class Seats(_Section, frozen=True):
    """Which minds sit where."""

    pairings: Literal["all", "same"] | tuple[tuple[str, ...], ...] = "all"
    """``all``: every mind in every seat; ``same``: the same mind in all seats; or a list of
    lists of names, one a seat."""
    repeats: int = 1
    """How often each task is played by each pairing, each time with another seed."""


class Rules(_Section, frozen=True):
    """How the episodes run and end."""

    order: TurnOrder = "round_robin"
    turn_cap: int = 20
    stale_turns: int = 2


class Judges(_Section, frozen=True):
    """Who scores: names of built-in judges, or paths of judge files beside the plan."""

    use: tuple[str, ...] = ()


class Spending(_Section, frozen=True):
    """What may be spent; 0: no limit."""

    usd: float = 0.0
    tokens: int = 0


class PlanFile(_Section, frozen=True):
    """A whole plan file."""

    name: str = ""
    catalog: str = "starter"
    seed: int = 0
    concurrency: int = 16
    priority: int = 1
    tasks: TaskChoice = TaskChoice()
    chains: ChainSection | None = None
    memories: dict[str, MemoryEntry] = {}
    minds: dict[str, MindEntry] = {}
    seats: Seats = Seats()
    rules: Rules = Rules()
    judges: Judges = Judges()
    budget: Spending = Spending()


def read_plan_file(path: Path) -> PlanFile:
    """Read and check a plan. Raises ``BadFile`` with the field and what would be right."""
    plan = read_toml(path, PlanFile)
    for field, why in _problems(plan):
        raise BadFile(path, field, why)
    return plan


def mind_specs(plan: PlanFile) -> tuple[MindSpec, ...]:
    """The plan's minds as they are recorded with a run."""
    return tuple(_mind(name, entry) for name, entry in plan.minds.items())


def episode_rules(plan: PlanFile) -> EpisodeRules:
    """The plan's rules; each episode gets a seed of its own."""
    rules = plan.rules
    return EpisodeRules(
        order=rules.order, turn_cap=rules.turn_cap, stale_turns=rules.stale_turns, seed=plan.seed
    )


def budget(plan: PlanFile) -> Budget:
    """The plan's budget."""
    return Budget(usd=plan.budget.usd, tokens=plan.budget.tokens)


def _mind(name: str, entry: MindEntry) -> MindSpec:
    model = entry.spec() if entry.kind == "model" else None
    return MindSpec(
        name=name, kind=entry.kind, model=model, temper=entry.temper, episode=entry.episode
    )


def _problems(plan: PlanFile) -> list[Problem]:
    """What is wrong with the values, in the file's order."""
    found: list[Problem] = []

    def at_least(field: str, value: float, least: float) -> None:
        if not value >= least:
            found.append((field, f"must be {least} or more, is {value}"))

    at_least("concurrency", plan.concurrency, 1)
    if not 1 <= plan.priority <= HIGHEST_PRIORITY:
        found.append(("priority", f"must be 1 to {HIGHEST_PRIORITY}, is {plan.priority}"))
    at_least("tasks.limit", plan.tasks.limit, 0)
    found += _played_problems(plan)
    if not plan.minds:
        found.append(("minds", "a plan needs at least one mind, for example [minds.warm]"))
    for name, mind in plan.minds.items():
        found += [(f"minds.{name}.{field}", why) for field, why in _mind_problems(mind)]
    if not isinstance(plan.seats.pairings, str):
        known = ", ".join(plan.minds)
        for row in plan.seats.pairings:
            found += [
                ("seats.pairings", f"there is no mind {name!r}; the plan has {known}")
                for name in row
                if name not in plan.minds
            ]
    at_least("seats.repeats", plan.seats.repeats, 1)
    at_least("rules.turn_cap", plan.rules.turn_cap, 1)
    at_least("rules.stale_turns", plan.rules.stale_turns, 0)
    at_least("budget.usd", plan.budget.usd, 0)
    at_least("budget.tokens", plan.budget.tokens, 0)
    return found


def _played_problems(plan: PlanFile) -> Iterator[Problem]:
    """What is wrong with the sections of chains."""
    if plan.chains is not None:
        if plan.tasks != TaskChoice():
            yield "tasks", "a plan with [chains] plays no tasks; take [tasks] or [chains] out"
        yield from chain_problems(plan.chains, plan.memories)
    elif plan.memories:
        yield "memories", "only chains have memories; add a [chains] section, or take them out"
    for name, entry in plan.memories.items():
        yield from memory_entry_problems(name, entry)


def _mind_problems(mind: MindEntry) -> list[Problem]:
    if mind.kind == "model":
        return mind.problems()
    if mind.model:
        return [("model", f"a {mind.kind} mind has no model; did you mean kind = 'model'?")]
    if mind.kind == "recorded" and not mind.episode:
        return [("episode", "a recorded mind names the episode whose actions it repeats")]
    return []
