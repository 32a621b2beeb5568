"""From a plan to its episodes: which task is played by which minds, with which seed."""

import itertools
import random
from collections.abc import Iterable, Sequence

from rapidfuzz import process

from actors.runs.plan_file import PlanFile, TaskChoice, budget, episode_rules, mind_specs
from actors.toml_file import BadFile
from events.catalog import Catalog, Task
from events.evaluation import JudgeSpec
from events.ids import EPISODE, derived_id, derived_number
from events.run import Plan, PlannedEpisode, RunPlanned


def choose_tasks(catalog: Catalog, choice: TaskChoice, path: str) -> tuple[Task, ...]:
    """The tasks a plan asks for, in the catalog's order. Raises ``BadFile`` if there is none."""
    by_id = {task.id: task for task in catalog.tasks}
    for id_ in choice.ids:
        if id_ not in by_id:
            near = process.extractOne(id_, list(by_id))
            hint = f"; the nearest is {near[0]!r}" if near else ""
            raise BadFile(path, "tasks.ids", f"catalog {catalog.name!r} has no task {id_!r}{hint}")
    wanted = set(choice.ids or by_id)
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


def pairings(plan: PlanFile, seats: int, path: str) -> tuple[tuple[str, ...], ...]:
    """Which minds play a task of so many seats, one name a seat."""
    names = tuple(plan.minds)
    match plan.seats.pairings:
        case "all":
            return tuple(itertools.product(names, repeat=seats))
        case "same":
            return tuple((name,) * seats for name in names)
        case given:
            fitting = tuple(row for row in given if len(row) == seats)
            if not fitting:
                raise BadFile(
                    path, "seats.pairings", f"a chosen task has {seats} seats, no pairing has"
                )
            return fitting


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
    """Everything that run ``run`` will play. The same arguments give the same episodes."""
    tasks = choose_tasks(catalog, plan.tasks, path)
    return RunPlanned(
        plan=Plan(
            name=plan.name or "unnamed",
            catalog=catalog.name,
            minds=mind_specs(plan),
            judges=tuple(judges),
            rules=episode_rules(plan),
            concurrency=plan.concurrency,
            budget=budget(plan),
            source=source,
        ),
        episodes=tuple(_episodes(run, plan, tasks, path)),
        software=software,
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
