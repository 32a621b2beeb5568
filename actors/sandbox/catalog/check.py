"""What is wrong or odd with a catalog of towns: maps, who lives there, and tasks."""

from collections.abc import Iterator

from actors.episodes.catalogs.entries import Remark
from actors.sandbox.catalog.task_faults import task_remarks, unknown_place
from actors.sandbox.catalog_items import Catalog, Inhabitant
from actors.sandbox.map.faults import map_faults, odd_name
from actors.sandbox.map.grid import Grid, grid_of
from events.untrusted.safe_text import shortened


def check(catalog: Catalog) -> Iterator[Remark]:
    """Everything, in the catalog's order. Towns with errors are not looked into further."""
    grids: dict[str, Grid] = {}
    for number, town in enumerate(catalog.towns):
        faults = [Remark("error", ("town", number), str(fault)) for fault in map_faults(town)]
        yield from faults
        if not faults:
            grids[town.id] = grid_of(town)
    for number, who in enumerate(catalog.inhabitants):
        yield from _inhabitant(number, who, list(grids.values()))
    for number, task in enumerate(catalog.tasks):
        place = ("task", number)
        if task.town in grids:
            yield from task_remarks(place, task, catalog, grids[task.town])
        elif task.town not in {town.id for town in catalog.towns}:
            why = f"there is no town {shortened(task.town)!r} in the catalog"
            yield Remark("error", (*place, "town"), why)


def _inhabitant(number: int, who: Inhabitant, grids: list[Grid]) -> Iterator[Remark]:
    if odd := odd_name(who.id):
        yield Remark("error", ("inhabitant", number, "id"), f"the name {odd}")
    for field in ("home", "workplace"):
        address: str = getattr(who, field)
        place = ("inhabitant", number, field)
        if not address:
            if field == "home":
                yield Remark("error", place, "has no home; it is world:sector:arena")
        elif grids and not any(address in grid.index for grid in grids):
            yield Remark("error", place, unknown_place(address, grids[0]))
        elif grids and field == "home" and address.count(":") != 2:
            why = f"{shortened(address)!r} is no arena; a home is world:sector:arena"
            yield Remark("error", place, why)
