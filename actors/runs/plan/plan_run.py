"""Derives the episodes of a plan: the task, the minds and the seed of each."""

import random
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from rapidfuzz import fuzz

from actors.episodes.catalogs.entries import MissingItem, TaskEntry
from actors.episodes.chain_support import ChainSection
from actors.episodes.registry import environment_named
from actors.runs.plan.chain_sections import chosen_memories
from actors.runs.plan.episode_setup import seated
from actors.runs.plan.listed_tasks import (
    FIRST_SEAT,
    check_listed,
    entries_of,
    seats_by_scenario,
)
from actors.runs.plan.mind_entries import mind_specs
from actors.runs.plan.pairings import pairings, pairings_of
from actors.runs.plan.people_section import people_rules
from actors.runs.plan.plan_chains import plan_chains
from actors.runs.plan.plan_file import PlanFile, TaskChoice, budget, environment_settings
from actors.toml_file import BadFile
from events.environments import Catalog, Setup, environment_of_value
from events.evaluation import JudgeSpec
from events.ids import EPISODE, derived_id, derived_number
from events.memory import MemorySpec
from events.run import Plan, PlannedChain, PlannedEpisode, RunPlanned

_Chosen: TypeAlias = tuple[TaskEntry, Sequence[int]]
"""A task, and the seats, from 0, in which who is under test sits (``pairings``)."""


def choose_tasks(catalog: Catalog, choice: TaskChoice, path: str) -> tuple[TaskEntry, ...]:
    """The tasks a plan asks for, in the catalog's order. Raises ``BadFile`` if there is none."""
    entries = environment_named(environment_of_value(catalog)).tasks(catalog)
    by_id = {task.id: task for task in entries}
    for id_ in choice.ids:
        if id_ not in by_id:
            near = _nearest(id_, by_id)
            hint = f"; the nearest is {near!r}" if near else ""
            raise BadFile(path, "tasks.ids", f"catalog {catalog.name!r} has no task {id_!r}{hint}")
    check_listed(catalog.name, entries, choice, path)
    listed = {one.scenario for one in entries_of(choice)}
    wanted = {id_ for id_, task in by_id.items() if not task.only_by or task.only_by in choice.tags}
    if listed:
        wanted = {id_ for id_, task in by_id.items() if task.scenario in listed}
    if choice.ids:
        wanted = set(choice.ids) & (wanted if listed else by_id.keys())
    tasks = [t for t in entries if t.id in wanted and set(choice.tags) <= set(t.tags)]
    if not tasks:
        have = ", ".join(sorted({tag for task in entries for tag in task.tags})) or "none"
        what = "no task of the list" if listed else f"no task of catalog {catalog.name!r}"
        raise BadFile(path, "tasks", f"{what} fits; its tags are: {have}")
    if choice.limit and choice.limit < len(tasks):
        drawn = set(random.Random(choice.seed).sample(range(len(tasks)), choice.limit))  # noqa: S311
        tasks = [task for place, task in enumerate(tasks) if place in drawn]
    return tuple(tasks)


def _nearest(given: str, known: Iterable[str]) -> str:
    """The nearest of some ids; one that holds what was given comes before others, and the one with
    least beside it before those: a tree's walk before a question within it."""
    return max(
        known, key=lambda id_: fuzz.partial_ratio(given, id_) + fuzz.ratio(given, id_), default=""
    )


def plan_run(
    run: str,
    plan: PlanFile,
    catalog: Catalog,
    judges: Sequence[JudgeSpec],
    *,
    source: str = "",
    path: str = "",
    software: str = "",
) -> RunPlanned:
    """Everything that run ``run`` will play. The same arguments give the same episodes.

    Raises ``BadFile`` where the catalog does not have what the plan asks for.
    """
    if (plays := environment_of_value(catalog)) != plan.environment:
        why = f"catalog {catalog.name!r} is of the environment {plays!r}, not {plan.environment!r}"
        raise BadFile(path, "catalog", why)
    memories: tuple[MemorySpec, ...] = ()
    chains: tuple[PlannedChain, ...] = ()
    if plan.chains is None:
        tasks = choose_tasks(catalog, plan.tasks, path)
        tested = seats_by_scenario(plan.tasks)
        chosen = [(task, tested.get(task.scenario, FIRST_SEAT)) for task in tasks]
        check_tasks(plan, [(task.seats, seats) for task, seats in chosen], path)
        _check_beginnings(plan, catalog, chosen, path)
        episodes = tuple(_episodes(run, plan, chosen, path))
    else:
        check_chains(plan, plan.chains, path)
        environment = environment_named(plan.environment)
        if fault := environment.plans.chain_fault(environment_settings(plan)):
            raise BadFile(path, plan.environment, fault)
        planned = tuple(plan_chains(run, plan, plan.chains, environment, catalog, path))
        memories = chosen_memories(plan.chains, plan.memories)
        chains = tuple(one.chain for one in planned)
        episodes = tuple(episode for one in planned for episode in one.episodes)
    return RunPlanned(
        plan=Plan(
            name=plan.name or "unnamed",
            catalog=catalog.name,
            minds=mind_specs(plan.minds),
            judges=tuple(judges),
            environment=plan.environment,
            settings=environment_settings(plan),
            concurrency=plan.concurrency,
            budget=budget(plan),
            source=source,
            memories=memories,
            priority=plan.priority,
            people=people_rules(plan),
            give_up_after=plan.give_up_after,
        ),
        episodes=episodes,
        software=software,
        chains=chains,
    )


def _check_beginnings(
    plan: PlanFile, catalog: Catalog, tasks: Iterable[_Chosen], path: str
) -> None:
    """Raises ``BadFile`` where a task cannot begin as the environment's section says. Each task is
    asked once, however many pairings and repeats play it."""
    environment, settings = environment_named(plan.environment), environment_settings(plan)
    minds, seated_before = mind_specs(plan.minds), set[tuple[type[Setup], int, Sequence[int]]]()
    for task, tested in tasks:
        with suppress(MissingItem):  # said where it is played, with the episode's name
            begun = environment.begin(catalog, task.id, settings, plan.seed)
            game = environment.game_of(begun.setup)
            if fault := game.rules.setup_fault(begun.setup, task.seats):
                raise BadFile(path, plan.environment, f"task {task.id!r} cannot begin: {fault}")
            if (likes := (type(begun.setup), task.seats, tested)) not in seated_before:
                seated_before.add(likes)
                for names in pairings(plan, task.seats, path, tested):
                    if fault := game.limits.minds_fault(begun.setup, seated(minds, names)):
                        raise BadFile(path, "seats.pairings", fault)


def _episodes(
    run: str, plan: PlanFile, tasks: Iterable[_Chosen], path: str
) -> Iterable[PlannedEpisode]:
    for task, tested in tasks:
        for minds in pairings(plan, task.seats, path, tested):
            for repeat in range(plan.seats.repeats):
                id_ = derived_id(EPISODE, run, task.id, *minds, str(repeat))
                # All pairings of a task share a seed, so that they differ by their minds alone.
                seed = derived_number(str(plan.seed), task.id, str(repeat))
                yield PlannedEpisode(id=id_, task=task.id, minds=minds, seed=seed)


MOST_EPISODES: Final = 100_000
"""Of one run. All of them stand in the event that begins it, some 150 bytes each; what is larger is
several runs, which can share a fleet."""


def check_tasks(plan: PlanFile, tasks: Iterable[tuple[int, Sequence[int]]], path: str) -> None:
    """Raises ``BadFile`` where a plan comes to more episodes than a run can have. ``tasks``: how
    many seats each has, and those of them in which who is under test sits."""
    repeats = plan.seats.repeats
    rows = [pairings_of(plan, many, tested) for many, tested in tasks]
    total = sum(rows) * repeats
    parts = f"{len(rows):,} tasks, each with every pairing of minds, {repeats:,} times"
    _check(total, parts, path)


def check_chains(plan: PlanFile, chains: ChainSection, path: str) -> None:
    """The same of a plan of chains, but for the hard scenarios that end them."""
    casts = [len(cast) for cast in chains.characters] or [chains.seats] * min(
        chains.pairs or 1, MOST_EPISODES + 1
    )
    repeats, memories = plan.seats.repeats, len(chains.memory)
    played = sum(pairings_of(plan, seats) for seats in casts) * memories * repeats
    # A pairing that fits no cast is another fault, which is found later.
    parts = f"{max(played, 1):,} chains of {chains.episodes:,} episodes"
    _check(max(played, len(casts)) * chains.episodes, parts, path)


def _check(total: int, parts: str, path: str) -> None:
    if total > MOST_EPISODES:
        why = (
            f"the plan comes to more than {MOST_EPISODES:,} episodes ({parts}), the most that one "
            "run can have; plan fewer, or several runs"
        )
        raise BadFile(path, "", why)
