"""Plan files: the TOML a person writes to say what a run shall do (``docs/reference/plan.md``)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from actors.episodes.catalogs.scenario_lists import ListedScenario
from actors.episodes.chain_support import ChainSection
from actors.episodes.registry import environment_named
from actors.models.settings import Dollars, Seed
from actors.runs.plan.chain_sections import (
    MemoryEntry,
    Problem,
    chain_problems,
    memory_entry_problems,
)
from actors.runs.plan.environment_section import (
    DEFAULT_ENVIRONMENT,
    environment_of_file,
    section_in,
    with_section,
)
from actors.runs.plan.mind_entries import MindEntry, mind_problems
from actors.runs.plan.people_section import PeopleSection, people_problems
from actors.toml_file import BadFile, Table, parse_table, read_table
from events.environments import Settings
from events.run import Budget

_Positive = Annotated[int, msgspec.Meta(ge=1)]
_Count = Annotated[int, msgspec.Meta(ge=0)]


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The root of a plan file's sections: a misspelt setting is refused, not ignored."""


class TaskChoice(_Section, frozen=True):
    """Which tasks of the catalog are played."""

    tags: tuple[str, ...] = ()
    """Only tasks that carry all of these."""
    ids: tuple[str, ...] = ()
    """Only these; empty: all."""
    list: str | tuple[ListedScenario, ...] = ()
    """Only tasks of these scenarios: a file beside the plan, or what is in it."""
    limit: _Count = 0
    """At most so many, drawn at random with ``seed``; 0: all."""
    seed: Seed = 0


class Seats(_Section, frozen=True):
    """Which minds sit where."""

    pairings: Literal["all", "same", "first"] | tuple[tuple[str, ...], ...] = "all"
    """``all``: every mind in every seat; ``same``: the same mind in all seats; ``first``: each of
    ``first`` in the first seat, and ``others`` in all others; or a list of lists of names, one a
    seat."""
    first: tuple[str, ...] = ()
    """For ``first``: who sits there; empty: every mind, one after the other."""
    others: str = ""
    """For ``first``: who sits in the other seats; empty: the same mind as in the first."""
    repeats: _Positive = 1
    """How often each task is played by each pairing, each time with another seed."""


class Judges(_Section, frozen=True):
    """Who scores: names of built-in judges, or paths of judge files beside the plan."""

    use: tuple[str, ...] = ()


class Spending(_Section, frozen=True):
    """What may be spent; 0: no limit."""

    usd: Dollars = 0.0
    tokens: Annotated[int, msgspec.Meta(ge=0, le=10**15)] = 0


class PlanFile(_Section, frozen=True):
    """A whole plan file, but for the environment's own section (``plan_shape``)."""

    name: str = ""
    environment: str = DEFAULT_ENVIRONMENT
    catalog: str = ""
    """Empty: the one that comes with the environment."""
    seed: Seed = 0
    concurrency: _Positive = 16
    """Episodes under way at once in one process."""
    priority: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1
    """Its share of a fleet that several runs want, against theirs."""
    give_up_after: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 3
    """So many answers of one seat that fail in a row give an episode up; 0: never."""
    tasks: TaskChoice = TaskChoice()
    chains: ChainSection | None = None
    memories: dict[str, MemoryEntry] = {}
    minds: dict[str, MindEntry] = {}
    seats: Seats = Seats()
    judges: Judges = Judges()
    budget: Spending = Spending()
    people: PeopleSection = PeopleSection()


def read_plan_file(path: Path) -> PlanFile:
    """Read and check a plan. Raises ``BadFile`` with the field and what would be right."""
    return _checked(read_table(path), path)


def parse_plan(text: str, path: Path) -> PlanFile:
    """A plan that came as text; ``path`` names it in errors. Raises ``BadFile``."""
    return _checked(parse_table(text, path), path)


def _checked(written: Table, path: Path) -> PlanFile:
    plan = written.shaped(plan_shape(environment_of_file(written.data, path)))
    for field, why in _problems(plan):
        raise BadFile(path, field, why)
    return plan


def plan_shape(environment: str) -> type[PlanFile]:
    """What the plan file of an environment may hold, its own section too. Raises
    ``UnknownEnvironment``."""
    return with_section(PlanFile, environment)


def environment_settings(plan: PlanFile) -> Settings:
    """What a run records of the environment's section; each episode gets a seed of its own."""
    own, section = environment_named(plan.environment), section_in(plan, plan.environment)
    plans = own.plans
    return plans.settings(plans.section() if section is None else section, plan.seed)


def budget(plan: PlanFile) -> Budget:
    return Budget(usd=plan.budget.usd, tokens=plan.budget.tokens)


def _problems(plan: PlanFile) -> list[Problem]:
    """What is wrong with the values, in the file's order, beyond what their types say."""
    found = [*_section_problems(plan), *_played_problems(plan)]
    if not plan.minds:
        found.append(("minds", "a plan needs at least one mind, for example [minds.warm]"))
    for name in plan.minds:
        found += mind_problems(name, plan.minds)
    return [*found, *_seats_problems(plan.seats, plan.minds), *people_problems(plan)]


def _seats_problems(seats: Seats, minds: Mapping[str, MindEntry]) -> Iterator[Problem]:
    named = [("first", name) for name in seats.first]
    named += [("others", seats.others)] if seats.others else []
    if seats.pairings != "first":
        for field in dict.fromkeys(field for field, _ in named):
            yield f"seats.{field}", "is for pairings = 'first'; say so, or take it out"
    if not isinstance(seats.pairings, str):
        named += [("pairings", name) for row in seats.pairings for name in row]
    known = ", ".join(minds)
    for field, name in named:
        if name not in minds:
            yield f"seats.{field}", f"there is no mind {name!r}; the plan has {known}"


def _section_problems(plan: PlanFile) -> Iterator[Problem]:
    """An environment may have settings without a default, though it should not."""
    own = environment_named(plan.environment)
    if section_in(plan, plan.environment) is None:
        needed = [
            field.name for field in msgspec.structs.fields(own.plans.section) if field.required
        ]
        if needed:
            yield own.name, f"is needed, with {', '.join(needed)}: the environment has no default"


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
