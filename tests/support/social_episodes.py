"""Episodes of tasks of a social catalog, as a run begins them."""

from typing import Any

from actors.social.catalog.cast_task import cast_task
from actors.social.catalog_items import Catalog, Task
from actors.social.setup import NAME, EpisodeRules
from events.episode import EpisodeStarted
from events.minds import MindSpec


def cast_episode(
    catalog: Catalog, task: Task, minds: tuple[MindSpec, ...], rules: EpisodeRules, **fields: Any
) -> EpisodeStarted:
    """The first event of an episode of a task, which the catalog need not have."""
    begun = cast_task(catalog, task, rules, rules.seed)
    given = {"run": "", "task": task.id, "catalog": catalog.name, **fields}
    return EpisodeStarted(environment=NAME, minds=minds, **given, **begun._asdict())
