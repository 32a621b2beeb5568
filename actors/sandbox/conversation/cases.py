"""Cases as tasks: talks cut from towns, each played by itself."""

from collections.abc import Sequence
from typing import Final

from actors.episodes.catalogs.entries import Beginning, TaskEntry, item_of
from actors.episodes.port.tasks import Tasks
from actors.sandbox.catalog_items import Case, Catalog
from actors.sandbox.setup import Settings
from events.base import replace

CASE: Final = "case."
"""How the ids of such tasks begin; the case's own follows."""


def is_case(task: str) -> bool:
    """Whether a task is a case, by its id."""
    return task.startswith(CASE)


class CaseTasks(Tasks[Catalog, Settings]):
    """Cases as tasks."""

    def entries(self, catalog: Catalog) -> Sequence[TaskEntry]:
        return [
            TaskEntry(
                id=f"{CASE}{case.id}",
                seats=2,
                tags=("case", task.kind, task.id, *task.tags),
                scenario=case.id,
            )
            for case in catalog.cases
            for task in [case.task]
        ]

    def begin(self, catalog: Catalog, task: str, settings: Settings, seed: int) -> Beginning:
        """A case, with the rounds and the prompt of the settings. Raises ``MissingItem``."""
        case: Case = item_of(catalog, "case", task.removeprefix(CASE))
        names = (case.performer.inhabitant.id, case.target.inhabitant.id)
        title = f"{names[0]} talks with {names[1]}"
        begun = replace(case, rounds=settings.rounds, prompt=settings.prompt, seed=seed)
        return Beginning(begun, case.id, title, names, case.task.tags)


TASKS: Final = CaseTasks()
