"""Plan files: the TOML a person writes to say what a run shall do (``docs/plan.md``)."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, cast

import msgspec
from msgspec import UNSET, UnsetType

from actors.episodes.chains import ChainSection
from actors.episodes.registry import UnknownEnvironment, environment_named
from actors.models.settings import Dollars, ModelSettings, Seed
from actors.runs.chain_sections import (
    MemoryEntry,
    Problem,
    chain_problems,
    memory_entry_problems,
)
from actors.runs.people_section import PeopleSection, people_problems
from actors.toml_file import BadFile, Table, parse_table, read_table
from events.environments import Settings, installed
from events.minds import MindKind, MindSpec
from events.run import Budget

DEFAULT_ENVIRONMENT: Final = "social"
"""The environment of a plan that names none."""

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
    limit: _Count = 0
    """At most so many, drawn at random with ``seed``; 0: all."""
    seed: Seed = 0


class MindEntry(ModelSettings, frozen=True, forbid_unknown_fields=True):
    """One ``[minds.<name>]`` section."""

    kind: MindKind
    temper: str = ""
    episode: str = ""


class Seats(_Section, frozen=True):
    """Which minds sit where."""

    pairings: Literal["all", "same"] | tuple[tuple[str, ...], ...] = "all"
    """``all``: every mind in every seat; ``same``: the same mind in all seats; or a list of
    lists of names, one a seat."""
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
    plan = written.shaped(plan_shape(_environment(written.data, path)))
    for field, why in _problems(plan):
        raise BadFile(path, field, why)
    return plan


@cache
def plan_shape(environment: str) -> type[PlanFile]:
    """What the plan file of an environment may hold: its own section too, under its name and
    under those it had before. Raises ``UnknownEnvironment``."""
    own = environment_named(environment)
    section = own.section | UnsetType
    names = (own.name, *own.older_sections)
    fields = [(name, section, UNSET) for name in names]
    shape = msgspec.defstruct("PlanFile", fields, bases=(PlanFile,), frozen=True)
    return cast(type[PlanFile], shape)


def environment_settings(plan: PlanFile) -> Settings:
    """What a run records of the environment's section; each episode gets a seed of its own."""
    own, section = environment_named(plan.environment), _section(plan)
    return own.settings(own.section() if section is None else section, plan.seed)


def _section(plan: PlanFile) -> Any:
    """The environment's section; None where the plan leaves it out."""
    own = environment_named(plan.environment)
    given = (getattr(plan, name, UNSET) for name in (own.name, *own.older_sections))
    return next((one for one in given if one is not UNSET), None)


def mind_specs(plan: PlanFile) -> tuple[MindSpec, ...]:
    """The plan's minds as they are recorded with a run."""
    return tuple(_mind(name, entry) for name, entry in plan.minds.items())


def budget(plan: PlanFile) -> Budget:
    """The plan's budget."""
    return Budget(usd=plan.budget.usd, tokens=plan.budget.tokens)


def _mind(name: str, entry: MindEntry) -> MindSpec:
    model = entry.spec() if entry.kind == "model" else None
    return MindSpec(
        name=name, kind=entry.kind, model=model, temper=entry.temper, episode=entry.episode
    )


def _environment(written: dict[str, Any], path: Path) -> str:
    """The environment of a plan, whose section is there once, and no other's."""
    name = str(written.get("environment", DEFAULT_ENVIRONMENT))
    try:
        own = environment_named(name)
    except UnknownEnvironment as error:
        raise BadFile(path, "environment", str(error)) from error
    for other in installed():
        if other != own.name and other in written:
            why = f"is for another environment; say environment = {other!r}, or take it out"
            raise BadFile(path, other, why)
    given = [one for one in (own.name, *own.older_sections) if one in written]
    if len(given) > 1:
        raise BadFile(path, given[1], f"is an older name of [{given[0]}]; keep one of the two")
    return own.name


def _problems(plan: PlanFile) -> list[Problem]:
    """What is wrong with the values, in the file's order, beyond what their types say."""
    found = [*_section_problems(plan), *_played_problems(plan)]
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
    return [*found, *people_problems(plan)]


def _section_problems(plan: PlanFile) -> Iterator[Problem]:
    """An environment may have settings without a default, though it should not."""
    own = environment_named(plan.environment)
    if _section(plan) is None:
        needed = [field.name for field in msgspec.structs.fields(own.section) if field.required]
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


def _mind_problems(mind: MindEntry) -> list[Problem]:
    if mind.kind == "model":
        return mind.problems()
    if mind.model:
        return [("model", f"a {mind.kind} mind has no model; did you mean kind = 'model'?")]
    if mind.kind == "recorded" and not mind.episode:
        return [("episode", "a recorded mind names the episode whose actions it repeats")]
    return []
