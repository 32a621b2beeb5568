"""From a plan to its episodes: which task is played by which minds, with which seed."""

import random
from collections.abc import Iterable, Sequence

from rapidfuzz import process

from actors.episodes.registry import environment_named
from actors.runs.chain_planning import plan_chains
from actors.runs.chain_sections import chosen_memories
from actors.runs.pairings import pairings
from actors.runs.plan_file import PlanFile, TaskChoice, budget, episode_rules, mind_specs
from actors.social.setup import NAME
from actors.toml_file import BadFile
from events.catalog import Catalog, Task
from events.evaluation import JudgeSpec
from events.ids import EPISODE, derived_id, derived_number
from events.memory import MemorySpec
from events.run import Plan, PlannedChain, PlannedEpisode, RunPlanned

MEMORY_HARD = "memory-hard"
"""Tag of the tasks whose scenarios need facts of earlier episodes."""


def choose_tasks(catalog: Catalog, choice: TaskChoice, path: str) -> tuple[Task, ...]:
    """The tasks a plan asks for, in the catalog's order. Raises ``BadFile`` if there is none.

    Those whose scenario needs facts of earlier episodes are for chains: alone they cannot be
    solved, so they are among them only where ``ids`` or the tag ``memory-hard`` asks for them.
    """
    by_id = {task.id: task for task in catalog.tasks}
    for id_ in choice.ids:
        if id_ not in by_id:
            near = process.extractOne(id_, list(by_id))
            hint = f"; the nearest is {near[0]!r}" if near else ""
            raise BadFile(path, "tasks.ids", f"catalog {catalog.name!r} has no task {id_!r}{hint}")
    wanted = set(choice.ids or by_id)
    if not choice.ids and MEMORY_HARD not in choice.tags:
        needing = {scenario.id for scenario in catalog.scenarios if scenario.needs}
        wanted -= {task.id for task in catalog.tasks if task.scenario in needing}
    tasks = [t for t in catalog.tasks if t.id in wanted and set(choice.tags) <= set(t.tags)]
    if not tasks:
        have = ", ".join(sorted({tag for task in catalog.tasks for tag in task.tags})) or "none"
        raise BadFile(
            path, "tasks", f"no task of catalog {catalog.name!r} fits; its tags are: {have}"
        )
    if choice.limit and choice.limit < len(tasks):
        drawn = set(random.Random(choice.seed).sample(range(len(tasks)), choice.limit))  # noqa: S311
        tasks = [task for place, task in enumerate(tasks) if place in drawn]
    return tuple(tasks)


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
    memories: tuple[MemorySpec, ...] = ()
    chains: tuple[PlannedChain, ...] = ()
    if plan.chains is None:
        tasks = choose_tasks(catalog, plan.tasks, path)
        episodes = tuple(_episodes(run, plan, tasks, path))
    else:
        planned = tuple(plan_chains(run, plan, plan.chains, environment_named(NAME), catalog, path))
        memories = chosen_memories(plan.chains, plan.memories)
        chains = tuple(one.chain for one in planned)
        episodes = tuple(episode for one in planned for episode in one.episodes)
    return RunPlanned(
        plan=Plan(
            name=plan.name or "unnamed",
            catalog=catalog.name,
            minds=mind_specs(plan),
            judges=tuple(judges),
            environment=NAME,
            settings=episode_rules(plan),
            concurrency=plan.concurrency,
            budget=budget(plan),
            source=source,
            memories=memories,
            priority=plan.priority,
        ),
        episodes=episodes,
        software=software,
        chains=chains,
    )


def _episodes(
    run: str, plan: PlanFile, tasks: Iterable[Task], path: str
) -> Iterable[PlannedEpisode]:
    for task in tasks:
        for minds in pairings(plan, len(task.characters), path):
            for repeat in range(plan.seats.repeats):
                id_ = derived_id(EPISODE, run, task.id, *minds, str(repeat))
                # All pairings of a task share a seed, so that they differ by their minds alone.
                seed = derived_number(str(plan.seed), task.id, str(repeat))
                yield PlannedEpisode(id=id_, task=task.id, minds=minds, seed=seed)
