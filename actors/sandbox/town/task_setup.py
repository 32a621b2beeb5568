"""How a town begins: where everybody is and what they know; how an episode of a task does."""

from collections.abc import Sequence
from typing import Final

from actors.episodes.catalogs.entries import Beginning, TaskEntry, item_of
from actors.episodes.port.tasks import Tasks
from actors.sandbox.catalog_items import Catalog, Inhabitant, Task
from actors.sandbox.map.grid import Grid, grid_of
from actors.sandbox.setup import Settings, Tile, Town
from events.base import replace
from events.serialization.identity_key import cached_by_identity


def with_goal(performer: Inhabitant, task: Task) -> Inhabitant:
    """A performer who is about their task these days (STSS, section 4)."""
    currently = " ".join(filter(None, (performer.currently, f"{task.brief}. {task.description}")))
    return replace(performer, currently=currently)


@cached_by_identity(maxsize=64)
def spawns(town: Town) -> tuple[Tile, ...]:
    """Where everybody begins, by seat."""
    before = dict[str, int]()
    grid, tiles = grid_of(town.map), []
    for who in town.inhabitants:
        number = before.get(who.home, 0)
        before[who.home] = number + 1
        tiles.append(grid.spawn(who.home, number))
    return tuple(tiles)


@cached_by_identity(maxsize=64)
def known_at_first(town: Town) -> tuple[int, ...]:
    """The places that everybody knows at the beginning, by seat, as ``Grid.seen_from`` says them:
    their own home, whatever is nobody's, what the task says, and what they see around them."""
    grid, task, tiles = grid_of(town.map), town.task, spawns(town)
    all_of_it = (1 << len(grid.places)) - 1
    if town.settings.know == "all":
        return (all_of_it,) * len(tiles)
    homes = {who.home: _within(grid, who.home) for who in town.inhabitants}
    shared = all_of_it
    for mask in homes.values():
        shared &= ~mask
    for address in task.all_know if task else ():
        shared |= known_by(grid, address)
    found = [
        shared | known_by(grid, who.home) | grid.seen_from(tile, town.settings.radius)
        for who, tile in zip(town.inhabitants, tiles, strict=True)
    ]
    for address in task.performer_knows if task else ():
        found[0] |= known_by(grid, address)
    return tuple(found)


def known_by(grid: Grid, address: str) -> int:
    """What one knows who knows a place: what it is part of and what is in it."""
    return grid.bit(address) | _within(grid, address)


def _within(grid: Grid, address: str) -> int:
    """A place and what is in it: its parts come right after it."""
    id_ = grid.index.get(address)
    if id_ is None:
        return 0
    end = id_ + 1
    while end < len(grid.places) and grid.places[end].startswith(f"{address}:"):
        end += 1
    return (1 << end) - (1 << id_)


class TownTasks(Tasks[Catalog, Settings]):
    """Social tasks, by kind."""

    def entries(self, catalog: Catalog) -> Sequence[TaskEntry]:
        return [
            TaskEntry(
                id=task.id,
                seats=len(task.characters),
                tags=(task.kind, *task.tags),
                scenario=task.id,
            )
            for task in catalog.tasks
        ]

    def begin(self, catalog: Catalog, task: str, settings: Settings, seed: int) -> Beginning:
        """A town in which somebody has a task. Raises ``MissingItem``."""
        given: Task = item_of(catalog, "task", task)
        people = [item_of(catalog, "inhabitant", id_) for id_ in given.characters]
        people[0] = with_goal(people[0], given)
        town = Town(
            map=item_of(catalog, "town", given.town),
            inhabitants=tuple(people),
            task=given,
            settings=replace(settings, seed=seed),
        )
        return Beginning(town, given.id, given.goal or given.id, given.characters, given.tags)


TASKS: Final = TownTasks()
