"""From a planned episode to its first event: scenario, cast, ties and minds in their seats."""

import itertools
from collections.abc import Sequence

import msgspec

from actors.social.setup import EpisodeRules, SocialSetup, Tie, begin
from events.base import Value
from events.catalog import Catalog, Task
from events.episode import EpisodeStarted
from events.minds import MindSpec


class MissingItem(LookupError):
    """A task refers to something its catalog does not have."""

    def __init__(self, catalog: str, task: str, kind: str, id_: str) -> None:
        super().__init__(f"task {task!r} of catalog {catalog!r} names {kind} {id_!r}, which is not")
        self.catalog, self.task, self.kind, self.id = catalog, task, kind, id_


class CatalogIndex:
    """A catalog's items by id."""

    def __init__(self, catalog: Catalog) -> None:
        self.name = catalog.name
        self.characters = {item.id: item for item in catalog.characters}
        self.relationships = {item.id: item for item in catalog.relationships}
        self.scenarios = {item.id: item for item in catalog.scenarios}
        self.tasks = {item.id: item for item in catalog.tasks}


class Casting(Value, frozen=True, kw_only=True):
    """Who plays what, with which seed, for which run."""

    run: str
    task: str
    minds: tuple[MindSpec, ...]
    rules: EpisodeRules
    tags: tuple[str, ...] = ()
    chain: str = ""
    """The chain it belongs to; empty: none."""
    index: int = 0
    """Its place in the chain."""


def cast_episode(index: CatalogIndex, casting: Casting) -> EpisodeStarted:
    """The event that begins an episode of a task of the catalog. Raises ``MissingItem``."""

    if casting.task not in index.tasks:
        raise MissingItem(index.name, casting.task, "task", casting.task)
    return cast_task(index, index.tasks[casting.task], casting)


def cast_task(index: CatalogIndex, task: Task, casting: Casting) -> EpisodeStarted:
    """The event that begins an episode of a task that the catalog need not have; its scenario,
    characters and relationships are the catalog's. Raises ``MissingItem``."""
    for kind, items, ids in (
        ("scenario", index.scenarios, (task.scenario,)),
        ("character", index.characters, task.characters),
        ("relationship", index.relationships, task.relationships),
    ):
        for id_ in ids:
            if id_ not in items:
                raise MissingItem(index.name, task.id, kind, id_)
    setup = SocialSetup(
        scenario=index.scenarios[task.scenario],
        cast=tuple(index.characters[id_] for id_ in task.characters),
        ties=ties_of(index, task),
        rules=casting.rules,
    )
    return begin(
        setup,
        run=casting.run,
        task=task.id,
        catalog=index.name,
        minds=casting.minds,
        tags=task.tags + casting.tags,
        chain=casting.chain,
        index=casting.index,
    )


def ties_of(index: CatalogIndex, task: Task) -> tuple[Tie, ...]:
    """The task's relationships as ties between its seats."""
    named = [index.relationships[id_] for id_ in task.relationships]
    ties = []
    for a, b in itertools.combinations(range(len(task.characters)), 2):
        pair = {task.characters[a], task.characters[b]}
        ties += [
            Tie(seats=(a, b), kind=found.kind, story=found.story)
            for found in named
            if set(found.characters) == pair
        ]
    return tuple(ties)


def seat_minds(minds: Sequence[MindSpec], names: Sequence[str]) -> tuple[MindSpec, ...]:
    """The minds named, in the order of the seats."""
    by_name = {mind.name: mind for mind in minds}
    return tuple(by_name[name] for name in names)


def with_seed(rules: EpisodeRules, seed: int) -> EpisodeRules:
    """The rules with an episode's own seed."""
    return msgspec.structs.replace(rules, seed=seed)
