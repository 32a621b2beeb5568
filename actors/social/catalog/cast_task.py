"""From a task to what its episode begins with: scenario, cast, relationships and rules."""

import itertools
from collections.abc import Sequence
from typing import Final

from actors.episodes.catalogs.entries import Beginning, TaskEntry, item_of
from actors.episodes.port.tasks import Tasks
from actors.social.catalog_items import Catalog, Relationship, Task
from actors.social.setup import EpisodeRules, SeatRelationship, SocialSetup
from events.base import replace

MEMORY_HARD = "memory-hard"
"""Tag of the tasks whose scenarios need facts of earlier episodes: alone they cannot be solved."""


class CatalogIndex:
    """A catalog's items by id."""

    def __init__(self, catalog: Catalog) -> None:
        self.name = catalog.name
        self.characters = {item.id: item for item in catalog.characters}
        self.relationships = {item.id: item for item in catalog.relationships}
        self.scenarios = {item.id: item for item in catalog.scenarios}
        self.tasks = {item.id: item for item in catalog.tasks}


def cast_task(catalog: Catalog, task: Task, rules: EpisodeRules, seed: int) -> Beginning:
    """How an episode of a task begins that the catalog need not have; its scenario, characters
    and relationships are the catalog's. Raises ``MissingItem``."""
    scenario = item_of(catalog, "scenario", task.scenario)
    cast = tuple(item_of(catalog, "character", id_) for id_ in task.characters)
    known = [item_of(catalog, "relationship", id_) for id_ in task.relationships]
    return Beginning(
        setup=SocialSetup(
            scenario=scenario,
            cast=cast,
            relationships=relationships_between(task.characters, known),
            rules=replace(rules, seed=seed),
        ),
        scenario=scenario.id,
        title=scenario.codename or scenario.id,
        characters=tuple(character.name for character in cast),
        tags=task.tags,
    )


def relationships_between(
    characters: Sequence[str], relationships: Sequence[Relationship]
) -> tuple[SeatRelationship, ...]:
    """Relationships as relationships between the seats that these characters have."""
    return tuple(
        SeatRelationship(seats=(a, b), kind=found.kind, story=found.story)
        for a, b in itertools.combinations(range(len(characters)), 2)
        for found in relationships
        if set(found.characters) == {characters[a], characters[b]}
    )


class SocialTasks(Tasks[Catalog, EpisodeRules]):
    """Scenarios with their casts."""

    def entries(self, catalog: Catalog) -> list[TaskEntry]:
        """The tasks, as plans choose them."""
        needing = {scenario.id for scenario in catalog.scenarios if scenario.needs}
        return [
            TaskEntry(
                id=task.id,
                seats=len(task.characters),
                tags=task.tags,
                only_by=MEMORY_HARD if task.scenario in needing else "",
                scenario=task.scenario,
            )
            for task in catalog.tasks
        ]

    def begin(self, catalog: Catalog, task: str, settings: EpisodeRules, seed: int) -> Beginning:
        """With the task's cast."""
        return cast_task(catalog, item_of(catalog, "task", task), settings, seed)


TASKS: Final = SocialTasks()
