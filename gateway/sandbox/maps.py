"""Maps read, checked and written, for the commands."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from actors.sandbox.catalog.check import check
from actors.sandbox.catalog.generated_people import generated_tasks
from actors.sandbox.catalog.generator import MOST_PEOPLE, generated
from actors.sandbox.catalog.pages import sizes
from actors.sandbox.catalog.town_file import FILE, BadTown, TownRead, read_town
from actors.sandbox.catalog.town_writer import town_text
from actors.sandbox.catalog_items import Catalog
from actors.sandbox.formats.csv_layers import META, BadLayers, layer_files, read_layers
from actors.sandbox.formats.stss import PEOPLE, TASKS, read_stss
from actors.sandbox.map.grid import grid_of
from actors.sandbox.map.town_map import TownMap
from actors.text.amounts import many
from gateway.errors import BadArgument
from store.files.atomic_files import atomic_write_text


class Checked(NamedTuple):
    """What was found in a file or a folder."""

    about: str
    """How large the town is; empty: there is none."""
    errors: tuple[str, ...]
    warnings: tuple[str, ...]


class LayersWritten(NamedTuple):
    """What was written of a town."""

    files: tuple[str, ...]
    left_out: str
    """What has no room in CSV layers, in words; empty: nothing."""


def check_town(path: Path) -> Checked:
    """Look through a ``town.toml``, or through a folder with one or with CSV layers."""
    try:
        if path.is_dir() and not (path / FILE).exists():
            catalog, notes = _of_layers(path, "")
            odd = [f"{remark.place[0]}: {remark.why}" for remark in check(catalog)]
            return Checked(_about(catalog.towns[0]), (), (*notes, *odd))
        read = _read(path)
        return Checked(_about(read.town), (), tuple(map(str, read.odd)))
    except (BadTown, BadLayers) as error:
        return Checked("", tuple(map(str, error.rows)), ())


def write_layers(path: Path, folder: Path) -> LayersWritten:
    """Write a town's map into a folder. Raises ``BadTown``, ``BadArgument``, ``OSError``."""
    read = _read(path)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadArgument("--to", str(folder), "is there already; give a folder that is new")
    files = layer_files(read.town)
    for name, text in files.items():
        atomic_write_text(folder / name, text)
    left = [many(len(read.inhabitants), "inhabitant")] if read.inhabitants else []
    left += [many(len(read.tasks), "task")] if read.tasks else []
    return LayersWritten(tuple(files), " and ".join(left))


def write_town(folder: Path, target: Path, id_: str) -> str:
    """Write the layers of a folder as a ``town.toml``; what it holds, in words.

    Raises ``BadLayers``, ``BadArgument``, ``OSError``.
    """
    catalog, _ = _of_layers(folder, id_)
    return _write_town(catalog, target)


def make_town(people: int, seed: int, target: Path) -> str:
    """Write a town that chance makes; what it holds, in words.

    Raises ``BadArgument``, ``OSError``.
    """
    if not 2 <= people <= MOST_PEOPLE:
        why = f"towns are made for 2 to {MOST_PEOPLE:,} people"
        raise BadArgument("--people", str(people), why)
    town, inhabitants = generated(seed, people)
    tasks = generated_tasks(seed, town, inhabitants)
    made = Catalog(name=town.id, towns=(town,), inhabitants=inhabitants, tasks=tasks)
    return _write_town(made, target)


def _read(path: Path) -> TownRead:
    return read_town(path / FILE if path.is_dir() else path)


def _of_layers(folder: Path, id_: str) -> tuple[Catalog, Sequence[str]]:
    if not (folder / META).is_file():
        why = f"holds no {META} and no {FILE}"
        raise BadArgument("DIR", str(folder), why)
    if (folder / PEOPLE).is_file() and (folder / TASKS).is_file() and not id_:
        catalog, notes = read_stss(folder, folder.name)
        assert isinstance(catalog, Catalog)
        return catalog, notes
    town, notes = read_layers(folder, id_ or folder.absolute().name)
    return Catalog(name=town.id, towns=(town,)), notes


def _write_town(catalog: Catalog, target: Path) -> str:
    if target.exists():
        raise BadArgument("--to", str(target), "is there already; name a new file")
    [town] = catalog.towns
    atomic_write_text(target, town_text(town, catalog.inhabitants, catalog.tasks))
    counts: Mapping[str, int] = {
        "inhabitants": len(catalog.inhabitants),
        "tasks": len(catalog.tasks),
    }
    more = "".join(f", {count} {what}" for what, count in counts.items() if count)
    return _about(town) + more


def _about(town: TownMap) -> str:
    return f"{town.world}, {town.width} x {town.height} tiles: {sizes(grid_of(town))}"
