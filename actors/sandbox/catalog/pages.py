"""What a catalog of towns holds, for its author's eyes: lists, and all there is to know of a map,
an inhabitant, a task or a case."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from actors.episodes.catalogs.entries import CatalogEntry, plain_entries, plain_facts
from actors.episodes.catalogs.writer import entries_of
from actors.episodes.port.authoring import Authoring
from actors.episodes.port.environment import Environment
from actors.sandbox.catalog import check as catalog_check
from actors.sandbox.catalog.starter import town_catalog
from actors.sandbox.catalog_items import Case, Catalog, FrozenTask, Goal, Inhabitant, Task
from actors.sandbox.map.grid import Grid, grid_of
from actors.sandbox.map.town_map import TownMap

_DRAWN: Final = """\
# A map is easier drawn than written like this: `troupe town map make` begins a town.toml that
# holds it as a drawing, with who lives there and tasks, and is a catalog in one file.
"""
_WIDEST: Final = 72
"""Tiles of a map that is drawn."""


def sizes(grid: Grid) -> str:
    """How large a town is: ``14 sectors, 34 arenas, 91 objects, 620 tiles to stand on``."""
    levels = Counter(map(grid.level, range(len(grid.places))))
    reached = int(grid.reached.sum())
    return (
        f"{levels[1]} sectors, {levels[2]} arenas, {levels[3]} objects, "
        f"{reached:,} tiles to stand on"
    )


def _entry(entry: CatalogEntry) -> CatalogEntry:
    match entry.item:
        case TownMap(world=world, width=width, height=height) as town:
            glance = f"{width} x {height} tiles: {sizes(grid_of(town))}"
            return entry._replace(title=world, glance=glance)
        case Inhabitant(age=age, innate=innate) as who:
            known = [who.occupation, str(age) if age else ""]
            about = f"{', '.join(filter(None, known))}: {innate}".removeprefix(": ")
            return entry._replace(glance=about)
        case Task() as task:
            glance = f"{task.kind}; {task.performer}; {task.people} of {len(task.characters)}"
            return entry._replace(title=task.goal, glance=glance)
        case Case(performer=performer, target=target) as talk:
            title = f"{performer.inhabitant.id} talks with {target.inhabitant.id}"
            return entry._replace(title=title, glance=f"{talk.task.kind}; {talk.at}")
        case FrozenTask(kind=kind, towns=towns):
            return entry._replace(glance=f"{kind}; looked for cases {towns} times")
    return entry


def _town(town: TownMap) -> Iterator[tuple[str, str]]:
    grid = grid_of(town)
    yield "world", town.world
    yield "size", f"{town.width} x {town.height} tiles: {sizes(grid)}"
    if town.width <= _WIDEST:
        yield (
            "map",
            "\n".join("".join("·" if free else "█" for free in row) for row in grid.free.tolist()),
        )
    for id_, address in enumerate(grid.places):
        if grid.level(id_) == 1:
            yield address.partition(":")[2], "\n".join(_rooms(grid, id_))
    yield "digest", town.digest


def _rooms(grid: Grid, sector: int) -> Iterator[str]:
    for id_ in grid.within(sector):
        if grid.level(id_) == 2:
            things = [grid.places[one].rpartition(":")[2] for one in grid.within(id_)][1:]
            name = grid.places[id_].rpartition(":")[2]
            yield f"{name}: {', '.join(things)}" if things else name


def _task(task: Task) -> Iterator[tuple[str, str]]:
    yield "kind", f"{task.kind} ({task.type})" if task.type else task.kind
    yield "town", task.town
    yield "goal", task.goal
    yield "brief", task.brief
    yield "description", task.description
    for number, goal in enumerate(task.goals, 1):
        yield f"counts {number}" if len(task.goals) > 1 else "counts", _goal(goal)
    yield "people", f"{task.people}, the performer among them"
    yield "performer", task.performer
    if task.targets:
        yield "targets", ", ".join(task.targets)
    yield "others", ", ".join(task.characters[1:])
    for name, places in (("performer knows", task.performer_knows), ("all know", task.all_know)):
        if places:
            yield name, "\n".join(places)
    if task.environment_name:
        yield "published as", task.environment_name


def _case(case: Case) -> Iterator[tuple[str, str]]:
    yield "at", case.at
    yield "from", case.source
    for what, value in _task(case.task):
        if what in ("kind", "goal", "description") or what.startswith("counts"):
            yield what, value
    for who, partner in (("performer", case.performer), ("target", case.target)):
        name = partner.inhabitant.id
        yield who, f"{name}: {partner.doing or 'nothing'} ({partner.address or 'nowhere'})"
        for what, lines in (("has in mind", partner.memories), ("plans", partner.schedule)):
            if lines:
                yield f"{who} {what}", "\n".join(lines)


def _goal(goal: Goal) -> str:
    words = " or ".join(dict.fromkeys((goal.keyword, *goal.other_keywords)))
    place = f" at {goal.place}" if goal.place else ""
    when = f", {goal.start} for {goal.minutes} minutes" if goal.start else ", at any time"
    return f"{words}{place}{when}"


class SandboxAuthoring(Authoring[Catalog]):
    """Maps with their sizes, inhabitants, tasks."""

    # Inhabitants are called as they are.
    full_names = ("inhabitant",)
    check = staticmethod(catalog_check.check)

    def entries(self, catalog: Catalog) -> list[CatalogEntry]:
        """Everything, kind by kind, each with what it is about."""
        return list(map(_entry, plain_entries(catalog)))

    def facts(self, catalog: Catalog, entry: CatalogEntry) -> Sequence[tuple[str, str]]:
        """All there is to know of a thing, each with what it is."""
        item = entry.item
        match item:
            case TownMap():
                return list(_town(item))
            case Task():
                return list(_task(item))
            case Case():
                return list(_case(item))
        return plain_facts(item)

    def template(self, environment: Environment) -> Mapping[str, str]:
        """What a new catalog begins with: the town that comes with Troupe, and how maps are
        drawn."""
        written = dict(entries_of(environment, town_catalog()))
        written["towns"] = f"{_DRAWN}\n{written['towns']}"
        return written


AUTHORING: Final = SandboxAuthoring()
